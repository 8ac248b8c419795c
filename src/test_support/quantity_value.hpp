#pragma once
#include <initializer_list>
#include <string_view>
#include <utility>

#include "assay/formulas/quantities.hpp"

namespace assay::test_support {

/// The first value of a quantity of `assay eval` where its parameters are numbers.
inline Enclosure quantity_value(
    std::string_view name, std::initializer_list<std::pair<std::string_view, double>> parameters) {
    formulas::Arguments arguments;
    for (const auto& [parameter, value] : parameters) arguments.set(parameter, value);
    return evaluate(*formulas::find_quantity(name), arguments).values.front();
}

}  // namespace assay::test_support
