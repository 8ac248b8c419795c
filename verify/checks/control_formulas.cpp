#include "verify/checks/control_formulas.hpp"

#include <cmath>
#include <numbers>

namespace assay::verify::plain {

namespace {

long double falling(long double alpha, long k) {
    long double product = 1.0L;
    for (long l = 0; l < k; ++l) product *= std::abs(alpha - static_cast<long double>(l));
    return product;
}

long double factorial(long n) {
    return std::tgamma(static_cast<long double>(n) + 1.0L);
}

/// sum_{l=0}^{n} q^l n! m! / ((n-l)! (m+l)!) B~_{m+l}.
long double remainder_sum(const Taylor& t, long n) {
    long double sum = 0.0L;
    for (long l = 0; l <= n; ++l)
        sum += std::pow(t.q, static_cast<long double>(l)) * factorial(n) * factorial(t.m) /
               (factorial(n - l) * factorial(t.m + l)) * absolute_bound(t.sigma, t.m + l);
    return sum;
}

}  // namespace

long double normal_tail(long double x) {
    return 0.5L * std::erfc(x / std::numbers::sqrt2_v<long double>);
}

long double binomial(long double n, long k) {
    long double value = 1.0L;
    for (long l = 0; l < k; ++l)
        value *= (n - static_cast<long double>(l)) / static_cast<long double>(l + 1);
    return value;
}

long double sampled_excess(long order, long double q, long double c) {
    const auto n = static_cast<long double>(order);
    long double sum = 0.0L;
    for (long i = 2; i <= order; ++i) {
        const auto k = static_cast<long double>(i);
        sum += binomial(n, i) * std::pow(q, k) * std::pow(1.0L - q, n - k) *
               std::expm1(c * c * k * (k - 1.0L) / 2.0L);
    }
    return sum;
}

long double sampled_rdp(long order, long double q, long double c) {
    return std::log1p(sampled_excess(order, q, c)) / static_cast<long double>(order - 1);
}

long double integrated_excess(long double p, long double q, long double c, const Quadrature& rule) {
    long double sum = 0.0L;
    for (long double z = rule.from; z <= rule.to; z += rule.step) {
        const long double w = std::expm1(c * z - c * c / 2.0L);
        sum += std::exp(-z * z / 2.0L) * (std::expm1(p * std::log1p(q * w)) - p * q * w);
    }
    return sum * rule.step / std::sqrt(2.0L * std::numbers::pi_v<long double>);
}

long double integrated_rdp(long double alpha, long double q, long double c) {
    const long double excess = integrated_excess(alpha, q, c, {-14.0L, alpha * c + 14.0L});
    return std::log1p(excess) / (alpha - 1.0L);
}

long double moment(long double sigma, long k) {
    if (k < 2) return k == 0 ? 1.0L : 0.0L;
    long double sum = 0.0L;
    for (long i = 2; i <= k; ++i) {
        const auto l = static_cast<long double>(i);
        const long double sign = (k - i) % 2 == 0 ? 1.0L : -1.0L;
        sum += sign * binomial(static_cast<long double>(k), i) *
               std::expm1(2.0L * l * (l - 1.0L) / (sigma * sigma));
    }
    return sum;
}

long double absolute_bound(long double sigma, long j) {
    return j % 2 == 0 ? moment(sigma, j) : std::sqrt(moment(sigma, j - 1) * moment(sigma, j + 1));
}

long double remainder(const Taylor& t) {
    const auto m = static_cast<long double>(t.m);
    const long double factor = std::pow(t.q, m) * falling(t.alpha, t.m) / factorial(t.m);
    if (t.alpha <= m)
        return factor * std::pow(1.0L - t.q, t.alpha - m) * absolute_bound(t.sigma, t.m);
    const long n = static_cast<long>(std::ceil(t.alpha)) - t.m;
    return factor * (remainder_sum(t, n) + absolute_bound(t.sigma, t.m));
}

long double coefficient(const Taylor& t, long k) {
    const long double a = t.alpha;
    long double sum = k % 2 == 0 ? 4.0L : 3.0L;
    for (long j = 0; j <= k; ++j) {
        long double product = a / (a - 1.0L);
        for (long l = 0; l < j; ++l) product *= 1.0L - static_cast<long double>(l) / a;
        for (long l = 0; l < k - j; ++l) product *= 1.0L + static_cast<long double>(l - 1) / a;
        sum += binomial(static_cast<long double>(k), j) * std::abs(product - 1.0L);
    }
    return (a - 1.0L) * std::pow(a, static_cast<long double>(k - 1)) * sum *
           absolute_bound(t.sigma, k);
}

long double replace_one_remainder(const Taylor& t) {
    const auto m = static_cast<long double>(t.m);
    const long double bound = absolute_bound(t.sigma, t.m);
    long double sum = 0.0L;
    for (long i = 0; i <= t.m; ++i) {
        const auto j = static_cast<long double>(i);
        long double term =
            std::pow(1.0L - t.q, -(t.alpha + m - j - 1.0L)) * binomial(m, i) * falling(t.alpha, i);
        for (long l = 0; l < t.m - i; ++l) term *= t.alpha + static_cast<long double>(l - 1);
        const long n = static_cast<long>(std::ceil(t.alpha)) - i;
        sum += term * (t.alpha <= j ? std::pow(1.0L - t.q, t.alpha - j) * bound
                                    : bound + remainder_sum(t, n));
    }
    return std::pow(t.q, m) / factorial(t.m) * sum;
}

}  // namespace assay::verify::plain
