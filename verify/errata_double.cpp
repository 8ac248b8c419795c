#include "verify/errata_double.hpp"

#include <mpfr.h>

namespace assay::verify {

double moment_in_double(double sigma, long k) {
    constexpr int double_bits = 53;
    mpfr_t exponential, sum;
    mpfr_init2(exponential, double_bits);
    mpfr_init2(sum, double_bits);
    mpfr_set_zero(sum, 1);
    double binomial = 1.0;  // C(k, l)
    for (long l = k; l >= 0; --l) {
        const auto x = static_cast<double>(l);
        mpfr_set_d(exponential, 2.0 * x * (x - 1.0) / (sigma * sigma), MPFR_RNDN);
        mpfr_exp(exponential, exponential, MPFR_RNDN);
        mpfr_mul_d(exponential, exponential, (k - l) % 2 == 0 ? binomial : -binomial, MPFR_RNDN);
        mpfr_add(sum, sum, exponential, MPFR_RNDN);
        binomial *= x / static_cast<double>(k - l + 1);
    }
    const double result = mpfr_get_d(sum, MPFR_RNDN);
    mpfr_clear(exponential);
    mpfr_clear(sum);
    return result;
}

}  // namespace assay::verify
