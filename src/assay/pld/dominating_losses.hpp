#pragma once
#include <cstdint>
#include <vector>

#include "assay/numeric/bound.hpp"
#include "assay/privacy/adjacency.hpp"
#include "assay/privacy/mechanism.hpp"

namespace assay {

/// A privacy loss distribution in the form that other libraries read: masses of the numerator's
/// distribution on losses that are multiples of a step, and its mass at infinite loss. It
/// dominates:
///   delta(epsilon) <= infinity_mass + sum over losses l > epsilon of mass (1 - e^{epsilon - l})
/// for every real epsilon, all errors of this library's included. Composed exactly (convolution) it
/// dominates compositions (docs/proofs.md F.2, R.6).
struct DominatingLosses {
    double step = 0.0;           // nats
    std::int64_t first = 0;      // masses[i] is at the loss step (first + i)
    std::vector<double> masses;  // may add up to a few ulp more than 1
    double infinity_mass = 0.0;
};

/// Of one repetition, in both directions: removal is D(P || Q), addition D(Q || P).
struct DominatingLossPair {
    DominatingLosses removal;
    DominatingLosses addition;
    Theorem theorem;
};

/// Of one step of a sampler that draws every batch anew.
///   Maths      the dominating pair discretised upwards (docs/proofs.md R.2, R.5); each mass is
///              raised by what rounding may have cost, and a share of it put one point further
///   Domain     step in (1e-6, 1], of which the next smaller number of 12 bits is taken; negligible
///              in (0, 1e-3]: the mass that may leave for infinity
///   Direction  upper                     Cost  1 us a grid point
///   Throws     DomainError, UnsupportedMechanism
[[nodiscard]] DominatingLossPair dominating_losses(const Mechanism& mechanism, Adjacency adjacency,
                                                   double step, double negligible = 1e-20);

}  // namespace assay
