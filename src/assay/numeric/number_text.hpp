#pragma once
#include <charconv>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace assay {

/// A double with 17 significant digits, so that it reads back to the same bits; "inf", "-inf".
///   Throws     DomainError on NaN
[[nodiscard]] std::string number_to_text(double value);

/// The double nearest to a decimal text, the whole of it; beyond the range +-inf, below it 0 or a
/// subnormal. Nothing for any other text; "inf" and "-inf" are read, "nan" is not.
[[nodiscard]] std::optional<double> read_decimal(std::string_view text);

/// The same, but nothing for a finite decimal beyond the range of double and for "infinity".
[[nodiscard]] std::optional<double> number_from_text(std::string_view text);

/// Whether a decimal text that reads as 0 is another number, too small for a double.
[[nodiscard]] bool is_underflow(std::string_view text);

/// The first number of which `holds` is true among the words of a document that stand in no
/// quotation marks and, in a line, behind no "#"; empty where there is none. For formats whose
/// parsers change some numbers.
[[nodiscard]] std::string_view number_in(std::string_view document,
                                         bool (*holds)(std::string_view));

/// The integer of a decimal text, the whole of it, with "-" alone for a sign; nothing for any other
/// text or where it is beyond the range of its type.
template <std::integral Integer>
[[nodiscard]] std::optional<Integer> read_integer(std::string_view text) {
    Integer value{};
    const char* const end = text.data() + text.size();
    const auto [stop, fault] = std::from_chars(text.data(), end, value);
    if (stop != end || fault != std::errc{}) return std::nullopt;
    return value;
}

/// x as an integer, when it is one of magnitude at most 2^53.
[[nodiscard]] std::optional<std::int64_t> as_integer(double x);

/// `x` with `digits` significant digits, moved up (or down) where rounding would cross x: what is
/// printed of an upper bound is one too.
[[nodiscard]] std::string text_not_below(double x, int digits = 8);
[[nodiscard]] std::string text_not_above(double x, int digits = 8);

}  // namespace assay
