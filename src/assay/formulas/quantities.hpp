#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "assay/formulas/quantity.hpp"

namespace assay::formulas {

// One list per topic. To add a quantity, add an entry to its topic's list; to add a topic, add its
// list here and to all_quantities().
[[nodiscard]] std::vector<Quantity> exact_quantities();
[[nodiscard]] std::vector<Quantity> replace_one_pair_quantities();
[[nodiscard]] std::vector<Quantity> birrell2024_taylor_quantities();
[[nodiscard]] std::vector<Quantity> birrell2024_with_replacement_quantities();
[[nodiscard]] std::vector<Quantity> birrell2024_variance_quantities();
[[nodiscard]] std::vector<Quantity> wang2019_quantities();
[[nodiscard]] std::vector<Quantity> mironov2019_quantities();
[[nodiscard]] std::vector<Quantity> conversion_quantities();
[[nodiscard]] std::vector<Quantity> over_orders_quantities();
[[nodiscard]] std::vector<Quantity> balls_and_bins_quantities();
[[nodiscard]] std::vector<Quantity> local_dp_quantities();

/// Everything `assay eval` answers, in the order of `assay eval --list`.
[[nodiscard]] std::span<const Quantity> all_quantities();

/// The entry of that name, or null.
[[nodiscard]] const Quantity* find_quantity(std::string_view name);

}  // namespace assay::formulas
