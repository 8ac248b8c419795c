#pragma once
#include <mpfr.h>

#include <string>

namespace assay::verify {

/// Closed interval [lower, upper] of MPFR numbers that contains an exact real number.
///   Every operation rounds the lower end down (RNDD) and the upper end up (RNDU), so what goes in
///   exact comes out enclosed. Ends may be infinite; an operation without a meaning (inf - inf,
///   0 * inf, log of a negative number) gives the whole line, never NaN.
///   The precision of a result is the larger one of its operands.
class Interval {
public:
    /// {x}, exactly: `bits` below 53 are raised to 53.
    Interval(double x, long bits);
    /// x, enclosed; {x} where `bits` are those of its significand (64 or 113) or more.
    [[nodiscard]] static Interval extended(long double x, long bits);
    /// {n}, exactly.
    [[nodiscard]] static Interval integer(long n, long bits);
    /// The decimal number, enclosed ("inf" and "-inf" too); throws Error when it is none.
    [[nodiscard]] static Interval decimal(const std::string& digits, long bits);
    /// [a's lower end, b's upper end]; a <= b.
    [[nodiscard]] static Interval between(const Interval& a, const Interval& b);
    [[nodiscard]] static Interval whole_line(long bits);
    [[nodiscard]] static Interval pi(long bits);

    Interval(const Interval& other);
    Interval(Interval&& other) noexcept;
    Interval& operator=(const Interval& other);
    Interval& operator=(Interval&& other) noexcept;
    ~Interval();

    [[nodiscard]] mpfr_srcptr lower() const { return lower_; }
    [[nodiscard]] mpfr_srcptr upper() const { return upper_; }
    [[nodiscard]] long bits() const { return mpfr_get_prec(lower_); }

    /// The ends as doubles, rounded outward.
    [[nodiscard]] double lower_double() const { return mpfr_get_d(lower_, MPFR_RNDD); }
    [[nodiscard]] double upper_double() const { return mpfr_get_d(upper_, MPFR_RNDU); }
    /// Scientific notation of an end, `digits` significant ones, rounded outward.
    [[nodiscard]] std::string lower_text(int digits) const;
    [[nodiscard]] std::string upper_text(int digits) const;

    /// (upper - lower) / max(|lower|, |upper|), rounded up; 0 for a point, inf when unbounded.
    [[nodiscard]] double relative_width() const;
    [[nodiscard]] bool is_finite() const;
    /// True for {0} alone.
    [[nodiscard]] bool is_zero() const;
    /// Every number of it is > 0, respectively >= 0.
    [[nodiscard]] bool is_positive() const { return mpfr_sgn(lower_) > 0; }
    [[nodiscard]] bool is_nonnegative() const { return mpfr_sgn(lower_) >= 0; }

    Interval& operator+=(const Interval& other);
    Interval& operator-=(const Interval& other);
    Interval& operator*=(const Interval& other);
    Interval& operator/=(const Interval& other);

private:
    enum class Empty { made };
    Interval(Empty, long bits);
    void order_ends();

    friend class IntervalAccess;
    mpfr_t lower_;
    mpfr_t upper_;
};

[[nodiscard]] Interval operator+(Interval a, const Interval& b);
[[nodiscard]] Interval operator-(Interval a, const Interval& b);
[[nodiscard]] Interval operator*(Interval a, const Interval& b);
[[nodiscard]] Interval operator/(Interval a, const Interval& b);
[[nodiscard]] Interval operator-(const Interval& a);
// A double operand is exact.
[[nodiscard]] Interval operator+(Interval a, double b);
[[nodiscard]] Interval operator-(Interval a, double b);
[[nodiscard]] Interval operator*(Interval a, double b);
[[nodiscard]] Interval operator/(Interval a, double b);
[[nodiscard]] Interval operator+(double a, const Interval& b);
[[nodiscard]] Interval operator-(double a, const Interval& b);
[[nodiscard]] Interval operator*(double a, const Interval& b);
[[nodiscard]] Interval operator/(double a, const Interval& b);

[[nodiscard]] Interval exp(const Interval& x);
[[nodiscard]] Interval expm1(const Interval& x);
/// Natural logarithms; the part of x outside the domain is left out (log 0 = -inf), and an x with
/// no part inside gives the whole line.
[[nodiscard]] Interval log(const Interval& x);
[[nodiscard]] Interval log1p(const Interval& x);
[[nodiscard]] Interval sqrt(const Interval& x);
[[nodiscard]] Interval square(const Interval& x);
[[nodiscard]] Interval abs(const Interval& x);
[[nodiscard]] Interval power(const Interval& x, long n);
/// x^y = exp(y log x), x >= 0.
[[nodiscard]] Interval power(const Interval& x, const Interval& y);
/// Complementary error function, and the normal distribution function Phi(x) = erfc(-x/sqrt 2)/2.
[[nodiscard]] Interval erfc(const Interval& x);
[[nodiscard]] Interval normal_cdf(const Interval& x);
/// log Gamma(x), x > 0 rising part x >= 2 only (others give the whole line).
[[nodiscard]] Interval log_gamma(const Interval& x);
[[nodiscard]] Interval cos(const Interval& x);

[[nodiscard]] Interval min(const Interval& a, const Interval& b);
[[nodiscard]] Interval max(const Interval& a, const Interval& b);
/// The smallest interval with both.
[[nodiscard]] Interval hull(const Interval& a, const Interval& b);

/// Every number of a is <= (respectively <) every number of b.
[[nodiscard]] bool certainly_at_most(const Interval& a, const Interval& b);
[[nodiscard]] bool certainly_below(const Interval& a, const Interval& b);
[[nodiscard]] bool overlap(const Interval& a, const Interval& b);

}  // namespace assay::verify
