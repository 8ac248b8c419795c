#include "verify/subjects.hpp"

#include <fmt/format.h>

#include "assay/cli/quantities.hpp"
#include "assay/numeric/errors.hpp"

namespace assay::verify {

namespace {

const cli::Quantity& quantity_named(std::string_view name) {
    const cli::Quantity* quantity = cli::find_quantity(name);
    if (quantity == nullptr) throw Error(fmt::format("no quantity {}", name));
    return *quantity;
}

}  // namespace

Enclosure library_answer(std::string_view quantity_name, const Point& point) {
    const cli::Quantity& quantity = quantity_named(quantity_name);
    cli::Arguments arguments;
    for (const cli::Parameter& parameter : quantity.parameters)
        if (point.has(parameter.name)) arguments.set(parameter.name, point[parameter.name]);
    return cli::evaluate(quantity, arguments).values.front();
}

Enclosure library_answer(const std::string& quantity_name, const std::string& params) {
    const cli::Quantity& quantity = quantity_named(quantity_name);
    return cli::evaluate(quantity,
                         cli::read_arguments(quantity.parameters, cli::Json::parse(params)))
        .values.front();
}

}  // namespace assay::verify
