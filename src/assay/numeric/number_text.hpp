#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace assay {

/// A double with 17 significant digits, so that it reads back to the same bits; "inf", "-inf".
///   Throws     DomainError on NaN
[[nodiscard]] std::string number_to_text(double value);

/// The double nearest to a decimal text, the whole of it; beyond the range +-inf, below it 0 or a
/// subnormal. Nothing for any other text; "inf" and "-inf" are read, "nan" is not.
[[nodiscard]] std::optional<double> read_decimal(std::string_view text);

/// The same, but nothing for a finite decimal beyond the range of double and for "infinity".
[[nodiscard]] std::optional<double> number_from_text(std::string_view text);

/// x as an integer, when it is one of magnitude at most 2^53.
[[nodiscard]] std::optional<std::int64_t> as_integer(double x);

/// `x` with `digits` significant digits, moved up (or down) where rounding would cross x: what is
/// printed of an upper bound is one too.
[[nodiscard]] std::string text_not_below(double x, int digits = 8);
[[nodiscard]] std::string text_not_above(double x, int digits = 8);

}  // namespace assay
