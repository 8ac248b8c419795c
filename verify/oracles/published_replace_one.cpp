#include "verify/oracles/published_replace_one.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "verify/oracles/integer_order_refine.hpp"
#include "verify/oracles/published_add_remove.hpp"

namespace assay::verify {

namespace {

constexpr double most_remainder_work = 2e8;  // about 0.5 s

Interval choose(long n, long k, long p) {
    Interval value(1.0, p);
    for (long j = 1; j <= k; ++j) {
        value *= whole(n - j + 1);
        value /= whole(j);
    }
    return value;
}

}  // namespace

Interval coefficient_bound(double alpha, long k, const Moments& moments, FirstFamily family,
                           const Moments& wide) {
    const Interval bound = moments.absolute_bound(k);
    const long p = bound.bits();
    const Interval a(alpha, p);
    Interval first = (k % 2 == 0 ? 4.0 : 3.0) * bound;
    if (family == FirstFamily::repaired)
        first = 2.0 * wide.absolute_bound(k) + (k % 2 == 0 ? 2.0 : 1.0) * bound;
    // prod_{l<j} (1 - l/alpha) and prod_{l<j} (1 + (l-1)/alpha).
    std::vector<Interval> falling{Interval(1.0, p)};
    std::vector<Interval> rising{Interval(1.0, p)};
    for (long l = 0; l < k; ++l) {
        falling.push_back(falling.back() * (1.0 - static_cast<double>(l) / a));
        rising.push_back(rising.back() * (1.0 + static_cast<double>(l - 1) / a));
    }
    Interval sum(0.0, p);
    Interval binomial(1.0, p);  // C(k, j)
    for (long j = 0; j <= k; ++j) {
        const Interval product = a / (a - 1.0) * falling[static_cast<std::size_t>(j)] *
                                 rising[static_cast<std::size_t>(k - j)];
        sum += binomial * abs(product - 1.0);
        binomial *= whole(k - j);
        binomial /= whole(j + 1);
    }
    return (a - 1.0) * power(a, k - 1) * (first + sum * bound);
}

Interval replace_one_remainder(double alpha, long m, const Interval& q, const Moments& moments) {
    const long p = q.bits();
    const long ceiling = static_cast<long>(std::ceil(alpha));
    if (static_cast<double>(m + 1) * static_cast<double>(ceiling) * static_cast<double>(p + 200) >
        most_remainder_work)
        throw Unaffordable();
    const Interval a(alpha, p);
    const Interval rest = 1.0 - q;
    const Interval bound = moments.absolute_bound(m);
    Interval sum(0.0, p);
    for (long j = 0; j <= m; ++j) {
        if (is_integer(alpha) && static_cast<double>(j) > alpha) break;  // alpha - l = 0 for l < j
        Interval term = choose(m, j, p) * absolute_falling_factorial(alpha, j, p);
        for (long l = 0; l < m - j; ++l) term *= a + static_cast<double>(l - 1);
        term *= power(rest, -(a + static_cast<double>(m - j - 1)));
        if (alpha <= static_cast<double>(j))
            term *= power(rest, a - static_cast<double>(j)) * bound;
        else
            term *= bound + remainder_sum(ceiling - j, m, q, moments);
        sum += term;
    }
    Interval factor = power(q, m);
    for (long j = 2; j <= m; ++j) factor /= whole(j);
    return factor * sum;
}

namespace {

/// What Theorems 3.4 and C.9 ask of a point, at precision p.
struct Setting {
    double alpha;
    double q;
    double sigma;
    long m;

    explicit Setting(const Point& point)
        : alpha(point["alpha"]), q(point["q"]), sigma(point["sigma"]), m(point.integer("m")) {}

    [[nodiscard]] Moments moments(double noise, long p) const {
        const Interval c_squared = fixed_size_shift_squared(noise, p);
        const double terms = static_cast<double>(m);
        const double order = std::ceil(alpha) + terms;
        // All of (90) carries a power of 1-q; its weights differ from C(order, k) by less than
        // 2^m C(order, m).
        const double extra = -(alpha + terms) * std::log1p(-q);
        const double slack = terms * std::numbers::ln2 + std::lgamma(order + 1) -
                             std::lgamma(terms + 1) - std::lgamma(order - terms + 1);
        return Moments(c_squared, orders_that_matter(alpha, m, q, c_squared,
                                                     static_cast<long>(order), extra, slack));
    }
};

/// log[1 + q^2 alpha (alpha-1) second + sum_{k=3}^{m-1} q^k/k! F~_k + E~_m(q)] / (alpha-1).
Interval bound(const Setting& setting, const Interval& second, const Moments& moments,
               FirstFamily family, const Moments& wide) {
    const long p = second.bits();
    const Interval a(setting.alpha, p);
    const Interval q(setting.q, p);
    Interval sum = square(q) * a * (a - 1.0) * second;
    Interval weight = square(q) / 2.0;  // q^k / k!
    for (long k = 3; k < setting.m; ++k) {
        weight *= q;
        weight /= whole(k);
        sum += weight * coefficient_bound(setting.alpha, k, moments, family, wide);
    }
    sum += replace_one_remainder(setting.alpha, setting.m, q, moments);
    return log1p(sum) / (a - 1.0);
}

/// e^{x/sigma^2}.
Interval exponential(double x, double sigma, long p) {
    return exp(Interval(x, p) / square(Interval(sigma, p)));
}

Interval theorem_3_4(const Point& point, long bits) {
    const Setting setting(point);
    if (setting.q == 0) return Interval(0.0, bits);
    return nonnegative(refined(bits, [&](long p) {
        const Moments moments = setting.moments(setting.sigma, p);
        const Interval second =
            exponential(4.0, setting.sigma, p) - exponential(2.0, setting.sigma, p);
        return bound(setting, second, moments, FirstFamily::as_printed, moments);
    }));
}

Interval theorem_c_9(const Point& point, long bits, FirstFamily family) {
    const Setting setting(point);
    if (setting.q == 0) return Interval(0.0, bits);
    return nonnegative(refined(bits, [&](long p) {
        const Moments moments = setting.moments(2 * setting.sigma, p);  // 2 sigma is exact
        const Interval second =
            exponential(1.0, setting.sigma, p) - exponential(-1.0, setting.sigma, p);
        if (family == FirstFamily::as_printed)
            return bound(setting, second, moments, family, moments);
        const Interval c_squared = fixed_size_shift_squared(setting.sigma, p);
        const Moments wide(c_squared, setting.m + 1);
        return bound(setting, second, moments, family, wide);
    }));
}

Interval theorem_c_9_as_printed(const Point& point, long bits) {
    return theorem_c_9(point, bits, FirstFamily::as_printed);
}

Interval theorem_c_9_repaired(const Point& point, long bits) {
    return theorem_c_9(point, bits, FirstFamily::repaired);
}

Interval log_f_tilde(const Point& point, long bits) {
    const long k = point.integer("k");
    const double sigma = point["sigma"];
    return refined(bits, [&](long p) {
        const Moments moments(fixed_size_shift_squared(sigma, p), k + 1);
        return log(coefficient_bound(point["alpha"], k, moments, FirstFamily::as_printed, moments));
    });
}

Interval log_e_tilde(const Point& point, long bits) {
    const Setting setting(point);
    if (setting.q == 0) return log(Interval(0.0, bits));
    return refined(bits, [&](long p) {
        const Moments moments = setting.moments(setting.sigma, p);
        return log(
            replace_one_remainder(setting.alpha, setting.m, Interval(setting.q, p), moments));
    });
}

Interval attainable_coefficient(const Point& point, long bits) {
    return refined(bits, [&](long p) { return (exponential(4.0, point["sigma"], p) - 1.0) / 2.0; });
}

Interval published_coefficient(const Point& point, long bits) {
    const double sigma = point["sigma"];
    return refined(bits,
                   [&](long p) { return exponential(4.0, sigma, p) - exponential(2.0, sigma, p); });
}

}  // namespace

std::vector<Oracle> published_replace_one_oracles() {
    return {
        {"birrell2024.thm_3_4", "(14), (83), (90) as printed", theorem_3_4},
        {"birrell2024.thm_c_9_as_printed", "(98), (83), (90) as printed", theorem_c_9_as_printed},
        {"birrell2024.thm_c_9_repaired", "(98) with (80) repaired", theorem_c_9_repaired},
        {"birrell2024.log_F_tilde", "(83) as printed", log_f_tilde},
        {"birrell2024.log_E_tilde", "(90) as printed", log_e_tilde},
        {"exact.second_order_coefficient", "closed form", attainable_coefficient},
        {"birrell2024.second_order_coefficient", "closed form", published_coefficient},
    };
}

}  // namespace assay::verify
