#include "assay/cli/quantity.hpp"

#include <algorithm>

namespace assay::cli {

bool is_curve(const Quantity& quantity) {
    bool has_order = false;
    for (const Parameter& parameter : quantity.parameters) {
        const std::string_view name = parameter.name;
        if (name == "alpha" && parameter.type == ParameterType::number)
            has_order = true;
        else if (name != "sigma" && name != "s" && name != "m" && name != "q")
            return false;
    }
    return has_order && quantity.trivial_value == trivial::half_line;
}

std::vector<Enclosure> evaluate_curve(const Quantity& quantity, std::span<const double> orders,
                                      const Arguments& arguments) {
    if (quantity.curve != nullptr) return quantity.curve(orders, arguments);
    std::vector<Enclosure> values(orders.size(), quantity.trivial_value);
    Arguments at = arguments;
    for (std::size_t i = 0; i < orders.size() && Clock::now() < arguments.deadline; ++i) {
        at.set("alpha", orders[i]);
        values[i] = quantity.evaluate(at).values.front();
    }
    return values;
}

}  // namespace assay::cli
