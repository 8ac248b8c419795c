#include "assay/numeric/number_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "assay/numeric/errors.hpp"

namespace assay {

namespace {

/// Rounds to `digits` and repeats with a slightly larger (smaller) number until it is on its side.
std::string directed_text(double x, int digits, double sign) {
    if (!std::isfinite(x)) return fmt::format("{}", x);
    double moved = x;
    for (;;) {
        std::string text = fmt::format("{:.{}g}", moved, digits);
        const double printed = read_decimal(text).value_or(x);
        if (sign * printed >= sign * x) return text;
        moved = moved + sign * std::fabs(x) * std::pow(10.0, -digits);
    }
}

}  // namespace

std::string number_to_text(double value) {
    if (std::isnan(value))
        throw DomainError("value", "nan", "a number that is recorded is not NaN");
    return fmt::format("{:.17g}", value);
}

std::optional<double> number_from_text(std::string_view text) {
    const std::optional<double> value = read_decimal(text);
    const bool is_infinite = value && std::isinf(*value);
    if (is_infinite && text != "inf" && text != "-inf") return std::nullopt;
    return value;
}

std::optional<double> read_decimal(std::string_view text) {
    double value = 0.0;
    const char* const end = text.data() + text.size();
    const auto [stop, fault] = std::from_chars(text.data(), end, value);
    if (stop != end || fault == std::errc::invalid_argument) return std::nullopt;
    // Out of range: from_chars leaves open on which side; strtod gives the nearest double.
    if (fault == std::errc::result_out_of_range)
        value = std::strtod(std::string(text).c_str(), nullptr);
    if (std::isnan(value)) return std::nullopt;
    return value;
}

bool is_underflow(std::string_view text) {
    const std::string_view digits = text.substr(0, text.find_first_of("eE"));
    return read_decimal(text) == 0.0 && digits.find_first_of("123456789") != digits.npos;
}

std::string_view number_in(std::string_view document, bool (*holds)(std::string_view)) {
    constexpr std::string_view parts = "0123456789+-.eE_";
    for (std::size_t i = 0; i < document.size();) {
        const char c = document[i];
        if (c == '"' || c == '\'') {
            for (++i; i < document.size() && document[i] != c && document[i] != '\n'; ++i)
                if (document[i] == '\\' && c == '"') ++i;
            ++i;
        } else if (c == '#') {
            i = std::min(document.find('\n', i), document.size());
        } else if (parts.find(c) == parts.npos) {
            ++i;
        } else {
            const std::size_t end = std::min(document.find_first_not_of(parts, i), document.size());
            const std::string_view word = document.substr(i, end - i);
            std::string number(word.substr(word.front() == '+' ? 1 : 0));
            std::erase(number, '_');
            if (holds(number)) return word;
            i = end;
        }
    }
    return {};
}

std::optional<std::int64_t> as_integer(double x) {
    if (!(std::fabs(x) <= 0x1p53) || std::floor(x) != x) return std::nullopt;
    return static_cast<std::int64_t>(x);
}

std::string text_not_below(double x, int digits) {
    return directed_text(x, digits, 1.0);
}

std::string text_not_above(double x, int digits) {
    return directed_text(x, digits, -1.0);
}

}  // namespace assay
