#pragma once
#include <initializer_list>
#include <string_view>
#include <utility>

#include "assay/formulas/arguments.hpp"
#include "assay/numeric/enclosure.hpp"
#include "verify/point.hpp"

namespace assay::verify {

/// What `assay eval` answers for the quantity at the point, before it is printed: the first value
/// where there are several. Coordinates that the quantity has no parameter for are ignored.
///   Throws     Error for an unknown quantity; whatever the library throws
[[nodiscard]] Enclosure library_answer(std::string_view quantity, const Point& point);

/// The same for a quantity with texts or lists among its parameters.
using Parameters = std::initializer_list<std::pair<std::string_view, formulas::Arguments::Value>>;
[[nodiscard]] Enclosure library_answer(std::string_view quantity, const Parameters& parameters);

}  // namespace assay::verify
