#include "verify/oracles/arb_numbers.hpp"

#include <cmath>
#include <limits>
#include <string>

namespace assay::verify::arb {

namespace {

constexpr long no_digits = 1 << 20;

// Through decimals: the same rounding twice.
std::string decimal_end(mpfr_srcptr end, long bits, mpfr_rnd_t rounding) {
    char* text = nullptr;
    mpfr_asprintf(&text, "%.*R*e", static_cast<int>(bits / 3 + 8), rounding, end);
    std::string digits(text);
    mpfr_free_str(text);
    return digits;
}

}  // namespace

double to_double(arb_srcptr x) {
    if (arb_is_finite(x) == 0) return std::numeric_limits<double>::infinity();
    return arf_get_d(arb_midref(x), ARF_RND_NEAR);
}

long relative_error_exponent(arb_srcptr x) {
    if (arb_is_finite(x) == 0 || arb_contains_zero(x) != 0) return no_digits;
    return -arb_rel_accuracy_bits(x);
}

Interval to_interval(arb_srcptr x, long bits) {
    if (arb_is_finite(x) == 0) return Interval::whole_line(bits);
    mpfr_t low;
    mpfr_t high;
    mpfr_init2(low, bits + 16);
    mpfr_init2(high, bits + 16);
    arb_get_interval_mpfr(low, high, x);
    const Interval result =
        Interval::between(Interval::decimal(decimal_end(low, bits, MPFR_RNDD), bits + 8),
                          Interval::decimal(decimal_end(high, bits, MPFR_RNDU), bits + 8));
    mpfr_clear(low);
    mpfr_clear(high);
    return result;
}

void scale_of_exponential(mag_t out, double log_value, long bits) {
    const double binary = std::floor(log_value / std::log(2.0));
    mag_set_ui_2exp_si(out, 1, static_cast<slong>(binary) - bits);
}

}  // namespace assay::verify::arb
