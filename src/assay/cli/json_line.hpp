#pragma once
#include <string>

#include "assay/cli/json_number.hpp"

namespace assay::cli {

/// The object that a line of JSON Lines holds; numbers that no double is near become texts.
///   Throws     Error, one line: not JSON, not an object, nested deeper than 32
[[nodiscard]] Json parse_object(std::string line);

}  // namespace assay::cli
