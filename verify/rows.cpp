#include "verify/rows.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "assay/numeric/errors.hpp"

namespace assay::verify {

namespace {

/// `*` stands for any text.
bool matches(std::string_view text, std::string_view pattern) {
    if (pattern.empty()) return text.empty();
    if (pattern.front() != '*')
        return !text.empty() && text.front() == pattern.front() &&
               matches(text.substr(1), pattern.substr(1));
    for (std::size_t skipped = 0; skipped <= text.size(); ++skipped)
        if (matches(text.substr(skipped), pattern.substr(1))) return true;
    return false;
}

}  // namespace

std::vector<Check> joined(std::initializer_list<std::vector<Check> (*)()> lists) {
    std::vector<Check> all;
    for (const auto list : lists)
        for (Check& row : list()) all.push_back(std::move(row));
    return all;
}

std::span<const Check> all_rows() {
    static const std::vector<Check> rows = joined({enclosure_rows,
                                                   bound_rows,
                                                   limit_rows,
                                                   path_rows,
                                                   far_component_rows,
                                                   published_step_rows,
                                                   with_replacement_rows,
                                                   delta_rows,
                                                   theorem_11_rows,
                                                   rdp_epsilon_rows,
                                                   drawn_steps_rows,
                                                   tilting_rows,
                                                   special_function_rows,
                                                   arithmetic_rows,
                                                   transform_rows,
                                                   balls_and_bins_rows,
                                                   epoch_rows,
                                                   epoch_inversion_rows,
                                                   convex_sum_rows,
                                                   lognormal_rows,
                                                   pld_rows,
                                                   pld_composition_rows,
                                                   trade_off_rows,
                                                   local_privacy_rows,
                                                   batch_sampling_rows,
                                                   batch_large_rows,
                                                   batch_address_rows,
                                                   batch_outcome_rows,
                                                   truncation_rows,
                                                   dpsgd_rows,
                                                   noise_rows,
                                                   noise_block_rows,
                                                   ledger_rows,
                                                   noise_search_rows,
                                                   search_rows,
                                                   training_rows,
                                                   random_stream_rows,
                                                   numeric_table_rows,
                                                   monte_carlo_rows,
                                                   sampling_method_rows,
                                                   order_statistics_rows,
                                                   importance_rows,
                                                   long_epoch_rows,
                                                   delta_estimate_rows,
                                                   loss_moment_rows,
                                                   sampling_table_rows,
                                                   trial_run_rows,
                                                   log1p_deficit_rows,
                                                   platform_rows,
                                                   law_rows,
                                                   attack_rows,
                                                   control_rows});
    return rows;
}

std::vector<Check> rows_matching(const std::vector<std::string>& patterns) {
    std::vector<Check> chosen;
    std::vector<bool> used(patterns.size(), false);
    for (const Check& row : all_rows()) {
        bool wanted = patterns.empty();
        for (std::size_t i = 0; i < patterns.size(); ++i)
            if (matches(row.id, patterns[i])) wanted = used[i] = true;
        if (wanted) chosen.push_back(row);
    }
    const auto unused = std::find(used.begin(), used.end(), false);
    if (unused != used.end())
        throw Error(fmt::format("no row matches '{}': `assay-verify list` prints all",
                                patterns[static_cast<std::size_t>(unused - used.begin())]));
    return chosen;
}

}  // namespace assay::verify
