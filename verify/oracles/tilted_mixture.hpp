#pragma once
#include "verify/oracles/lemma_tilting.hpp"

namespace assay::verify::lemma {

/// T steps of the pair P = (1-q) N(0,1) + q N(c,1) against N(0,1), 0 < q < 1, under the tilted
/// distribution. The third absolute moments are replaced by what docs/proofs.md bounds them by, the
/// square root of the product of the second and the fourth central one.
///   Maths      trapezoid sums of W^{theta+1} L^k phi, W = dP/dQ, L = log W, which is analytic for
///              |Im z| < pi/c; step 2 pi a/(0.7 bits + 40) for a = min(2, pi/(2c)), so that the
///              sums err by less than 2^-bits of the sizes of their terms, which they are widened
///              by
[[nodiscard]] TiltedSum mixture_steps(double c, double q, long T, double tilt, long bits);

}  // namespace assay::verify::lemma
