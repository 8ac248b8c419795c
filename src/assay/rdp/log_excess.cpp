#include "assay/rdp/log_excess.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "assay/numeric/errors.hpp"

namespace assay {

namespace {
constexpr real infinity = std::numeric_limits<real>::infinity();
}

Enclosure log1p_over(const PositiveNumber& excess, real divisor) {
    if (excess.value.is_zero()) return exactly(0.0);
    // Below the range of `real` the result is below every positive double.
    if (excess.log_error < 1.0L && excess.value < ScaledReal(1e-4800L))
        return {0.0, std::numeric_limits<double>::denorm_min()};
    const real value = excess.value.log1p();
    // d log1p(e^y) / dy = e^y / (1 + e^y) <= min(1, e^y), taken at the far end y + log_error;
    // e^t <= 1 + 2t for 0 <= t <= 1.
    const real t = excess.log_error;
    const real slope = t < 1.0L ? std::min(1.0L, excess.value.value() * (1.0L + 2.0L * t)) : 1.0L;
    const real error = t * slope + libm_error * value;
    return enclose(value / divisor, (error + 2.0L * unit_roundoff * value) / divisor);
}

Enclosure log1p_exp_over(real log_excess, real log_error, real divisor) {
    if (log_excess == -infinity) return exactly(0.0);
    if (log_excess < 64.0L && log_excess > -11000.0L) {
        // exp adds libm_error and the rounding of its argument.
        const real rounding = libm_error + std::fabs(log_excess) * unit_roundoff;
        return log1p_over({ScaledReal(std::exp(log_excess)), log_error + rounding}, divisor);
    }
    if (log_excess < 0.0L) {
        const real rounding = libm_error + 2.0L * std::fabs(log_excess) * unit_roundoff;
        return log1p_over({ScaledReal::exp_of(log_excess), log_error + rounding}, divisor);
    }
    // 0 < log(1 + e^y) - y < e^-64 < unit_roundoff.
    return enclose(log_excess / divisor,
                   (log_error + unit_roundoff * (1.0L + 2.0L * log_excess)) / divisor);
}

Enclosure log_enclosure(const PositiveNumber& number) {
    const real value = number.value.log();
    if (value == -infinity) {
        constexpr double minus_infinity = -std::numeric_limits<double>::infinity();
        return exactly(minus_infinity);
    }
    return enclose(value,
                   number.log_error + 2.0L * libm_error + 3.0L * std::fabs(value) * unit_roundoff);
}

real log_expm1(real x) {
    require(x >= 0.0L, "x", static_cast<double>(x), "x >= 0");
    if (x == 0.0L) return -infinity;
    // For x > 64, -log(1 - e^-x) < 2^-90.
    return x > 64.0L ? x : std::log(std::expm1(x));
}

real log_add(real a, real b) {
    if (a < b) std::swap(a, b);
    return b == -infinity ? a : a + std::log1p(std::exp(b - a));
}

void LogSum::add(real log_term, real error) {
    if (log_term == -infinity) return;
    additions_ += 1.0L;
    worst_ = std::max(worst_, error);
    if (sum_ == 0.0L || log_term > largest_) {
        const real scale =
            sum_ == 0.0L || log_term > largest_ + 80.0L ? 0.0L : std::exp(largest_ - log_term);
        sum_ = 1.0L + sum_ * scale;
        weighted_ = error + weighted_ * scale;
        largest_ = log_term;
    } else if (log_term > largest_ - 80.0L) {
        // Terms below e^-80 of the sum are dropped, and counted as one rounding each below.
        const real share = std::exp(log_term - largest_);
        sum_ += share;
        weighted_ += share * error;
    }
}

real LogSum::log() const {
    return sum_ == 0.0L ? -infinity : largest_ + std::log(sum_);
}

real LogSum::log_error() const {
    if (sum_ == 0.0L) return 0.0L;
    // Each step: one exp of a rounded difference d (d e^-d u <= u), a product, an addition; and
    // dropped terms are below e^-80 e^worst_ <= e^-78.
    const real rounding = additions_ * (libm_error + 4.0L * unit_roundoff) + 2.0L * libm_error +
                          2.0L * std::fabs(log()) * unit_roundoff;
    // e^x - 1 <= 1.72 x for 0 <= x <= 1, so the sum is off by a factor within 1 +- 1.72 a, a the
    // average error, and its log by 2a for a <= 1/16.
    const real average = 1.01L * weighted_ / sum_;
    const bool averaged = worst_ <= 1.0L && average <= 0.0625L;
    return rounding + (averaged ? std::min(worst_, 2.0L * average) : worst_);
}

}  // namespace assay
