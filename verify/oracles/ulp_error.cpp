#include "verify/oracles/ulp_error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace assay::verify {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr long difference_bits = 96;

template <class Real>
double in_ulp(Real computed, mpfr_srcptr exact) {
    using Limits = std::numeric_limits<Real>;
    if (std::isnan(computed) || mpfr_nan_p(exact) != 0) return infinity;
    WideNumber value(computed, Limits::digits);
    if (std::isinf(computed)) {
        mpfr_set_si_2exp(value, computed > 0 ? 1 : -1, Limits::max_exponent, MPFR_RNDN);
        if (mpfr_cmpabs(exact, value) >= 0 && mpfr_sgn(exact) == (computed > 0 ? 1 : -1))
            return 0.0;
    }
    WideNumber difference(difference_bits);
    mpfr_sub(difference, value, exact, MPFR_RNDA);
    if (mpfr_zero_p(difference) != 0) return 0.0;
    const auto first_digit =
        mpfr_zero_p(exact) != 0
            ? static_cast<mpfr_exp_t>(Limits::min_exponent)
            : std::max(mpfr_get_exp(exact), static_cast<mpfr_exp_t>(Limits::min_exponent));
    mpfr_mul_2si(difference, difference, Limits::digits - first_digit, MPFR_RNDA);
    return std::fabs(mpfr_get_d(difference, MPFR_RNDA));
}

}  // namespace

double error_in_ulp(double computed, mpfr_srcptr exact) {
    return in_ulp(computed, exact);
}

double error_in_ulp(long double computed, mpfr_srcptr exact) {
    return in_ulp(computed, exact);
}

double relative_error(mpfr_srcptr computed, mpfr_srcptr exact) {
    if (mpfr_nan_p(computed) != 0 || mpfr_nan_p(exact) != 0) return infinity;
    WideNumber difference(difference_bits);
    mpfr_sub(difference, computed, exact, MPFR_RNDA);
    if (mpfr_zero_p(difference) != 0) return 0.0;
    mpfr_div(difference, difference, exact, MPFR_RNDA);
    return std::fabs(mpfr_get_d(difference, MPFR_RNDA));
}

}  // namespace assay::verify
