#include "assay/formulas/quantities.hpp"

#include <algorithm>
#include <iterator>

namespace assay::formulas {

std::span<const Quantity> all_quantities() {
    static const std::vector<Quantity> table = [] {
        std::vector<Quantity> all;
        for (auto&& topic :
             {exact_quantities(), replace_one_pair_quantities(), birrell2024_taylor_quantities(),
              birrell2024_with_replacement_quantities(), birrell2024_variance_quantities(),
              wang2019_quantities(), mironov2019_quantities(), conversion_quantities(),
              over_orders_quantities(), balls_and_bins_quantities(), local_dp_quantities()})
            all.insert(all.end(), topic.begin(), topic.end());
        return all;
    }();
    return table;
}

const Quantity* find_quantity(std::string_view name) {
    const auto all = all_quantities();
    const auto found = std::find_if(
        all.begin(), all.end(), [&](const Quantity& quantity) { return quantity.name == name; });
    return found == all.end() ? nullptr : &*found;
}

}  // namespace assay::formulas
