#pragma once
#include <optional>
#include <string>

#include "verify/check.hpp"

namespace assay::verify {

enum class Verdict { holds, violated, undecided };

[[nodiscard]] constexpr std::string_view to_string(Verdict verdict) {
    switch (verdict) {
        case Verdict::holds: return "holds";
        case Verdict::violated: return "violated";
        default: return "undecided";
    }
}

/// What came out at one point.
struct Trial {
    Point point;
    Verdict verdict = Verdict::undecided;
    /// Distance to a violation relative to the truth: s.upper/t - 1 for an upper bound, and so on;
    /// negative when violated.
    double margin = 0.0;
    double width = 0.0;  // (s.upper - s.lower) / |t|
    long bits = 0;       // the precision that decided
    Enclosure subject;
    std::string truth_lower;  // 20 digits, outward
    std::string truth_upper;
    std::string note;  // why: too wide, the error thrown, ...
};

struct JudgeLimits {
    long first_bits = 64;
    long last_bits = 4096;
    double seconds = 10.0;  // no further doubling that would probably end after this time
};

/// Decides the check at one point: the oracle's precision is doubled until both its ends are on the
/// same side of what is compared. An exception out of the subject is a violation, out of the oracle
/// leaves the point undecided.
[[nodiscard]] Trial judge(const Check& check, const Point& point, const JudgeLimits& limits = {});

}  // namespace assay::verify
