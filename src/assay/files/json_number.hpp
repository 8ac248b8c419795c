#pragma once
#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include "assay/numeric/errors.hpp"
#include "assay/numeric/number_text.hpp"

namespace assay {

/// A double in nlohmann's JSON, to the bit: what JSON lacks as the texts "inf" and "-inf", NaN as
/// null.
template <class Json>
[[nodiscard]] Json number_to_json(double x) {
    if (std::isnan(x)) return nullptr;
    return std::isinf(x) ? Json(number_to_text(x)) : Json(x);
}

/// The inverse.
///   Throws     Error for any other text; what Json throws where it is neither text nor number
template <class Json>
[[nodiscard]] double number_from_json(const Json& json) {
    if (json.is_null()) return std::numeric_limits<double>::quiet_NaN();
    if (!json.is_string()) return json.template get<double>();
    const auto text = json.template get<std::string>();
    const std::optional<double> x = number_from_text(text);
    if (!x || !std::isinf(*x)) throw Error("'" + text + "' is no number");
    return *x;
}

}  // namespace assay
