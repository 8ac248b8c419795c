#pragma once
#include <string>
#include <string_view>

#include "assay/account/bracket.hpp"
#include "assay/cli/release_input.hpp"

namespace assay::cli {

/// What was asked and found: `wanted` (epsilon) at `given` (delta) = given_value, or the reverse.
struct BracketReport {
    std::string_view wanted;
    std::string_view given;
    double given_value = 0.0;
    Bracket bracket;
    std::string orders = "continuous";  // or the grid as it was asked
    std::string accountant = "best";
};

/// A bound for a reader, rounded to its side; the same with theorem and standing, for a program.
[[nodiscard]] std::string side_text(const Bound& bound);
[[nodiscard]] Json side_json(const Bound& bound, double order = 0.0);
/// One row of a report: label, value, order (where > 1), theorem.
[[nodiscard]] std::string side_line(std::string_view label, const Bound& bound, double order = 0.0);

/// For a reader: the bracket, the order and theorem of each side, the best published bound, the
/// phases and the assumptions. Printed bounds are rounded to their side.
[[nodiscard]] std::string report_text(const BracketReport& report, const ReleaseInput& input);

/// The same for a program; both standings always, numbers to the last bit.
[[nodiscard]] Json report_json(const BracketReport& report, const ReleaseInput& input);

}  // namespace assay::cli
