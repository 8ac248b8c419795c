#pragma once
#include "assay/account/bracket.hpp"
#include "assay/account/divergence_profile.hpp"
#include "assay/account/trade_off_curve.hpp"
#include "assay/privacy/release.hpp"

namespace assay {

/// The curve of one record, made closer at one level as far as the work allows.
///   Maths      more samples of the profile around the slope there; below 1e-12, where grids of
///              losses may not resolve what decides, also TPR(a) <= e^epsilon a + delta with what
///              `epsilon` answers for some deltas
///   Direction  both sides, rounding included. `profile` gets the theorem of an upper side that is
///              taken from `epsilon`, and a note where the sides stay more than a factor of 2 apart
///   Domain     0 < level < 1
///   Throws     InternalError where `epsilon` and the profile contradict each other
///   Cost       below 1e-12 up to six questions, of half of the work that is left at most
[[nodiscard]] TradeOffCurve curve_at_level(const Release& release, const Goal& goal, double level,
                                           DivergenceProfile& profile, TradeOffCurve curve);

}  // namespace assay
