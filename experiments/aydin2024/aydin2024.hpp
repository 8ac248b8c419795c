#pragma once
#include <string>
#include <string_view>
#include <variant>

#include "experiments/figure.hpp"

/// The figures of aydin2024, "Adaptive Online Bayesian Estimation of Frequency Distributions with
/// Local Differential Privacy" (2024). Every panel has two versions: the mechanism of Theorem 1,
/// and the one that the authors' program runs, which is not epsilon-LDP and says so.
namespace assay::experiments::aydin2024 {

[[nodiscard]] FigureResult run_fig02_honest_response(const Params& params);
[[nodiscard]] FigureResult run_fig03_total_variation_share_0_8(const Params& params);
[[nodiscard]] FigureResult run_fig04_total_variation_share_0_9(const Params& params);
[[nodiscard]] FigureResult run_fig05_subset_size_share_0_8(const Params& params);
[[nodiscard]] FigureResult run_fig06_subset_size_share_0_9(const Params& params);
[[nodiscard]] FigureResult run_table01_cost_of_utilities(const Params& params);
[[nodiscard]] FigureResult run_theorem03_posterior_mass(const Params& params);
[[nodiscard]] FigureResult run_theorem04_best_subset(const Params& params);

/// A claim of this paper, its id prefixed by "aydin2024-".
[[nodiscard]] Claim claim(std::string_view id, std::string where, std::string statement,
                          std::variant<double, std::string> found, Verdict verdict,
                          Basis basis = {});

}  // namespace assay::experiments::aydin2024
