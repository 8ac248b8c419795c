#pragma once
#include <string>

#include "assay/numeric/enclosure.hpp"
#include "verify/point.hpp"

namespace assay::verify {

/// What `assay eval` answers for the quantity at the point, before it is printed: the first value
/// where there are several. Coordinates that the quantity has no parameter for are ignored.
///   Throws     Error for an unknown quantity; whatever the library throws
[[nodiscard]] Enclosure library_answer(std::string_view quantity, const Point& point);

/// The same for a quantity with texts or lists among its parameters, read from JSON.
[[nodiscard]] Enclosure library_answer(const std::string& quantity, const std::string& params);

}  // namespace assay::verify
