#pragma once

namespace assay {

/// What becomes of an example's gradient.
struct Clipping {
    long double factor = 1.0L;  // multiplies it
    double norm = 0.0;          // never below the true one; finite
    bool clipped = false;
    bool refused = false;  // the norm is not a finite number: the factor is 0
};

/// How far a norm may be off, and a scaled gradient beyond its norm, relative: 2^-20 for float,
/// 2^-40 for double (docs/error_bounds.md#clipping).
template <class Real>
inline constexpr double clipping_budget = sizeof(Real) == 4 ? 0x1p-20 : 0x1p-40;

/// The factor min(1, C / |g|), made smaller by the budget.
///   Maths      N = (1 + budget) sqrt(squared_norm); 1 where N <= C, otherwise C / N
///   Domain     any squared norm, NaN included; 1e-20 <= clip_norm <= 1e20; budget >= 0
///   Direction  factor * |g| (1 + budget) <= clip_norm
///   Throws     DomainError (clip_norm)
[[nodiscard]] Clipping clip(long double squared_norm, double clip_norm, double budget);

/// Refuses what clip() refuses.
///   Throws     DomainError (clip_norm)
void require_clip_norm(double clip_norm);

}  // namespace assay
