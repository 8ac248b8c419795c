#include "verify/oracles/integer_order_binomial.hpp"

#include "verify/oracles/integer_order_refine.hpp"

namespace assay::verify {

namespace {

constexpr double most_terms_times_bits = 4e8;  // about 2 s

bool integer_alpha(const Point& point) {
    return is_integer(point["alpha"]);
}

/// log E[(1-q + q X)^alpha] / (alpha-1), c = shift / noise.
Interval divergence(const Point& point, double shift, double noise, long bits) {
    const long alpha = point.integer("alpha");
    if (point["q"] == 0) return Interval(0.0, bits);  // 1 to the power alpha
    return nonnegative(refined(bits, [&](long p) {
        const Interval c = Interval(shift, p) / noise;
        return log(binomial_moment(alpha, Interval(point["q"], p), square(c))) /
               Interval::integer(alpha - 1, p);
    }));
}

Interval fixed_size_without_replacement(const Point& point, long bits) {
    return divergence(point, 2.0, point["sigma"], bits);
}

Interval poisson_add_remove(const Point& point, long bits) {
    return divergence(point, 1.0, point["s"], bits);
}

}  // namespace

Interval binomial_moment(long alpha, const Interval& q, const Interval& c_squared) {
    const long p = q.bits();
    if (static_cast<double>(alpha) * static_cast<double>(p) > most_terms_times_bits)
        throw Unaffordable();
    const Interval odds = q / (1.0 - q);
    const Interval e_c_squared = exp(c_squared);
    Interval term = power(1.0 - q, alpha);  // k = 0
    Interval growth(1.0, p);                // e^{k c^2}
    Interval sum = term;
    for (long k = 0; k < alpha; ++k) {
        // k+1 over k: (alpha-k)/(k+1) q/(1-q) e^{k c^2}.
        term *= odds;
        term *= growth;
        term *= whole(alpha - k);
        term /= whole(k + 1);
        growth *= e_c_squared;
        sum += term;
    }
    return sum;
}

std::vector<Oracle> integer_order_binomial_oracles() {
    constexpr auto method = "binomial sum";
    return {
        {"exact.fixed_size_without_replacement", method, fixed_size_without_replacement,
         integer_alpha},
        {"exact.poisson_add_remove", method, poisson_add_remove, integer_alpha},
        {"mironov2019.fractional_series", method, poisson_add_remove, integer_alpha},
    };
}

}  // namespace assay::verify
