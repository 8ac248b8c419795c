#pragma once
#include <nlohmann/json.hpp>

#include "assay/files/json_number.hpp"

namespace assay::cli {

using Json = nlohmann::ordered_json;

/// A number as JSON (files/json_number.hpp): null for an expression without a value; no negative
/// zero.
[[nodiscard]] inline Json json_number(double x) {
    return number_to_json<Json>(x == 0.0 ? 0.0 : x);
}

}  // namespace assay::cli
