#pragma once
#include "verify/oracles/interval.hpp"

namespace assay::verify::arb {

/// Two coordinates (z1, z2), N(0, I) under Q, and their likelihood ratio:
///   mixture    W(z1) W(z2), W(z) = 1 - q + q e^{cz - c^2/2}: two steps of a sampled record
///   bins       (e^{c z1 - c^2/2} + e^{c z2 - c^2/2})/2: one epoch of two batches
struct TwoSteps {
    enum class Kind { mixture, bins };
    Kind kind = Kind::mixture;
    double hits = 1.0;  // c = hits / sigma
    double sigma = 1.0;
    double q = 0.5;  // 0 < q < 1; of a mixture
};

/// The probability that the ratio lies above its value at (z, z) (else below it), under P or Q: a
/// test of Neyman and Pearson. By one integral of acb_calc_integrate along z1, in z2 by erfc.
[[nodiscard]] Interval probability(const TwoSteps& steps, double z, bool under_p, bool above,
                                   long bits);

}  // namespace assay::verify::arb
