#pragma once

namespace assay {

/// Which side of a distribution in convex order its discretisation stands on: `above` spreads the
/// mass of a cell over the two ends of the cell, `below` gathers it in the barycentre.
enum class ConvexSide { below, above };

/// Rounding of a discretised distribution: masses are right up to a factor e^{+-mass}, positions up
/// to a factor e^{+-position} (docs/error_bounds.md#convex-order).
struct DistributionRounding {
    double mass = 0.0;
    double position = 0.0;
};

}  // namespace assay
