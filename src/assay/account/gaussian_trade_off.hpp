#pragma once
#include "assay/account/divergence_profile.hpp"
#include "assay/numeric/enclosure.hpp"

namespace assay {

/// The trade-off function of N(0, 1) against N(mu, 1), mu >= 0 within the shift.
///   Maths      TPR(a) = Phi(Phi^-1(a) + mu) (dong2019 equation (6))
///   Direction  enclosure; relative width about 1e-13 mu at levels down to 1e-300
[[nodiscard]] Enclosure gaussian_true_positive_rate(const GaussianShift& shift, double fpr);
[[nodiscard]] Enclosure gaussian_type_two_error(const GaussianShift& shift, double fpr);

/// mu = Phi^-1(power) - Phi^-1(fpr), from the smaller of each number and its complement.
///   Domain     0 < fpr < 1; power in [0, 1]: -inf and inf at its ends
struct Chance {
    real is = 0.0L;
    real is_not = 0.0L;
};
[[nodiscard]] real gaussian_shift_below(const Chance& fpr, const Chance& power);
[[nodiscard]] real gaussian_shift_above(const Chance& fpr, const Chance& power);

}  // namespace assay
