#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "experiments/significance.hpp"

namespace assay::experiments::aydin2024 {

/// Paired comparisons by name, and the words in which a claim tells of them.
struct SignTests {
    std::vector<std::string> names{};
    std::vector<SignTest> tests{};

    void add(const std::string& name, const SignTest& test);
    /// In how many the first is significantly smaller.
    [[nodiscard]] std::size_t significant() const;
    /// The one that speaks least for "the first is smaller": "U1 FIM, smaller in 5 runs and
    /// larger in 5 (p = 1)".
    ///   Domain     at least one comparison
    [[nodiscard]] std::string weakest() const;
    /// The rule of all_smaller(), these details, and what would decide it where it is undecidable.
    ///   Domain     runs of each setting >= 1
    [[nodiscard]] Basis basis(const std::vector<std::string>& details, std::int64_t runs) const;

private:
    [[nodiscard]] std::size_t weakest_index() const;
};

/// What more runs of each setting would see of a comparison that has `pairs` with `runs` of them:
/// the paper's 50, or four times as many where these are done.
[[nodiscard]] std::string more_runs(int pairs, std::int64_t runs);

}  // namespace assay::experiments::aydin2024
