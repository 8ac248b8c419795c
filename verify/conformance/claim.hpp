#pragma once
#include <string>
#include <string_view>

#include "verify/trial_json.hpp"

namespace assay::verify {

/// What an accountant says to one question.
struct Claim {
    enum class Kind { upper, lower, estimate, interval, unsupported, error, malformed };
    Kind kind = Kind::malformed;
    double low = 0.0;   ///< the value, or the lower end of an interval; may be NaN
    double high = 0.0;  ///< the value, or the upper end
    std::string text;   ///< the reason, the exception's text, what is malformed
};

/// "upper", "lower", "estimate", "interval", ...
[[nodiscard]] std::string_view to_string(Claim::Kind kind);

/// The claim of an answer: {"value", "claims"}, {"interval"}, {"unsupported"} or {"error"}. Numbers
/// may be texts. What is none of these is malformed and says why; nothing is thrown.
[[nodiscard]] Claim claim_of(const Json& answer);

/// The JSON object of a line, from its first brace on: what an adapter prints without a line's end
/// before it is skipped, and the bare NaN and Infinity that Python prints and numbers beyond
/// doubles are read as texts. What is nested deeper than any answer is left out. A discarded value
/// where there is no object with an id.
[[nodiscard]] Json object_of_line(std::string_view line);

}  // namespace assay::verify
