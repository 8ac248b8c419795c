#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace assay {

/// A double with 17 significant digits, so that it reads back to the same bits; "inf", "-inf".
///   Throws     DomainError on NaN
[[nodiscard]] std::string number_to_text(double value);

/// The nearest double to a decimal text, "inf" and "-inf" included; nothing for any other text,
/// NaN, trailing characters, or a finite decimal beyond the range of double.
[[nodiscard]] std::optional<double> number_from_text(std::string_view text);

}  // namespace assay
