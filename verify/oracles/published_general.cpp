#include "verify/oracles/published_general.hpp"

#include <cmath>

#include "verify/oracles/integer_order_refine.hpp"

namespace assay::verify {

namespace {

constexpr double most_terms_times_bits = 4e8;  // about 2 s

/// The product prod_{l<j}(alpha-l) / j! x^j e^{(j-1) eps(j)}, j = 2, 3, ..: eps(j) = 2j/sigma^2.
class Terms {
public:
    Terms(long alpha, double sigma, Interval x)
        : alpha_(alpha),
          x_(std::move(x)),
          step_(exp(Interval(4.0, x_.bits()) / square(Interval(sigma, x_.bits())))),
          ratio_(step_),
          value_(Interval::integer(alpha, x_.bits()) * x_) {
        if (static_cast<double>(alpha) * static_cast<double>(x_.bits()) > most_terms_times_bits)
            throw Unaffordable();
    }

    /// Moves to the next j; the first call gives j = 2.
    const Interval& next() {
        ++j_;
        // e^{2j(j-1)/sigma^2} over its predecessor is e^{4(j-1)/sigma^2}.
        value_ *= x_;
        value_ *= ratio_;
        value_ *= whole(alpha_ - j_ + 1);
        value_ /= whole(j_);
        ratio_ *= step_;
        return value_;
    }

private:
    long alpha_;
    long j_ = 1;
    Interval x_;
    Interval step_;
    Interval ratio_;
    Interval value_;
};

/// K_t(alpha) of (127).
Interval wang_k(long alpha, double sigma, double q, long p) {
    const Interval a = Interval::integer(alpha, p);
    const Interval rate(q, p);
    const Interval e_epsilon_2 = exp(Interval(4.0, p) / square(Interval(sigma, p)));
    Interval sum = 1.0 + 2.0 * square(rate) * a * (a - 1.0) * (e_epsilon_2 - 1.0);
    Terms terms(alpha, sigma, rate);
    (void)terms.next();  // j = 2 has its own form
    for (long j = 3; j <= alpha; ++j) sum += 2.0 * terms.next();
    return log(sum);
}

Interval wang_upper(const Point& point, long bits) {
    const double alpha = point["alpha"];
    const double sigma = point["sigma"];
    const double q = point["q"];
    if (q == 0) return Interval(0.0, bits);
    return nonnegative(refined(bits, [&](long p) {
        if (alpha < 2) return wang_k(2, sigma, q, p);  // (131), (132)
        const Interval a(alpha, p);
        const long floor = static_cast<long>(std::floor(alpha));
        const Interval part = a - static_cast<double>(floor);
        const Interval lower = wang_k(floor, sigma, q, p) / (a - 1.0);
        if (part.is_zero()) return lower;
        return (1.0 - part) * lower + part * wang_k(floor + 1, sigma, q, p) / (a - 1.0);  // (130)
    }));
}

Interval wang_lower(const Point& point, long bits) {
    const long alpha = point.integer("alpha");
    const double sigma = point["sigma"];
    const double q = point["q"];
    if (q == 0) return Interval(0.0, bits);
    return nonnegative(refined(bits, [&](long p) {
        const Interval a = Interval::integer(alpha, p);
        const Interval rate(q, p);
        const Interval odds = rate / (1.0 - rate);
        Interval sum = 1.0 + a * odds;
        Terms terms(alpha, sigma, odds);
        for (long j = 2; j <= alpha; ++j) sum += terms.next();
        return a / (a - 1.0) * log(1.0 - rate) + log(sum) / (a - 1.0);  // (133)
    }));
}

Interval theorem_11(const Point& point, long bits) {
    return refined(bits, [&](long p) {
        return 2.0 * square(Interval(point["q"], p)) * point["alpha"] /
               square(Interval(point["s"], p));
    });
}

/// L = ln(1 + 1/(q(alpha-1))).
Interval theorem_11_l(const Point& point, long p) {
    return log(1.0 + 1.0 / (Interval(point["q"], p) * (Interval(point["alpha"], p) - 1.0)));
}

Interval theorem_11_condition_4(const Point& point, long bits) {
    return refined(bits, [&](long p) {
        const Interval s(point["s"], p);
        return square(s) * theorem_11_l(point, p) / 2.0 - 2.0 * log(s);
    });
}

Interval theorem_11_condition_5(const Point& point, long bits) {
    return refined(bits, [&](long p) {
        const Interval s(point["s"], p);
        const Interval l = theorem_11_l(point, p);
        const Interval numerator =
            square(s) * square(l) / 2.0 - log(Interval(5.0, p)) - 2.0 * log(s);
        return numerator /
               (l + log(Interval(point["q"], p) * point["alpha"]) + 1.0 / (2.0 * square(s)));
    });
}

bool positive_q(const Point& point) {
    return point["q"] > 0;
}

}  // namespace

std::vector<Oracle> published_general_oracles() {
    return {
        {"wang2019.upper", "(127)-(132) as printed", wang_upper},
        {"wang2019.lower", "(133) as printed", wang_lower,
         [](const Point& point) { return is_integer(point["alpha"]); }},
        {"mironov2019.thm_11", "closed form", theorem_11},
        {"mironov2019.thm_11.rhs4", "(4) as printed", theorem_11_condition_4, positive_q},
        {"mironov2019.thm_11.rhs5", "(5) as printed", theorem_11_condition_5, positive_q},
    };
}

}  // namespace assay::verify
