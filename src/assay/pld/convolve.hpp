#pragma once
#include <cstddef>
#include <span>

#include "assay/pld/chernoff.hpp"
#include "assay/pld/privacy_loss_pmf.hpp"

namespace assay {

/// Distribution of the product of all parts, by FFT, tilted by `tilt`.
///   Maths      masses under Q times e^{tilt * loss}, normalised; the spectra's powers multiply
///   Error      `rounding` bounds the error of every mass, whatever it is
///   (docs/error_bounds.md#fft);
///              mass that wraps round is bounded by Chernoff's inequality and put at infinity
///              (upper) or into `aliased` (lower)
///   Domain     parts that require_composable accepts; counts >= 1; at most `most_points` (a power
///              of 2) points, else the ends are cut and counted as above; where the moments at
///              `tilt` overflow no mass is placed, and all of it counts at the ends
///   Throws     DomainError, DirectionError
/// `widest`: the window holds losses up to it; beyond some 700 a HockeyStick counts from its
/// middle.
[[nodiscard]] PrivacyLossPmf convolve(std::span<const RepeatedLoss> parts, double tilt,
                                      std::size_t most_points = std::size_t{1} << 22U,
                                      double widest = 680.0);

}  // namespace assay
