#include <algorithm>
#include <cmath>
#include <limits>

#include "verify/checks/control_formulas.hpp"
#include "verify/checks/control_parts.hpp"
#include "verify/checks/spaces.hpp"
#include "verify/oracles/ratio_product.hpp"

namespace assay::verify {

namespace {

using plain::Quadrature;

constexpr const char* fixed_size = "exact.fixed_size_without_replacement";
constexpr const char* poisson = "exact.poisson_add_remove";

Space line(double least_noise, double top_noise) {
    return {{order_dimension(1.1, 8.0),
             noise_dimension("sigma", least_noise, top_noise),
             {"q", Scale::logarithmic, 1e-3, 0.5, false, {0.01, 0.1}}},
            {}};
}

Space integer_orders(double least_q, double top_q) {
    return {{integer_order_dimension(32.0),
             noise_dimension("s", 1.0, 100.0),
             {"q", Scale::logarithmic, least_q, top_q, false, {1e-6}}},
            {}};
}

Enclosure integrated(const Point& p, const Quadrature& rule) {
    const long double alpha = p["alpha"];
    const long double excess = plain::integrated_excess(alpha, p["q"], 2.0L / p["sigma"], rule);
    return near(std::log1p(excess) / (alpha - 1.0L));
}

Quadrature whole_range(const Point& p, long double step) {
    return {-14.0L, p["alpha"] * 2.0L / p["sigma"] + 14.0L, step};
}

Enclosure honest_integral(const Point& p) {
    return integrated(p, whole_range(p, 0.015625L));
}

/// log E[W^alpha]/(alpha-1) by the trapezoid rule, all in single precision.
Enclosure in_single_precision(const Point& p) {
    const auto alpha = static_cast<float>(p["alpha"]);
    const auto q = static_cast<float>(p["q"]);
    const float c = 2.0F / static_cast<float>(p["sigma"]);
    const float step = 0.0625F;
    float sum = 0.0F;
    for (float z = -14.0F; z <= alpha * c + 14.0F; z += step) {
        const float w = 1.0F - q + q * std::exp(c * z - c * c / 2.0F);
        sum += step * std::exp(-z * z / 2.0F) * std::pow(w, alpha);
    }
    return near(std::log(sum / std::sqrt(6.2831853F)) / (alpha - 1.0F));
}

/// log(sum_k C(n,k) q^k (1-q)^{n-k} e^{k(k-1)/(2 s^2)})/(n-1), nothing subtracted beforehand.
Enclosure without_reduction(const Point& p) {
    const double n = p["alpha"];
    const double q = p["q"];
    const double s = p["s"];
    double sum = 0.0;
    double binomial = 1.0;
    for (double k = 0.0; k <= n; k += 1.0) {
        sum += binomial * std::pow(q, k) * std::pow(1.0 - q, n - k) *
               std::exp(k * (k - 1.0) / (2.0 * s * s));
        binomial *= (n - k) / (k + 1.0);
    }
    return near(std::log(sum) / (n - 1.0));
}

Enclosure reduced(const Point& p) {
    return near(plain::sampled_rdp(p.integer("alpha"), p["q"], 1.0L / p["s"]));
}

/// The integer-order sum in interval arithmetic, then one of the two doubles around it.
Enclosure rounded(const Point& p, bool up) {
    static const Truth sum = oracle_truth(poisson, Method::sum);
    const Interval value = sum(p, 128);
    return exactly(up ? value.upper_double() : value.lower_double());
}

Enclosure rounded_up(const Point& p) {
    return rounded(p, true);
}
Enclosure rounded_down(const Point& p) {
    return rounded(p, false);
}

/// delta of one step at eps = s q as P - e^eps Q, two masses that hardly differ; and as
/// q (P' - Q) - (e^eps - 1) Q, P' the step that draws the record.
Enclosure small_delta(const Point& p, bool cancelling) {
    const double q = p["q"];
    const double c = 1.0 / p["sigma"];
    const double epsilon = q * std::expm1(c * p["z"]);
    const double at = std::log1p(std::expm1(epsilon) / q) / c + 0.5 * c;
    const double rest = 0.5 * std::erfc(at / std::sqrt(2.0));
    const double drawn = 0.5 * std::erfc((at - c) / std::sqrt(2.0));
    if (cancelling) return near((1.0 - q) * rest + q * drawn - std::exp(epsilon) * rest, 1e-6L);
    return near(q * (drawn - rest) - std::expm1(epsilon) * rest, 1e-6L);
}

/// The same from Arb.
Interval exact_small_delta(const Point& p, long /*bits*/) {
    const Interval c = Interval(1.0, ratio_bits) / p["sigma"];
    const double epsilon = p["q"] * std::expm1(1.0 / p["sigma"] * p["z"]);
    return removal_ratio(p["q"], c).excess(exp(Interval(epsilon, ratio_bits)));
}

}  // namespace

std::vector<Control> arithmetic_controls() {
    const Space ordinary{{integer_order_dimension(16.0),
                          noise_dimension("s", 1.0, 20.0),
                          {"q", Scale::logarithmic, 1e-3, 0.5, false, {0.01, 0.1}}},
                         {}};
    return {
        control(
            "trapezoid_step_too_large",
            "the trapezoid sum with step 1 at little noise taken for the integral",
            encloses(fixed_size, Method::trapezoid), line(0.5, 1.0),
            [](const Point& p) { return integrated(p, whole_range(p, 1.0L)); }, honest_integral),
        control(
            "tail_cut_at_4_deviations",
            "the integral over |z| <= 4 without a bound on the rest, called an upper bound",
            bounds(fixed_size, Method::trapezoid), line(0.5, 10.0),
            [](const Point& p) {
                return integrated(p, Quadrature{-4.0L, 4.0L, 0.015625L});
            },
            honest_integral),
        control("h_in_single_precision", "H evaluated in single precision",
                encloses(fixed_size, Method::trapezoid), line(1.0, 10.0), in_single_precision,
                honest_integral),
        control("log_a_without_reduction",
                "log(A_alpha)/(alpha-1) in double precision, A_alpha formed with its leading 1",
                bounds(poisson, Method::sum), integer_orders(1e-7, 1e-4), without_reduction,
                reduced),
        control(
            "clipped_at_1e_12", "divergences below 1e-12 reported as 1e-12",
            encloses(poisson, Method::sum), integer_orders(1e-9, 1e-3),
            [](const Point& p) {
                const Enclosure value = reduced(p);
                return Enclosure{std::max(value.lower, 1e-12), std::max(value.upper, 1e-12)};
            },
            reduced),
        control(
            "small_losses_cancel", "delta of losses below 1e-9 as P - e^eps Q in double precision",
            {"one step's divergence in Arb", exact_small_delta, Relation::encloses},
            Space{{noise_dimension("sigma", 0.5, 5.0),
                   {"q", Scale::logarithmic, 1e-13, 1e-10, false, {1e-12}},
                   linear_dimension("z", 0.5, 3.0, {1.0})},
                  {}},
            [](const Point& p) { return small_delta(p, true); },
            [](const Point& p) { return small_delta(p, false); }),
        control("lower_bound_one_ulp_high",
                "a lower bound rounded up: the double next above the exact value",
                below(poisson, Method::trapezoid), ordinary, rounded_up, rounded_down),
        control("upper_bound_one_ulp_low",
                "an upper bound rounded down: the double next below the exact value",
                bounds(poisson, Method::trapezoid), ordinary, rounded_down, rounded_up),
    };
}

}  // namespace assay::verify
