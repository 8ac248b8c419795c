#pragma once
#include <span>
#include <vector>

#include "assay/pld/hockey_stick.hpp"

namespace assay {

/// log E W^order <= log_moment, order > 1.
struct MomentBound {
    double order = 0.0;
    double log_moment = 0.0;
};

/// D(y) = int_y^inf E (W - e^v)_+ dv = E f_{e^y}(W), the function of RisingThresholds, from above.
///   Maths   between nodes v -> E (W - e^v)_+ is below its chord in e^v (convex), D below its chord
///           in y (convex); beyond the last node E (W - s)_+ <= s^{1-a} E W^a (1/a)(1 - 1/a)^{a-1}
///   Cost    one answer of each distribution a node, once
class EntropicTail {
public:
    /// From `first` on, in steps of `step`, until D is below `negligible` by the moments.
    ///   Domain  upper distributions; step > 0, negligible > 0     Throws  DomainError,
    ///   DirectionError
    EntropicTail(std::span<const HockeyStick> distributions, std::span<const MomentBound> moments,
                 double first, double step, double negligible);

    /// +inf below the first node.
    [[nodiscard]] double operator()(double y) const;

private:
    double first_;
    double step_;
    std::vector<double> values_;  // at the nodes
};

}  // namespace assay
