#pragma once
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "verify/check.hpp"

namespace assay::verify {

// One list per kind of statement (verify/checks/). To add a claim, add a row to its list, and its
// broken counterpart to the controls.
[[nodiscard]] std::vector<Check> enclosure_rows();
[[nodiscard]] std::vector<Check> bound_rows();
[[nodiscard]] std::vector<Check> limit_rows();
[[nodiscard]] std::vector<Check> path_rows();
[[nodiscard]] std::vector<Check> far_component_rows();
[[nodiscard]] std::vector<Check> published_step_rows();
[[nodiscard]] std::vector<Check> with_replacement_rows();
[[nodiscard]] std::vector<Check> delta_rows();
[[nodiscard]] std::vector<Check> theorem_11_rows();
[[nodiscard]] std::vector<Check> rdp_epsilon_rows();
[[nodiscard]] std::vector<Check> drawn_steps_rows();
[[nodiscard]] std::vector<Check> tilting_rows();
[[nodiscard]] std::vector<Check> special_function_rows();
[[nodiscard]] std::vector<Check> arithmetic_rows();
[[nodiscard]] std::vector<Check> transform_rows();
[[nodiscard]] std::vector<Check> balls_and_bins_rows();
[[nodiscard]] std::vector<Check> epoch_rows();
[[nodiscard]] std::vector<Check> pld_rows();
[[nodiscard]] std::vector<Check> pld_composition_rows();
[[nodiscard]] std::vector<Check> trade_off_rows();
[[nodiscard]] std::vector<Check> local_privacy_rows();
[[nodiscard]] std::vector<Check> batch_sampling_rows();
[[nodiscard]] std::vector<Check> batch_large_rows();
[[nodiscard]] std::vector<Check> batch_address_rows();
[[nodiscard]] std::vector<Check> batch_outcome_rows();
[[nodiscard]] std::vector<Check> truncation_rows();
[[nodiscard]] std::vector<Check> dpsgd_rows();
[[nodiscard]] std::vector<Check> noise_rows();
[[nodiscard]] std::vector<Check> noise_block_rows();
[[nodiscard]] std::vector<Check> ledger_rows();
[[nodiscard]] std::vector<Check> noise_search_rows();
[[nodiscard]] std::vector<Check> search_rows();
[[nodiscard]] std::vector<Check> training_rows();
[[nodiscard]] std::vector<Check> random_stream_rows();
[[nodiscard]] std::vector<Check> numeric_table_rows();
[[nodiscard]] std::vector<Check> monte_carlo_rows();
[[nodiscard]] std::vector<Check> sampling_method_rows();
[[nodiscard]] std::vector<Check> delta_estimate_rows();
[[nodiscard]] std::vector<Check> importance_rows();
[[nodiscard]] std::vector<Check> convex_sum_rows();
[[nodiscard]] std::vector<Check> lognormal_rows();
[[nodiscard]] std::vector<Check> epoch_inversion_rows();
[[nodiscard]] std::vector<Check> trial_run_rows();
[[nodiscard]] std::vector<Check> sampling_table_rows();
[[nodiscard]] std::vector<Check> long_epoch_rows();
[[nodiscard]] std::vector<Check> loss_moment_rows();
[[nodiscard]] std::vector<Check> order_statistics_rows();
[[nodiscard]] std::vector<Check> log1p_deficit_rows();
[[nodiscard]] std::vector<Check> platform_rows();
[[nodiscard]] std::vector<Check> law_rows();
[[nodiscard]] std::vector<Check> attack_rows();
[[nodiscard]] std::vector<Check> control_rows();

/// The rows of several lists, one list after the other.
[[nodiscard]] std::vector<Check> joined(std::initializer_list<std::vector<Check> (*)()> lists);

/// All of them, in that order.
[[nodiscard]] std::span<const Check> all_rows();

/// The rows with an id that one of the patterns matches (* for any text); all without patterns.
///   Throws     Error for a pattern that matches none
[[nodiscard]] std::vector<Check> rows_matching(const std::vector<std::string>& patterns);

}  // namespace assay::verify
