#include "verify/oracles/published_add_remove.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "verify/oracles/integer_order_refine.hpp"

namespace assay::verify {

namespace {

double log_binomial(double n, double k) {
    return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1);
}

}  // namespace

std::vector<bool> orders_that_matter(double alpha, long m, double q, const Interval& c_squared,
                                     long n, double extra, double slack) {
    const double c2 = c_squared.upper_double();
    const auto share = [&](long k) {
        const double order = static_cast<double>(k);
        const double deviation = c2 * order + std::sqrt(c2 * order);
        return log_binomial(static_cast<double>(n), order) + order * std::log(q) +
               c2 * order * (order - 1) / 2 + order * std::min(0.0, std::log(deviation));
    };
    // Second order: C(alpha,2) q^2 (e^{c^2} - 1).
    const double second =
        std::log(alpha * (alpha - 1) / 2) + 2 * std::log(q) + c2 + std::log(-std::expm1(-c2));
    double reference = std::max(second - extra, share(m) - static_cast<double>(m));
    // M_k is close to E_k where c^2 k is large; elsewhere it may be far smaller.
    for (long k = 2; k <= n; ++k)
        if (c2 * static_cast<double>(k) > 8) reference = std::max(reference, share(k));
    reference -= static_cast<double>(c_squared.bits()) * std::numbers::ln2 + slack;
    std::vector<bool> matters(static_cast<std::size_t>(n) + 2);  // B~_n may use order n+1
    for (long k = 0; k <= n; ++k) {
        if (k > m + 1 && share(k) < reference) continue;
        // An odd order is bounded by its two neighbours.
        for (long near = std::max(k - 1, 0L); near <= k + 1; ++near)
            matters[static_cast<std::size_t>(near)] = true;
    }
    return matters;
}

long largest_order(double alpha, long m) {
    return std::max(static_cast<long>(std::ceil(alpha)), m);
}

Interval absolute_falling_factorial(double alpha, long k, long p) {
    Interval product(1.0, p);
    for (long j = 0; j < k; ++j) product *= abs(Interval(alpha, p) - static_cast<double>(j));
    return product;
}

Interval remainder_sum(long n, long m, const Interval& q, const Moments& moments) {
    const long p = q.bits();
    Interval sum = moments.absolute_bound(m);
    Interval weight(1.0, p);
    for (long l = 1; l <= n; ++l) {
        weight *= q;
        weight *= whole(n - l + 1);
        weight /= whole(m + l);
        sum += weight * moments.absolute_bound(m + l);
    }
    return sum;
}

Interval remainder_bound(double alpha, long m, const Interval& q, const Moments& moments) {
    const long p = q.bits();
    if (is_integer(alpha) && alpha < static_cast<double>(m)) return Interval(0.0, p);
    Interval factor = power(q, m) * absolute_falling_factorial(alpha, m, p);
    for (long j = 2; j <= m; ++j) factor /= whole(j);
    if (alpha <= static_cast<double>(m)) {  // (54)
        const Interval exponent = Interval(alpha, p) - static_cast<double>(m);
        return factor * power(1.0 - q, exponent) * moments.absolute_bound(m);
    }
    // (50): both parts carry 1/m!, which is in the factor.
    const long n = static_cast<long>(std::ceil(alpha)) - m;
    return factor * (remainder_sum(n, m, q, moments) + moments.absolute_bound(m));
}

Interval taylor_bound_excess(double alpha, long m, const Interval& q, const Moments& moments) {
    const long p = q.bits();
    Interval sum = remainder_bound(alpha, m, q, moments);
    Interval coefficient = q * alpha;  // C(alpha,k) q^k
    for (long k = 2; k < m; ++k) {
        if (is_integer(alpha) && static_cast<double>(k) > alpha) break;
        coefficient *= q * (Interval(alpha, p) - static_cast<double>(k - 1));
        coefficient /= whole(k);
        sum += coefficient * moments.moment(k);
    }
    return sum;
}

namespace {

Moments moments_for(double alpha, long m, double q, double sigma, long p) {
    const Interval c_squared = fixed_size_shift_squared(sigma, p);
    return Moments(c_squared,
                   orders_that_matter(alpha, m, q, c_squared, largest_order(alpha, m), 0.0, 0.0));
}

Interval theorem_3_3(const Point& point, long bits) {
    const double alpha = point["alpha"];
    const double q = point["q"];
    const double sigma = point["sigma"];
    const long m = point.integer("m");
    if (q == 0) return Interval(0.0, bits);
    // The bound is >= log(H)/(alpha-1) >= 0.
    return nonnegative(refined(bits, [&](long p) {
        const Moments moments = moments_for(alpha, m, q, sigma, p);
        return log1p(taylor_bound_excess(alpha, m, Interval(q, p), moments)) /
               (Interval(alpha, p) - 1.0);
    }));
}

Interval log_r_bound(const Point& point, long bits) {
    const double alpha = point["alpha"];
    const double q = point["q"];
    const double sigma = point["sigma"];
    const long m = point.integer("m");
    if (q == 0 || (is_integer(alpha) && alpha < static_cast<double>(m)))
        return log(Interval(0.0, bits));
    return refined(bits, [&](long p) {
        const Moments moments = moments_for(alpha, m, q, sigma, p);
        return log(remainder_bound(alpha, m, Interval(q, p), moments));
    });
}

}  // namespace

std::vector<Oracle> published_add_remove_oracles() {
    return {
        {"birrell2024.thm_3_3", "(41) with (50) and (54) as printed", theorem_3_3},
        {"birrell2024.log_R_bound", "(50) and (54) as printed", log_r_bound},
    };
}

}  // namespace assay::verify
