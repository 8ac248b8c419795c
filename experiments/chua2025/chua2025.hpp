#pragma once
#include <string>
#include <string_view>
#include <variant>

#include "experiments/figure.hpp"

/// The figures of chua2025, "Balls-and-Bins Sampling for DP-SGD" (AISTATS 2025). The adjacency is
/// zero-out throughout.
namespace assay::experiments::chua2025 {

[[nodiscard]] FigureResult run_fig01_auc_by_sampler(const Params& params);
[[nodiscard]] FigureResult run_fig02_delta_by_sampler(const Params& params);
[[nodiscard]] FigureResult run_fig03_importance_sampling(const Params& params);
[[nodiscard]] FigureResult run_fig04_order_statistics(const Params& params);
[[nodiscard]] FigureResult run_table_d1_above_or_below_poisson(const Params& params);

/// A claim of this paper, its id prefixed by "chua2025-".
[[nodiscard]] Claim claim(std::string_view id, std::string where, std::string statement,
                          std::variant<double, std::string> found, Verdict verdict,
                          Basis basis = {});

}  // namespace assay::experiments::chua2025
