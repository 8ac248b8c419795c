#include "verify/oracles/interval.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "assay/numeric/errors.hpp"

namespace assay::verify {

namespace {

constexpr long smallest_precision = 53;  // so that every double and every long below 2^53 is exact

using Function = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);

}  // namespace

/// The few functions that need the ends themselves.
class IntervalAccess {
public:
    static Interval make(long bits) { return Interval(Interval::Empty::made, bits); }
    static mpfr_ptr lower(Interval& x) { return x.lower_; }
    static mpfr_ptr upper(Interval& x) { return x.upper_; }
    static Interval checked(Interval x) {
        x.order_ends();
        return x;
    }
    static Interval increasing(Function f, const Interval& x) {
        Interval y = make(x.bits());
        f(y.lower_, x.lower_, MPFR_RNDD);
        f(y.upper_, x.upper_, MPFR_RNDU);
        return checked(std::move(y));
    }
    static Interval decreasing(Function f, const Interval& x) {
        Interval y = make(x.bits());
        f(y.lower_, x.upper_, MPFR_RNDD);
        f(y.upper_, x.lower_, MPFR_RNDU);
        return checked(std::move(y));
    }
};

using Access = IntervalAccess;

Interval::Interval(Empty, long bits) {
    // The exponents of moments (e^(2 alpha^2/sigma^2)) exceed MPFR's default range.
    static thread_local const bool widened =
        mpfr_set_emin(mpfr_get_emin_min()) == 0 && mpfr_set_emax(mpfr_get_emax_max()) == 0;
    (void)widened;
    const long precision = std::max(bits, smallest_precision);
    mpfr_init2(lower_, precision);
    mpfr_init2(upper_, precision);
}

Interval::Interval(double x, long bits) : Interval(Empty::made, bits) {
    mpfr_set_d(lower_, x, MPFR_RNDD);
    mpfr_set_d(upper_, x, MPFR_RNDU);
    order_ends();
}

Interval Interval::extended(long double x, long bits) {
    Interval enclosed(Empty::made, bits);
    mpfr_set_ld(enclosed.lower_, x, MPFR_RNDD);
    mpfr_set_ld(enclosed.upper_, x, MPFR_RNDU);
    enclosed.order_ends();
    return enclosed;
}

Interval Interval::integer(long n, long bits) {
    Interval x(Empty::made, bits);
    mpfr_set_si(x.lower_, n, MPFR_RNDD);
    mpfr_set_si(x.upper_, n, MPFR_RNDU);
    return x;
}

Interval Interval::decimal(const std::string& digits, long bits) {
    Interval x(Empty::made, bits);
    char* end = nullptr;
    mpfr_strtofr(x.lower_, digits.c_str(), &end, 10, MPFR_RNDD);
    if (digits.empty() || *end != '\0' || mpfr_nan_p(x.lower_) != 0)
        throw Error("not a number: '" + digits + "'");
    mpfr_strtofr(x.upper_, digits.c_str(), nullptr, 10, MPFR_RNDU);
    return x;
}

Interval Interval::between(const Interval& a, const Interval& b) {
    Interval x(Empty::made, std::max(a.bits(), b.bits()));
    mpfr_set(x.lower_, a.lower_, MPFR_RNDD);
    mpfr_set(x.upper_, b.upper_, MPFR_RNDU);
    x.order_ends();
    return x;
}

Interval Interval::whole_line(long bits) {
    Interval x(Empty::made, bits);
    mpfr_set_inf(x.lower_, -1);
    mpfr_set_inf(x.upper_, +1);
    return x;
}

Interval Interval::pi(long bits) {
    Interval x(Empty::made, bits);
    mpfr_const_pi(x.lower_, MPFR_RNDD);
    mpfr_const_pi(x.upper_, MPFR_RNDU);
    return x;
}

Interval::Interval(const Interval& other) : Interval(Empty::made, other.bits()) {
    mpfr_set(lower_, other.lower_, MPFR_RNDD);
    mpfr_set(upper_, other.upper_, MPFR_RNDU);
}

Interval::Interval(Interval&& other) noexcept {
    *lower_ = *other.lower_;
    *upper_ = *other.upper_;
    other.lower_->_mpfr_d = nullptr;
    other.upper_->_mpfr_d = nullptr;
}

Interval& Interval::operator=(const Interval& other) {
    if (this != &other) *this = Interval(other);
    return *this;
}

Interval& Interval::operator=(Interval&& other) noexcept {
    std::swap(*lower_, *other.lower_);
    std::swap(*upper_, *other.upper_);
    return *this;
}

Interval::~Interval() {
    if (lower_->_mpfr_d != nullptr) mpfr_clear(lower_);
    if (upper_->_mpfr_d != nullptr) mpfr_clear(upper_);
}

void Interval::order_ends() {
    if (mpfr_nan_p(lower_) != 0 || mpfr_nan_p(upper_) != 0 || mpfr_greater_p(lower_, upper_) != 0) {
        mpfr_set_inf(lower_, -1);
        mpfr_set_inf(upper_, +1);
    }
}

namespace {

std::string end_text(mpfr_srcptr end, int digits, mpfr_rnd_t rounding) {
    if (mpfr_inf_p(end) != 0) return mpfr_sgn(end) > 0 ? "inf" : "-inf";
    char* text = nullptr;
    mpfr_asprintf(&text, "%.*R*e", digits - 1, rounding, end);
    std::string result(text);
    mpfr_free_str(text);
    return result;
}

}  // namespace

std::string Interval::lower_text(int digits) const {
    return end_text(lower_, digits, MPFR_RNDD);
}
std::string Interval::upper_text(int digits) const {
    return end_text(upper_, digits, MPFR_RNDU);
}

double Interval::relative_width() const {
    if (mpfr_equal_p(lower_, upper_) != 0) return 0.0;
    Interval width(Empty::made, bits());
    mpfr_sub(width.upper_, upper_, lower_, MPFR_RNDU);
    mpfr_abs(width.lower_, lower_, MPFR_RNDD);
    if (mpfr_cmpabs(upper_, lower_) > 0) mpfr_abs(width.lower_, upper_, MPFR_RNDD);
    if (mpfr_inf_p(width.lower_) != 0) return mpfr_get_d(width.lower_, MPFR_RNDU);
    mpfr_div(width.upper_, width.upper_, width.lower_, MPFR_RNDU);
    return mpfr_get_d(width.upper_, MPFR_RNDU);
}

bool Interval::is_finite() const {
    return mpfr_number_p(lower_) != 0 && mpfr_number_p(upper_) != 0;
}

bool Interval::is_zero() const {
    return mpfr_zero_p(lower_) != 0 && mpfr_zero_p(upper_) != 0;
}

Interval& Interval::operator+=(const Interval& other) {
    return *this = *this + other;
}
Interval& Interval::operator-=(const Interval& other) {
    return *this = *this - other;
}
Interval& Interval::operator*=(const Interval& other) {
    return *this = *this * other;
}
Interval& Interval::operator/=(const Interval& other) {
    return *this = *this / other;
}

Interval operator+(Interval a, const Interval& b) {
    Interval x = Access::make(std::max(a.bits(), b.bits()));
    mpfr_add(Access::lower(x), a.lower(), b.lower(), MPFR_RNDD);
    mpfr_add(Access::upper(x), a.upper(), b.upper(), MPFR_RNDU);
    return Access::checked(std::move(x));
}

Interval operator-(Interval a, const Interval& b) {
    Interval x = Access::make(std::max(a.bits(), b.bits()));
    mpfr_sub(Access::lower(x), a.lower(), b.upper(), MPFR_RNDD);
    mpfr_sub(Access::upper(x), a.upper(), b.lower(), MPFR_RNDU);
    return Access::checked(std::move(x));
}

Interval operator*(Interval a, const Interval& b) {
    Interval x = Access::make(std::max(a.bits(), b.bits()));
    if (a.is_nonnegative() && b.is_nonnegative()) {
        mpfr_mul(Access::lower(x), a.lower(), b.lower(), MPFR_RNDD);
        mpfr_mul(Access::upper(x), a.upper(), b.upper(), MPFR_RNDU);
        return Access::checked(std::move(x));
    }
    Interval trial = Access::make(x.bits());
    bool first = true;
    for (const mpfr_srcptr p : {a.lower(), a.upper()})
        for (const mpfr_srcptr r : {b.lower(), b.upper()}) {
            mpfr_mul(Access::lower(trial), p, r, MPFR_RNDD);
            mpfr_mul(Access::upper(trial), p, r, MPFR_RNDU);
            if (mpfr_nan_p(trial.lower()) != 0) return Interval::whole_line(x.bits());
            if (first || mpfr_less_p(trial.lower(), x.lower()) != 0)
                mpfr_set(Access::lower(x), trial.lower(), MPFR_RNDD);
            if (first || mpfr_greater_p(trial.upper(), x.upper()) != 0)
                mpfr_set(Access::upper(x), trial.upper(), MPFR_RNDU);
            first = false;
        }
    return x;
}

Interval operator/(Interval a, const Interval& b) {
    if (mpfr_sgn(b.lower()) <= 0 && mpfr_sgn(b.upper()) >= 0)
        return Interval::whole_line(std::max(a.bits(), b.bits()));
    Interval inverse = Access::make(std::max(a.bits(), b.bits()));
    // Two roundings where one would do, except for a point divided by a point.
    if (a.is_nonnegative() && b.is_positive()) {
        mpfr_div(Access::lower(inverse), a.lower(), b.upper(), MPFR_RNDD);
        mpfr_div(Access::upper(inverse), a.upper(), b.lower(), MPFR_RNDU);
        return Access::checked(std::move(inverse));
    }
    mpfr_ui_div(Access::lower(inverse), 1, b.upper(), MPFR_RNDD);
    mpfr_ui_div(Access::upper(inverse), 1, b.lower(), MPFR_RNDU);
    return std::move(a) * inverse;
}

Interval operator-(const Interval& a) {
    Interval x = Access::make(a.bits());
    mpfr_neg(Access::lower(x), a.upper(), MPFR_RNDD);
    mpfr_neg(Access::upper(x), a.lower(), MPFR_RNDU);
    return x;
}

Interval operator+(Interval a, double b) {
    return a + Interval(b, a.bits());
}
Interval operator-(Interval a, double b) {
    return a - Interval(b, a.bits());
}
Interval operator*(Interval a, double b) {
    return a * Interval(b, a.bits());
}
Interval operator/(Interval a, double b) {
    return a / Interval(b, a.bits());
}
Interval operator+(double a, const Interval& b) {
    return Interval(a, b.bits()) + b;
}
Interval operator-(double a, const Interval& b) {
    return Interval(a, b.bits()) - b;
}
Interval operator*(double a, const Interval& b) {
    return Interval(a, b.bits()) * b;
}
Interval operator/(double a, const Interval& b) {
    return Interval(a, b.bits()) / b;
}

Interval exp(const Interval& x) {
    return Access::increasing(mpfr_exp, x);
}
Interval expm1(const Interval& x) {
    return Access::increasing(mpfr_expm1, x);
}

Interval log(const Interval& x) {
    if (mpfr_sgn(x.lower()) >= 0 || mpfr_sgn(x.upper()) < 0) return Access::increasing(mpfr_log, x);
    return log(Interval::between(Interval(0.0, x.bits()), x));
}

Interval log1p(const Interval& x) {
    if (mpfr_cmp_si(x.lower(), -1) >= 0 || mpfr_cmp_si(x.upper(), -1) < 0)
        return Access::increasing(mpfr_log1p, x);
    return log1p(Interval::between(Interval(-1.0, x.bits()), x));
}

Interval sqrt(const Interval& x) {
    if (mpfr_sgn(x.lower()) >= 0 || mpfr_sgn(x.upper()) < 0)
        return Access::increasing(mpfr_sqrt, x);
    return sqrt(Interval::between(Interval(0.0, x.bits()), x));
}

Interval abs(const Interval& x) {
    if (x.is_nonnegative()) return x;
    if (mpfr_sgn(x.upper()) <= 0) return -x;
    return Interval::between(Interval(0.0, x.bits()), max(-x, x));
}

Interval square(const Interval& x) {
    const Interval magnitude = abs(x);
    return magnitude * magnitude;
}

Interval power(const Interval& x, long n) {
    if (n < 0) return Interval(1.0, x.bits()) / power(x, -n);
    if (n % 2 == 0 && !x.is_nonnegative()) return power(abs(x), n);
    // Odd, or of a nonnegative number: increasing.
    Interval y = Access::make(x.bits());
    mpfr_pow_ui(Access::lower(y), x.lower(), static_cast<unsigned long>(n), MPFR_RNDD);
    mpfr_pow_ui(Access::upper(y), x.upper(), static_cast<unsigned long>(n), MPFR_RNDU);
    return Access::checked(std::move(y));
}

Interval power(const Interval& x, const Interval& y) {
    return exp(y * log(x));
}

namespace {

/// erfc x for a point x with x^2 >= bits, by its asymptotic series
///   e^{-x^2} / (x sqrt(pi)) (1 - 1/(2x^2) + 1*3/(2x^2)^2 - ..),
/// whose partial sums lie on either side of it; the smallest term is about e^{-x^2} < 2^-bits.
/// (mpfr_erfc may form 1 - erf x there, with x^2/log 2 bits.)
Interval erfc_far_out(const Interval& x) {
    const Interval ratio = 1.0 / (2.0 * square(x));
    Interval term(1.0, x.bits());
    Interval sum = term;
    for (long n = 1; n < x.bits(); ++n) {
        const Interval next = -term * ratio * Interval::integer(2 * n - 1, x.bits());
        const bool last = mpfr_get_exp(next.upper()) < -x.bits() - 8 || 2 * n >= x.bits();
        sum = last ? hull(sum, sum + next) : sum + next;
        if (last) break;
        term = next;
    }
    return exp(-square(x)) / (x * sqrt(Interval::pi(x.bits()))) * sum;
}

/// At one end of an interval, outward.
Interval erfc_at(mpfr_srcptr end, long bits) {
    Interval x = Access::make(bits);
    mpfr_set(Access::lower(x), end, MPFR_RNDD);
    mpfr_set(Access::upper(x), end, MPFR_RNDU);
    const double size = mpfr_get_d(end, MPFR_RNDZ);
    const bool far_out = mpfr_number_p(end) != 0 && size * size >= static_cast<double>(bits);
    if (!far_out) return Access::decreasing(mpfr_erfc, x);
    return mpfr_sgn(end) > 0 ? erfc_far_out(x) : 2.0 - erfc_far_out(-x);
}

}  // namespace

Interval erfc(const Interval& x) {
    const Interval low = erfc_at(x.upper(), x.bits());
    if (mpfr_equal_p(x.lower(), x.upper()) != 0) return low;
    return Interval::between(low, erfc_at(x.lower(), x.bits()));
}

Interval normal_cdf(const Interval& x) {
    return erfc(-x / sqrt(Interval(2.0, x.bits()))) / 2.0;
}

Interval log_gamma(const Interval& x) {
    if (mpfr_cmp_si(x.lower(), 2) < 0) return Interval::whole_line(x.bits());
    return Access::increasing(mpfr_lngamma, x);
}

Interval cos(const Interval& x) {
    // Decreasing on [0, pi]; elsewhere [-1, 1] is all that is said.
    const Interval even = abs(x);
    if (certainly_at_most(even, Interval::pi(x.bits()))) return Access::decreasing(mpfr_cos, even);
    return Interval::between(Interval(-1.0, x.bits()), Interval(1.0, x.bits()));
}

Interval min(const Interval& a, const Interval& b) {
    Interval x = Access::make(std::max(a.bits(), b.bits()));
    mpfr_min(Access::lower(x), a.lower(), b.lower(), MPFR_RNDD);
    mpfr_min(Access::upper(x), a.upper(), b.upper(), MPFR_RNDU);
    return x;
}

Interval max(const Interval& a, const Interval& b) {
    Interval x = Access::make(std::max(a.bits(), b.bits()));
    mpfr_max(Access::lower(x), a.lower(), b.lower(), MPFR_RNDD);
    mpfr_max(Access::upper(x), a.upper(), b.upper(), MPFR_RNDU);
    return x;
}

Interval hull(const Interval& a, const Interval& b) {
    return Interval::between(min(a, b), max(a, b));
}

bool certainly_at_most(const Interval& a, const Interval& b) {
    return mpfr_lessequal_p(a.upper(), b.lower()) != 0;
}

bool certainly_below(const Interval& a, const Interval& b) {
    return mpfr_less_p(a.upper(), b.lower()) != 0;
}

bool overlap(const Interval& a, const Interval& b) {
    return !certainly_below(a, b) && !certainly_below(b, a);
}

}  // namespace assay::verify
