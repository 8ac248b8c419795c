#pragma once
#include <string>

#include "assay/account/risk_target.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/privacy/release.hpp"

namespace assay {

/// The smallest noise multiplier that satisfies a target, from both sides.
struct Calibration {
    double sufficient = 0.0;    // enough for certain
    double insufficient = 0.0;  // not enough for certain; 0: no such noise was seen
    Bracket delta;              // at `sufficient`; of other targets what they limit
    std::string note;           // why the two are farther apart than was asked; empty: they are not

    /// How far the two are apart, relative to the larger one.
    [[nodiscard]] double precision() const { return 1.0 - insufficient / sufficient; }
};

/// No noise below 10^12 is seen to be enough, and whether one is is not decided: beside phases that
/// keep their noise the upper sides of the risk exceed the target.
class NoSufficientNoise : public DomainError {
public:
    NoSufficientNoise(const RiskTarget& target, Calibration seen);

    /// `sufficient` is infinity, and `delta` is the risk at `insufficient`, or at noise 1.
    [[nodiscard]] const Calibration& seen() const noexcept { return seen_; }

private:
    Calibration seen_;
};

/// Phases whose noise multiplier is 0 get the one that is looked for, one for all; the others keep
/// theirs.
///   Maths      every f-divergence falls with the noise (docs/proofs.md, A.7), hence delta, the
///              power of every test, mu and the advantage; brackets of what the target limits
///   Domain     targets as validate() has them; noise from 1e-8 on
///   Direction  `sufficient` is safe
///   Errors     precision() exceeds `precision` where the brackets hide it (a dominating
///              pair that is not attained, shuffling), or where noise 1e-8 is enough
///   Throws     DomainError, also where no phase has noise 0, and where certainly no noise below
///              10^12 is enough; NoSufficientNoise where none is seen to be; UnsupportedMechanism
///              where no theorem covers sampler and adjacency
///   Cost       about ten brackets of the risk
[[nodiscard]] Calibration calibrate(const Release& release, const PrivacyTarget& target,
                                    double precision = 1e-3, const Goal& goal = {});
/// The same for any target.
[[nodiscard]] Calibration calibrate(const Release& release, const RiskTarget& target,
                                    double precision = 1e-3, const Goal& goal = {});

/// A noise that is enough by published theorems alone, within about 1e-2 of the smallest such; inf
/// where none is seen. `found` is the answer of calibrate().
///   Cost       at most the work of Effort::quick, whatever the goal's effort
[[nodiscard]] double published_noise(const Release& release, const RiskTarget& target,
                                     const Calibration& found, const Goal& goal = {});

}  // namespace assay
