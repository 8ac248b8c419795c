#pragma once
#include <vector>

#include "assay/pld/privacy_loss_pmf.hpp"

namespace assay {

/// A majorant of x -> E (xS - 1)_+ for a ratio S, whose density of log thresholds never falls:
///   E (xS - K)_+ <= e^{a+s} (sum_j rises[j] f_{s_j}(x) + infinity_mass x),  log s_j = log K - s
///   + thresholds[j],  f_s(x) = int_{log s}^inf (x - e^y)_+ dy = (x log(x/s) - x + s) 1{x >= s}
/// with a = mass_error, s = loss_error (docs/proofs.md, one jump).
struct RisingThresholds {
    std::vector<double> thresholds;  // increasing
    std::vector<double> rises;       // of the density, positive
    double infinity_mass = 0.0;
    double mass_error = 0.0;
    double loss_error = 0.0;
};

/// The least such density above that of S's distribution, each atom of which is first spread evenly
/// over `width` grid steps of log thresholds, its mean threshold kept or lowered.
///   Domain  an upper distribution, tilted or not; width >= 1            Throws  DirectionError,
///   DomainError
[[nodiscard]] RisingThresholds rising_thresholds(const PrivacyLossPmf& distribution, int width = 1);

}  // namespace assay
