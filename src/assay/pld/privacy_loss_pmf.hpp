#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "assay/numeric/bound.hpp"
#include "assay/privacy/adjacency.hpp"

namespace assay {

/// Discrete distribution of the likelihood ratio W = dP/dQ under Q, on the points e^{offset + step
/// k}; log W is the privacy loss. It stands on one side of the true distribution
/// (docs/error_bounds.md#privacy-loss):
///   upper  E (W - K)_+ <= e^{a+s} (E^ (W^ - K e^{-s})_+ + infinity_mass), and
///          E (1 - KW)_+ <= e^a (E^ (1 - K e^{-s} W^)_+ + null_mass)          for every K >= 0
///   lower  the reverse inequalities with -a, -s, without the two masses
/// where a = mass_error, s = loss_error. Composition adds both, times the number of factors.
struct PrivacyLossPmf {
    Direction direction = Direction::upper;
    Adjacency adjacency = Adjacency::add_remove;
    double step = 0.0;           // grid step h, nats
    double offset = 0.0;         // nats
    std::int64_t first = 0;      // the index k of masses[0]
    std::vector<double> masses;  // tilted: mass under Q is masses[i] e^{log_scale - tilt h k}
    double tilt = 0.0;           // 0: under Q, 1: under P
    double log_scale = 0.0;      // log of the tilted distribution's normaliser
    double infinity_mass = 0.0;  // under P, where Q has no mass (upper only)
    double null_mass = 0.0;      // under Q, where P has no mass (upper only)
    double below_p = 0.0;        // under P, below the first point (upper only)
    double above_q = 0.0;        // under Q, above the last point (upper only)
    double rounding = 0.0;       // every tilted mass is within this of the exact convolution's
    double aliased = 0.0;        // tilted mass that may have been added by wrapping round
    double mass_error = 0.0;     // a
    double loss_error = 0.0;     // s, nats

    [[nodiscard]] double loss(std::size_t i) const {
        return offset + step * static_cast<double>(first + static_cast<std::int64_t>(i));
    }
};

/// Throws DirectionError unless direction, adjacency and grid step agree, and neither is tilted or
/// an estimate.
void require_composable(const PrivacyLossPmf& one, const PrivacyLossPmf& other);

}  // namespace assay
