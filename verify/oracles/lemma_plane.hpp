#pragma once
#include <vector>

namespace assay::verify::lemma {

using real = long double;

/// One normal distribution N((x, y), I) of a mixture.
struct Component {
    real weight;
    real x;
    real y;
};
/// Weights sum to 1; what is missing from 1 sits at the origin.
using Mixture = std::vector<Component>;

/// q N_(x,y) + (1-q) N_0.
[[nodiscard]] Mixture shifted(double q, real x, real y);

/// F = E[P^order Q^{1-order}], z ~ N(0, I) in the plane, P and Q relative to N(0, I).
///   Maths      F - 1 = E[Q (rho^order - 1 - order (rho - 1))], rho = P/Q: an integrand >= 0,
///              summed over a lattice in long double. The lattice error is bounded on a strip
///              (docs/proofs.md, H), every node's rounding moves it to the safe side.
///   Cost       2 to 10 ms; one row of nodes where all shifts lie on the first axis
struct MomentAttack {
    double order;
    Mixture p;
    Mixture q;
};

/// A number that F - 1 is not below; -1 where nothing is known.
[[nodiscard]] real excess_lower(const MomentAttack& attack);
/// A number that F - 1 is not above; infinite where nothing is known.
[[nodiscard]] real excess_upper(const MomentAttack& attack);

/// A number that the divergence log F / (order - 1) is not below; 0 where nothing is known.
[[nodiscard]] double divergence_at_least(const MomentAttack& attack);

}  // namespace assay::verify::lemma
