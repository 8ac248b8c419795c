#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "assay/numeric/bound.hpp"
#include "assay/privacy/adjacency.hpp"
#include "assay/privacy/mechanism.hpp"
#include "assay/rdp/one_step.hpp"

namespace assay {

/// Rényi divergences at increasing orders, all on the same side and under one adjacency.
struct RdpCurve {
    Adjacency adjacency = Adjacency::add_remove;
    Direction direction = Direction::upper;
    std::vector<Theorem> theorems;  // every theorem that any part rests on, without repetition
    std::vector<double> orders;     // increasing, > 1
    std::vector<double> epsilons;   // nats

    /// `published` when all theorems are.
    [[nodiscard]] Standing standing() const;
};

/// The exact curve of one step, from the side asked for (upper or lower).
[[nodiscard]] RdpCurve exact_curve(const Mechanism& mechanism, Adjacency adjacency,
                                   Direction direction, std::span<const double> orders);

/// `steps` adaptive repetitions: epsilons times steps, rounded to the curve's side. steps >= 1.
[[nodiscard]] RdpCurve repeated(const RdpCurve& curve, std::int64_t steps);

/// Adaptive composition of two parts: epsilons add. Throws DirectionError unless adjacency,
/// direction and orders agree; estimates cannot be composed.
[[nodiscard]] RdpCurve composed(const RdpCurve& first, const RdpCurve& second);

/// The smallest epsilon of the curve at delta by the canonne2020 conversion, and its order.
/// For an upper curve an upper bound of epsilon; a lower curve bounds only the conversion.
struct CurveEpsilon {
    Bound epsilon;
    double order = 0.0;
};
[[nodiscard]] CurveEpsilon curve_epsilon(const RdpCurve& curve, double delta);

}  // namespace assay
