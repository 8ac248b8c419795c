#include "verify/oracles/arb_mixture.hpp"

#include <algorithm>
#include <cmath>

namespace assay::verify::arb {

namespace {

double approximate_log_of(const Real& x) {
    Real logarithm;
    arb_log(logarithm, x, 64);
    return to_double(logarithm);
}

}  // namespace

Mixture::Mixture(const Real& shift, double log_first)
    : shift_(shift), shift_double_(to_double(shift)), log_coefficients_{log_first} {}

Mixture Mixture::two_point(double q, const Real& shift, long precision) {
    Real rest;
    arb_sub_ui(rest, Real(q), 1, precision);
    arb_neg(rest, rest);
    return two_term(rest, Real(q), shift, precision);
}

Mixture Mixture::two_term(const Real& first, const Real& second, const Real& shift,
                          long precision) {
    Mixture mixture(shift, approximate_log_of(first));
    mixture.coefficients_.push_back(first);
    Real ratio;  // second e^{-u^2/2} / first
    arb_sqr(ratio, shift, precision);
    arb_mul_2exp_si(ratio, ratio, -1);
    arb_neg(ratio, ratio);
    arb_exp(ratio, ratio, precision);
    arb_mul(ratio, ratio, second, precision);
    arb_div(ratio, ratio, first, precision);
    mixture.log_ratios_.push_back(approximate_log_of(ratio));
    mixture.ratios_.push_back(ratio);
    mixture.multiply_out(precision);
    return mixture;
}

Mixture Mixture::binomial(double draws, double records, const Real& shift, long precision) {
    const long last = static_cast<long>(draws);
    const Real records_less_one(records - 1.0);  // exact: an integer below 2^53
    Mixture mixture(shift, draws * std::log1p(-1.0 / records));
    Real first;  // (1 - 1/D)^B
    arb_div(first, records_less_one, Real(records), precision);
    arb_pow_ui(first, first, static_cast<ulong>(last), precision);
    mixture.coefficients_.push_back(first);
    Real step;  // e^{-u^2}
    arb_sqr(step, shift, precision);
    arb_neg(step, step);
    Real decay;  // e^{-(2n+1)u^2/2}
    arb_mul_2exp_si(decay, step, -1);
    arb_exp(step, step, precision);
    arb_exp(decay, decay, precision);
    const double square = mixture.shift_double_ * mixture.shift_double_;
    Real ratio;
    for (long n = 0; n < last; ++n) {
        // A_{n+1}/A_n = (B-n)/((n+1)(D-1)) e^{-((n+1)^2-n^2)u^2/2}.
        arb_mul_si(ratio, decay, last - n, precision);
        arb_div_si(ratio, ratio, n + 1, precision);
        arb_div(ratio, ratio, records_less_one, precision);
        mixture.ratios_.push_back(ratio);
        arb_mul(decay, decay, step, precision);
        const auto order = static_cast<double>(n);
        mixture.log_ratios_.push_back(std::log((draws - order) / (order + 1) / (records - 1)) -
                                      (2 * order + 1) * square / 2);
    }
    mixture.multiply_out(precision);
    return mixture;
}

void Mixture::multiply_out(long precision) {
    Real coefficient;
    for (const Real& ratio : ratios_) {
        arb_mul(coefficient, coefficients_.back(), ratio, precision);
        coefficients_.push_back(coefficient);
    }
    for (const double ratio : log_ratios_)
        log_coefficients_.push_back(log_coefficients_.back() + ratio);
}

double Mixture::log_range() const {
    const auto n = static_cast<double>(last());
    // The Gaussian factor of A_n is not one of a_n.
    return std::abs(log_coefficients_.front()) +
           std::abs(log_coefficients_.back() + n * n * shift_double_ * shift_double_ / 2);
}

long Mixture::dominant(double z) const {
    const double slope = shift_double_ * z;
    const auto at = std::partition_point(log_ratios_.begin(), log_ratios_.end(),
                                         [slope](double ratio) { return ratio + slope > 0; });
    return at - log_ratios_.begin();
}

double Mixture::approximate_log(double z) const {
    const double slope = shift_double_ * z;
    const long k = dominant(z);
    double sum = 1.0;
    double term = 0.0;
    for (long n = k; n < last() && term > -40; ++n)
        sum += std::exp(term += log_ratios_[static_cast<std::size_t>(n)] + slope);
    term = 0.0;
    for (long n = k; n-- > 0 && term > -40;)
        sum += std::exp(term -= log_ratios_[static_cast<std::size_t>(n)] + slope);
    return log_coefficients_[static_cast<std::size_t>(k)] + static_cast<double>(k) * slope +
           std::log(sum);
}

/// Adds t_n = (A_n/A_k) x^{n-k} to `sum` and (n-k) t_n to `moment`, if given, for all n > k (or all
/// n < k).
///   The ratio r of two successive terms falls in modulus, as A_{n+1}/A_n decreases. Once |r| <=
///   1/2 the terms after t_n sum to at most |t_n|, and with their factors n-k to sum_i
///   (|n-k|+i)|t_n| 2^-i <= (|n-k|+2)|t_n|.
void Mixture::add_terms(Complex& sum, Complex* moment, long k, const Complex& x, bool upward,
                        long precision) const {
    Complex term;
    acb_one(term);
    Complex ratio;
    Complex weighted;
    mag_t size;
    mag_init(size);
    const long count = upward ? last() - k : k;
    for (long i = 1; i <= count; ++i) {
        const long n = upward ? k + i - 1 : k - i;
        const Real& factor = ratios_[static_cast<std::size_t>(n)];
        // For n < k, x is e^{-uz}.
        if (upward)
            acb_mul_arb(ratio, x, factor, precision);
        else
            acb_div_arb(ratio, x, factor, precision);
        acb_mul(term, term, ratio, precision);
        acb_add(sum, sum, term, precision);
        if (moment != nullptr) {
            acb_mul_si(weighted, term, upward ? i : -i, precision);
            acb_add(*moment, *moment, weighted, precision);
        }
        acb_get_mag(size, term);
        if (mag_cmp_2exp_si(size, 40) > 0) {  // the rectangle is far too wide
            acb_indeterminate(sum);
            break;
        }
        if (i == count || mag_cmp_2exp_si(size, -precision) > 0) continue;
        mag_t quotient;
        mag_init(quotient);
        acb_get_mag(quotient, ratio);
        const bool geometric = mag_cmp_2exp_si(quotient, -1) <= 0;
        mag_clear(quotient);
        if (!geometric) continue;
        acb_add_error_mag(sum, size);
        mag_mul_ui(size, size, static_cast<ulong>(i + 2));
        if (moment != nullptr) acb_add_error_mag(*moment, size);
        break;
    }
    mag_clear(size);
}

/// sum_n (A_n/A_k) e^{(n-k)w}, and the same with factors n-k.
void Mixture::sum_from(Complex& sum, Complex* moment, long k, const Complex& w,
                       long precision) const {
    acb_one(sum);
    Complex x;
    if (k < last()) {
        acb_exp(x, w, precision);
        add_terms(sum, moment, k, x, true, precision);
    }
    if (k > 0) {
        acb_neg(x, w);  // not 1/e^w: that rectangle may contain 0
        acb_exp(x, x, precision);
        add_terms(sum, moment, k, x, false, precision);
    }
}

void Mixture::log_value(Real& out, const Real& z, long precision) const {
    const long k = dominant(to_double(z));
    Complex w;
    arb_mul(w.real(), shift_, z, precision);
    Complex sum;
    sum_from(sum, nullptr, k, w, precision);
    // M = A_k e^{kuz} sum.
    arb_mul(out, sum.real(), coefficients_[static_cast<std::size_t>(k)], precision);
    arb_log(out, out, precision);
    arb_addmul_si(out, w.real(), k, precision);
}

void Mixture::slope(Complex& out, const Complex& z, long precision) const {
    const long k = dominant(to_double(z.real()));
    Complex w;
    acb_mul_arb(w, z, shift_, precision);
    Complex sum;
    Complex moment;
    sum_from(sum, &moment, k, w, precision);
    if (acb_is_finite(sum) == 0 || acb_contains_zero(sum) != 0) {
        acb_indeterminate(out);
        return;
    }
    // M'/M = u (k + moment/sum).
    acb_div(out, moment, sum, precision);
    acb_add_si(out, out, k, precision);
    acb_mul_arb(out, out, shift_, precision);
}

}  // namespace assay::verify::arb
