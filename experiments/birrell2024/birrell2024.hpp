#pragma once
#include "experiments/figure.hpp"

/// The figures of birrell2024, "DP-SGD with Fixed-Size Minibatches: Tighter RDP Guarantees with or
/// without Replacement" (NeurIPS 2024).
namespace assay::experiments::birrell2024 {

[[nodiscard]] FigureResult run_fig01_with_replacement_lower_bounds(const Params& params);
[[nodiscard]] FigureResult run_fig02_replace_one_bounds(const Params& params);
[[nodiscard]] FigureResult run_fig03_epsilon_by_delta(const Params& params);
[[nodiscard]] FigureResult run_fig04_epsilon_fixed_size_and_poisson(const Params& params);
[[nodiscard]] FigureResult run_fig04_accuracy_fixed_size_and_poisson(const Params& params);
[[nodiscard]] FigureResult run_fig05_memory_by_epoch(const Params& params);
[[nodiscard]] FigureResult run_fig06_add_remove_bound_by_m(const Params& params);
[[nodiscard]] FigureResult run_fig07_fixed_size_and_poisson_at_high_orders(const Params& params);
[[nodiscard]] FigureResult run_fig08_with_replacement_by_batch_size(const Params& params);
[[nodiscard]] FigureResult run_fig09_with_replacement_bounds(const Params& params);
[[nodiscard]] FigureResult run_fig10_accuracy_by_noise_and_batch_size(const Params& params);
[[nodiscard]] FigureResult run_section41_gradient_variance(const Params& params);

}  // namespace assay::experiments::birrell2024
