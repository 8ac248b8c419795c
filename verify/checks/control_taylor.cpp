#include <cmath>

#include "verify/checks/control_formulas.hpp"
#include "verify/checks/control_parts.hpp"
#include "verify/checks/spaces.hpp"

namespace assay::verify {

namespace {

using plain::Taylor;

/// Small orders and much noise: the moments keep their digits in the alternating sum.
Space taylor_space(double top_terms = 6.0) {
    return {{order_dimension(1.1, 8.0),
             noise_dimension("sigma", 1.0, 6.0),
             terms_dimension(top_terms),
             {"q", Scale::logarithmic, 1e-4, 0.3, false, {0.01, 0.1}}},
            {}};
}

Taylor setting(const Point& p) {
    return {p["alpha"], p["sigma"], p["q"], p.integer("m")};
}

Enclosure divergence(const Taylor& t, long double excess) {
    return near(std::log1p(excess) / (t.alpha - 1.0L));
}

/// sum_{k=first}^{last} C(alpha,k) q^k M_k.
long double add_remove_terms(const Taylor& t, long first, long last) {
    long double sum = 0.0L;
    for (long k = first; k <= last; ++k)
        sum += plain::binomial(t.alpha, k) * std::pow(t.q, static_cast<long double>(k)) *
               plain::moment(t.sigma, k);
    return sum;
}

Enclosure theorem_3_3(const Point& p) {
    const Taylor t = setting(p);
    return divergence(t, add_remove_terms(t, 2, t.m - 1) + plain::remainder(t));
}

/// q^2 alpha (alpha-1) (e^{4/sigma^2} - e^{2/sigma^2}).
long double second_order(const Taylor& t) {
    const long double x = 2.0L / (t.sigma * t.sigma);
    return t.q * t.q * t.alpha * (t.alpha - 1.0L) * std::exp(x) * std::expm1(x);
}

/// sum_{k=3}^{m-1} q^k/k! F~_k.
long double replace_one_terms(const Taylor& t) {
    long double sum = 0.0L;
    for (long k = 3; k < t.m; ++k)
        sum += std::pow(t.q, static_cast<long double>(k)) /
               std::tgamma(static_cast<long double>(k + 1)) * plain::coefficient(t, k);
    return sum;
}

long double higher_orders(const Taylor& t) {
    return replace_one_terms(t) + plain::replace_one_remainder(t);
}

Taylor with_noise(Taylor t, long double factor) {
    t.sigma *= factor;
    return t;
}

Enclosure theorem_3_4(const Point& p) {
    const Taylor t = setting(p);
    return divergence(t, second_order(t) + higher_orders(t));
}

/// The noise of the higher orders is `factor` sigma, 2 in print.
Enclosure theorem_c_9(const Point& p, long double factor) {
    const Taylor t = setting(p);
    const long double x = 1.0L / (t.sigma * t.sigma);
    const long double second = t.q * t.q * t.alpha * (t.alpha - 1.0L) * 2.0L * std::sinh(x);
    return divergence(t, second + higher_orders(with_noise(t, factor)));
}

}  // namespace

std::vector<Control> taylor_controls() {
    const auto exact = bounds("exact.fixed_size_without_replacement", Method::trapezoid);
    return {
        control(
            "theorem_3_3_without_remainder",
            "birrell2024 Theorem 3.3 with its remainder R~ left out, still called a bound", exact,
            taylor_space(),
            [](const Point& p) {
                const Taylor t = setting(p);
                return divergence(t, add_remove_terms(t, 2, t.m - 1));
            },
            theorem_3_3),
        control(
            "theorem_3_3_sum_starts_at_3",
            "the Taylor sum of birrell2024 (41) begun at k = 3 instead of 2", exact, taylor_space(),
            [](const Point& p) {
                const Taylor t = setting(p);
                return divergence(t, add_remove_terms(t, 3, t.m - 1) + plain::remainder(t));
            },
            theorem_3_3),
        control(
            "theorem_3_3_sum_stops_early",
            "the Taylor sum of birrell2024 (41) ended at m-2 with the remainder of order m", exact,
            taylor_space(),
            [](const Point& p) {
                const Taylor t = setting(p);
                return divergence(t, add_remove_terms(t, 2, t.m - 2) + plain::remainder(t));
            },
            theorem_3_3),
        control(
            "theorem_3_4_without_remainder",
            "birrell2024 Theorem 3.4 with its remainder E~ left out, still called a bound", exact,
            taylor_space(),
            [](const Point& p) {
                const Taylor t = setting(p);
                return divergence(t, second_order(t) + replace_one_terms(t));
            },
            theorem_3_4),
        control(
            "theorem_3_4_second_order_halved",
            "birrell2024 Theorem 3.4 with q^2/2 instead of q^2 before its second-order coefficient",
            exact, taylor_space(),
            [](const Point& p) {
                const Taylor t = setting(p);
                return divergence(t, second_order(t) / 2.0L + higher_orders(t));
            },
            theorem_3_4),
        control(
            "theorem_3_4_moments_at_2_sigma",
            "the higher orders of birrell2024 Theorem 3.4 with 2 sigma for sigma, as under Poisson "
            "sampling",
            exact, taylor_space(),
            [](const Point& p) {
                const Taylor t = setting(p);
                return divergence(t, second_order(t) + higher_orders(with_noise(t, 2.0L)));
            },
            theorem_3_4),
        control(
            "theorem_c_9_sigma_for_2_sigma",
            "the higher orders of birrell2024 Theorem C.9 with sigma for 2 sigma",
            encloses("birrell2024.thm_c_9_as_printed", Method::formula), taylor_space(),
            [](const Point& p) { return theorem_c_9(p, 1.0L); },
            [](const Point& p) { return theorem_c_9(p, 2.0L); }),
    };
}

}  // namespace assay::verify
