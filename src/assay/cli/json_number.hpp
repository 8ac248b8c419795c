#pragma once
#include <cmath>
#include <nlohmann/json.hpp>

namespace assay::cli {

using Json = nlohmann::ordered_json;

/// A number as JSON: "inf" and "-inf" as texts, which JSON lacks; null for an expression without a
/// value; no negative zero.
[[nodiscard]] inline Json json_number(double x) {
    if (std::isnan(x)) return nullptr;
    if (std::isinf(x)) return x > 0.0 ? "inf" : "-inf";
    return x == 0.0 ? 0.0 : x;
}

}  // namespace assay::cli
