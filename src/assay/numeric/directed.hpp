#pragma once

namespace assay {

/// Extended precision: every scalar accountant computes in x87's 64-bit significand (or wider) and
/// rounds outward once, at the end.
using real = long double;
static_assert(__LDBL_MANT_DIG__ >= 64, "the rounding budgets need a 64-bit significand");

/// Unit roundoff of `real`, 2^-64.
inline constexpr real unit_roundoff = 0x1p-64L;

/// x moved by `ulps` units in the last place toward +inf; +-inf stay, NaN throws DomainError.
[[nodiscard]] double widen_up(double x, int ulps);

/// x moved by `ulps` units in the last place toward -inf; +-inf stay, NaN throws DomainError.
[[nodiscard]] double widen_down(double x, int ulps);

/// Smallest double >= x.
[[nodiscard]] double round_up(real x);

/// Largest double <= x.
[[nodiscard]] double round_down(real x);

}  // namespace assay
