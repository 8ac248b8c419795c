#pragma once
#include "assay/numeric/enclosure.hpp"
#include "assay/numeric/scaled_real.hpp"

namespace assay {

/// A computed positive number and the distance of its logarithm from the exact one.
///
/// Errors are carried as |log computed - log exact| <= log_error: they add under products and
/// quotients and take their maximum under sums of positive terms, without first-order arguments.
struct PositiveNumber {
    ScaledReal value;
    real log_error = 0.0L;
};

/// What one libm call (expl, expm1l, logl, log1pl, sqrtl of glibc: at most 4 ulp) may be off by.
inline constexpr real libm_error = 16.0L * unit_roundoff;

/// log(1 + excess) / divisor, the shape of every Rényi bound here; divisor >= 1e-20.
///   Error      |log1p(x e^t) - log1p(x)| <= t min(1, x e^t)  (docs/error_bounds.md#log-excess)
[[nodiscard]] Enclosure log1p_over(const PositiveNumber& excess, real divisor);

/// The same for an excess known by its logarithm, absolute error `log_error`.
[[nodiscard]] Enclosure log1p_exp_over(real log_excess, real log_error, real divisor);

/// Enclosure of the logarithm; {-inf, -inf} for an exact zero.
[[nodiscard]] Enclosure log_enclosure(const PositiveNumber& number);

/// log(e^x - 1) for x >= 0, -inf at 0; absolute error at most libm_error + (that of x)(1 + 1/x).
[[nodiscard]] real log_expm1(real x);

/// log(e^a + e^b), absolute error at most 2 libm_error + |result| unit_roundoff.
[[nodiscard]] real log_add(real a, real b);

/// Running log(e^t_1 + e^t_2 + ...), in one pass and without overflow.
class LogSum {
public:
    /// Adds e^log_term, where log_term is within `error` of the exact logarithm.
    void add(real log_term, real error = 0.0L);
    [[nodiscard]] real log() const;
    /// Bound on |log() - exact|: errors of terms count in proportion to their share of the sum.
    [[nodiscard]] real log_error() const;

private:
    real largest_ = 0.0L;
    real sum_ = 0.0L;       // in units of e^largest_
    real weighted_ = 0.0L;  // sum of error e^t, in the same units
    real worst_ = 0.0L;     // largest error of any term
    real additions_ = 0.0L;
};

}  // namespace assay
