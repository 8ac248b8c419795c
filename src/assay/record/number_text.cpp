#include "assay/record/number_text.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>

#include "assay/numeric/errors.hpp"

namespace assay {

std::string number_to_text(double value) {
    if (std::isnan(value))
        throw DomainError("value", "nan", "a number that is recorded is not NaN");
    return fmt::format("{:.17g}", value);
}

std::optional<double> number_from_text(std::string_view text) {
    if (text == "inf") return std::numeric_limits<double>::infinity();
    if (text == "-inf") return -std::numeric_limits<double>::infinity();
    double value = 0.0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failure != std::errc{} || end != text.data() + text.size() || !std::isfinite(value))
        return std::nullopt;
    return value;
}

}  // namespace assay
