#pragma once
#include "assay/numeric/directed.hpp"

namespace assay {

/// Closed interval that contains an exact real number; lower <= upper, never NaN.
struct Enclosure {
    double lower = 0.0;
    double upper = 0.0;

    [[nodiscard]] bool contains(double x) const { return lower <= x && x <= upper; }
    /// (upper - lower) / max(|lower|, |upper|); 0 for a point, inf for an unbounded interval.
    [[nodiscard]] double relative_width() const;
    /// A point close to the middle; finite where the interval has a finite end.
    [[nodiscard]] double midpoint() const;

    friend bool operator==(const Enclosure&, const Enclosure&) = default;
};

/// The point interval {x}.
[[nodiscard]] Enclosure exactly(double x);

/// [value - error, value + error] rounded outward; error >= 0, inf gives the whole line.
[[nodiscard]] Enclosure enclose(real value, real absolute_error);

/// Outward-rounded [lower, upper] from extended precision ends.
[[nodiscard]] Enclosure enclose_between(real lower, real upper);

/// Smallest interval with both; and the common part, where both contain the same exact number.
/// Throws InternalError when they are disjoint: one of the two is then wrong.
[[nodiscard]] Enclosure hull(const Enclosure& a, const Enclosure& b);
[[nodiscard]] Enclosure intersect(const Enclosure& a, const Enclosure& b);

/// The interval cut to [floor, inf), for a quantity that a theorem keeps above `floor`.
[[nodiscard]] Enclosure at_least(const Enclosure& a, double floor);

}  // namespace assay
