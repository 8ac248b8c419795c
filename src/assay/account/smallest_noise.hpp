#pragma once
#include "assay/numeric/threshold_search.hpp"
#include "assay/privacy/adjacency.hpp"
#include "assay/privacy/release.hpp"

namespace assay {

/// The smallest noise multiplier for which the release is (eps, delta)-private, from both sides:
/// `sufficient` is enough, `insufficient` is not. Phases whose noise multiplier is 0 get it, one
/// for all; the others keep theirs.
///   Maths      delta falls with the noise (docs/proofs.md, A.7); brackets of delta
///   Domain     eps >= 0 finite, 0 < delta < 1, noise from 0.05 on
///   Direction  `sufficient` is safe
///   Errors     precision() exceeds `precision` where the brackets of delta hide it (a dominating
///              pair that is not attained), or where noise 0.05 is enough
///   Throws     DomainError, also where no noise below 10^12 is seen to be enough;
///              UnsupportedMechanism where no theorem covers sampler and adjacency
///   Cost       about ten brackets of delta
[[nodiscard]] Threshold smallest_noise_multiplier(const Release& release, double epsilon,
                                                  double delta, double precision = 1e-3);

/// The release with this noise multiplier wherever it is 0.
[[nodiscard]] Release with_noise(Release release, double noise_multiplier);

/// The same for steps of one sampler, whatever noise multiplier it has.
[[nodiscard]] Threshold smallest_noise_multiplier(const Phase& phase, Adjacency adjacency,
                                                  double epsilon, double delta,
                                                  double precision = 1e-3);

}  // namespace assay
