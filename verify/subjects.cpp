#include "verify/subjects.hpp"

#include <fmt/format.h>

#include "assay/formulas/quantities.hpp"
#include "assay/numeric/errors.hpp"

namespace assay::verify {

namespace {

const formulas::Quantity& quantity_named(std::string_view name) {
    const formulas::Quantity* quantity = formulas::find_quantity(name);
    if (quantity == nullptr) throw Error(fmt::format("no quantity {}", name));
    return *quantity;
}

}  // namespace

Enclosure library_answer(std::string_view quantity_name, const Point& point) {
    const formulas::Quantity& quantity = quantity_named(quantity_name);
    formulas::Arguments arguments;
    for (const formulas::Parameter& parameter : quantity.parameters)
        if (point.has(parameter.name)) arguments.set(parameter.name, point[parameter.name]);
    return formulas::evaluate(quantity, arguments).values.front();
}

Enclosure library_answer(std::string_view quantity_name, const Parameters& parameters) {
    formulas::Arguments arguments;
    for (const auto& [name, value] : parameters) arguments.set(name, value);
    return formulas::evaluate(quantity_named(quantity_name), arguments).values.front();
}

}  // namespace assay::verify
