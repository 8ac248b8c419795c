#pragma once
#include <functional>
#include <optional>

#include "assay/numeric/enclosure.hpp"

namespace assay {

/// Where a quantity that falls with x > 0 passes a target, from enclosures of it alone.
struct Threshold {
    double insufficient = 0.0;  // the quantity exceeds the target there for certain; 0: none seen
    double sufficient = 0.0;    // it does not, for certain
    Enclosure value;            // at `sufficient`

    /// How far the two are apart, relative to the larger one.
    [[nodiscard]] double precision() const { return 1.0 - insufficient / sufficient; }
};

/// An enclosure at x, at best of that relative width. It may throw WorkEnded to end the search.
using ValueWithin = std::function<Enclosure(double x, double tolerance)>;

/// The first of 1, 2, 4, .. up to `most` where the quantity is at most the target for certain, and
/// its enclosure there; none where it was not seen to be.
struct SufficientPlace {
    double x;
    Enclosure value;
};
[[nodiscard]] std::optional<SufficientPlace> first_sufficient(const ValueWithin& value_at,
                                                              double target, double most);

/// Searches between `low` and a place that is sufficient, by interpolation of the logarithm.
///   Domain     0 < low <= high.x, 0 < target, high.value.upper <= target, 0 < precision < 1
///   Direction  both ends are certified by the enclosures, whatever was interpolated
///   Errors     precision() exceeds what was asked for where the enclosures are too wide, or where
///              `low` is sufficient
[[nodiscard]] Threshold find_threshold(const ValueWithin& value_at, double target, double low,
                                       const SufficientPlace& high, double precision);

}  // namespace assay
