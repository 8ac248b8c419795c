#pragma once
#include <optional>
#include <vector>

#include "verify/oracles/trapezoid_line.hpp"
#include "verify/oracles/trapezoid_strip.hpp"

namespace assay::verify::trapezoid {

struct LineCell {
    long first;
    long last;
    [[nodiscard]] long nodes() const { return last - first + 1; }
};

/// Which nodes k h of the sum of e^psi, psi(z) = order log P - (order-1) log Q - z^2/2, are added
/// up.
struct LinePlan {
    double step = 0.0;
    double scale = 0.0;  // the sum is of e^{psi - scale}; any number is valid
    std::vector<LineCell> kept;
    long nodes = 0;
    double magnitude = 1.0;                // of the parts of psi on kept cells
    Interval omitted{0.0, planning_bits};  // its upper end is at least the sum over all others
};

/// Leaves out about e^-nats of e^scale; nothing when too many nodes remain.
[[nodiscard]] std::optional<LinePlan> plan_line(const LineMoment& moment, double step, double nats);

}  // namespace assay::verify::trapezoid
