#pragma once
#include <initializer_list>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/formulas/quantities.hpp"

namespace assay::test_support {

using Parameters = std::initializer_list<std::pair<std::string_view, formulas::Arguments::Value>>;

/// The values of a quantity of `assay eval`.
inline std::vector<Enclosure> quantity_values(std::string_view name, Parameters parameters) {
    formulas::Arguments arguments;
    for (const auto& [parameter, value] : parameters) arguments.set(parameter, value);
    return evaluate(*formulas::find_quantity(name), arguments).values;
}

inline Enclosure quantity_value(std::string_view name, Parameters parameters) {
    return quantity_values(name, parameters).front();
}

}  // namespace assay::test_support
