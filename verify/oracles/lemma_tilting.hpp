#pragma once
#include "verify/oracles/interval.hpp"

namespace assay::verify::lemma {

/// A sum of T independent losses under the tilted distribution (docs/proofs.md, I): K, mean,
/// variance, and C times the sum of the third absolute central moments over the deviation cubed, C
/// = 0.56.
struct TiltedSum {
    Interval tilt;
    Interval log_mgf;
    Interval mean;
    Interval variance;
    Interval distance;
};

/// T-fold randomised response: L = +-e0, the upper one with probability e^{e0}/(1+e^{e0}).
[[nodiscard]] TiltedSum randomised_response(double e0, long T, double tilt, long bits);
/// Its delta(eps) = E(1 - e^{eps-L})_+.
[[nodiscard]] Interval randomised_response_delta(double e0, long T, double eps, long bits);

/// T steps of the Gaussian mechanism with shift c.
[[nodiscard]] TiltedSum gaussian_steps(double c, long T, double tilt, long bits);

/// Proposition 6 (b): what it says delta(eps) is at least; may be negative.
[[nodiscard]] Interval closed_form_bound(const TiltedSum& sum, double eps);
/// Proposition 6 (c) with `count` windows of equal width from eps to mean + 3 deviations; 0 where
/// that is no interval.
[[nodiscard]] Interval window_bound(const TiltedSum& sum, double eps, int count);
/// Proposition 6 (d) for T Gaussian steps and the threshold z.
[[nodiscard]] Interval event_bound(double c, long T, double eps, double z, long bits);

}  // namespace assay::verify::lemma
