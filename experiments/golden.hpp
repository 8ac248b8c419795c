#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/figure.hpp"

namespace assay::experiments {

/// How what a claim found begins where it depends on the machine and the moment: then the verdict
/// is compared, the text is not.
inline constexpr std::string_view measured = "Measured ";

/// Compares the results in `latest` with those in `reference`, figure by figure: CSV rows in order
/// and within the golden tolerance of their column, JSON without `build` and `run`, the number a
/// claim found within 1e-6 relative, what it measured not at all; and each <paper>/claims.json with
/// what its figures say. Results of larger runs in reference/paper have to be whole. Where a
/// golden result was simulated elsewhere (make of processor, compiler, Eigen, C library), its
/// simulated rows and what claims about them found are not compared, verdicts are.
///   Returns    one line a difference, empty where all agree
///   Throws     FileError where a file cannot be read
[[nodiscard]] std::vector<std::string> compare_with_golden(const std::vector<Figure>& figures,
                                                           const std::filesystem::path& latest,
                                                           const std::filesystem::path& reference);

/// How many golden results were simulated elsewhere.
[[nodiscard]] std::size_t count_simulated_elsewhere(const std::vector<Figure>& figures,
                                                    const std::filesystem::path& reference);

/// Makes the latest result of one figure the golden one, or, with `is_larger_run`, the one beside
/// it in reference/paper; and rewrites <paper>/claims.json.
///   Throws     FileError where there is no latest result, or the reference cannot be written
void accept_golden(const std::vector<Figure>& figures, const Figure& figure,
                   const std::filesystem::path& latest, const std::filesystem::path& reference,
                   bool is_larger_run = false);

}  // namespace assay::experiments
