#include "assay/formulas/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "assay/numeric/bound.hpp"

namespace assay::formulas {

namespace {

void require_ordered(const Quantity& quantity, const std::vector<Enclosure>& values) {
    for (const Enclosure& value : values)
        assay::require_ordered(value.lower, value.upper,
                               [&] { return std::string(quantity.name); });
}

}  // namespace

Answer evaluate(const Quantity& quantity, const Arguments& arguments) {
    Answer answer = quantity.evaluate(arguments);
    require_ordered(quantity, answer.values);
    return answer;
}

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
    if (quantity.curve != nullptr) {
        std::vector<Enclosure> curve = quantity.curve(orders, arguments);
        require_ordered(quantity, curve);
        return curve;
    }
    std::vector<Enclosure> values(orders.size(), quantity.trivial_value);
    Arguments at = arguments;
    for (std::size_t i = 0; i < orders.size() && ThreadClock::now() < arguments.deadline; ++i) {
        at.set("alpha", orders[i]);
        values[i] = evaluate(quantity, at).values.front();
    }
    return values;
}

}  // namespace assay::formulas
