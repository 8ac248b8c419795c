#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "assay/pld/jump_chain.hpp"

namespace assay {

/// sup over m adaptive steps of E f_a(ratio), f_a'' = t^{a-2}, a = 1 + slope <= 1.
class PowerDivergence {
public:
    PowerDivergence(const ChainMoments& moments, std::int64_t steps)
        : moments_(moments), steps_(static_cast<double>(steps)) {}

    [[nodiscard]] double operator()(double slope) const {
        const double linear = steps_ * moments_.divergence;
        const double b = -1.0 - slope;  // a = -b
        if (b <= 0.0) return linear;
        // log E W^{1+b} is convex in b and 0 at 0: chords.
        double left_b = 0.0;
        double left = 0.0;
        for (const MomentBound& moment : moments_.moments) {
            const double right_b = moment.order - 1.0;
            if (!std::isfinite(moment.log_moment)) break;
            if (right_b >= b) {
                const double part = (b - left_b) / (right_b - left_b);
                const double log_moment = left + part * (moment.log_moment - left);
                return std::expm1(steps_ * log_moment) / (b * (1.0 + b)) * (1.0 + 64.0 * 0x1p-53) +
                       1e-300;
            }
            left_b = right_b;
            left = moment.log_moment;
        }
        return std::numeric_limits<double>::infinity();
    }

    /// Beyond it the moments of so many steps grow too fast to be of use.
    [[nodiscard]] double steepest() const {
        double order = 1.0;
        for (const MomentBound& moment : moments_.moments) {
            if (!(steps_ * moment.log_moment <= 0.3)) break;
            order = moment.order;
        }
        return -order;  // a = 1 - order: the moment of order 1 - a
    }

private:
    const ChainMoments& moments_;
    double steps_;
};

}  // namespace assay
