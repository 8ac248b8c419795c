#pragma once
#include <functional>

#include "assay/numeric/enclosure.hpp"

namespace assay {

/// Where a quantity that falls with x > 0 passes a target, from enclosures of it alone.
struct Threshold {
    double insufficient = 0.0;  // the quantity exceeds the target there for certain; 0: none seen
    double sufficient = 0.0;    // it does not, for certain
    Enclosure value;            // at `sufficient`

    /// How far the two are apart, relative to the larger one.
    [[nodiscard]] double precision() const { return (sufficient - insufficient) / sufficient; }
};

/// Searches between `low` and `high`, where the quantity has the enclosure `at_high`, by
/// interpolation of its logarithm.
///   value_at   (x, tolerance): an enclosure, at best of that relative width
///   Domain     0 < low <= high, 0 < target, at_high.upper <= target, 0 < precision < 1
///   Direction  both ends are certified by the enclosures, whatever was interpolated
///   Errors     precision() exceeds what was asked for where the enclosures are too wide, or where
///              `low` is sufficient
[[nodiscard]] Threshold find_threshold(
    const std::function<Enclosure(double x, double tolerance)>& value_at, double target, double low,
    double high, const Enclosure& at_high, double precision);

}  // namespace assay
