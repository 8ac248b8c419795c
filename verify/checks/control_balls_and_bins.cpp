#include <algorithm>
#include <cmath>

#include "assay/monte_carlo/confidence.hpp"
#include "assay/numeric/random_streams.hpp"
#include "verify/checks/control_parts.hpp"
#include "verify/checks/spaces.hpp"

namespace assay::verify {

namespace {

long double normal(long double x) {
    return 0.5L * std::erfc(-x / std::sqrt(2.0L));
}

/// 1/2 + sigma^2 (log_steps - eps)
Enclosure threshold_add(const Point& p, long double log_steps) {
    const long double s2 = static_cast<long double>(p["sigma"]) * p["sigma"];
    const long double term = s2 * (log_steps - p["eps"]);
    const long double slack = 1e-12L * (0.5L + s2 * (log_steps + p["eps"]));
    return enclose_between(0.5L + term - slack, 0.5L + term + slack);
}

/// C / sigma of the removal direction.
long double event_threshold(const Point& p) {
    const long double s = p["sigma"];
    const long double C =
        0.5L + s * s * (p["eps"] - std::log1p(std::expm1(1.0L / (s * s)) / p["T"]));
    return C / s;
}

/// 1 - Phi(C/sigma)^T: the event under the distribution of the first coordinate at 1.
Enclosure event_one(const Point& p) {
    return near(-std::expm1(p["T"] * std::log(normal(event_threshold(p)))), 1e-6L);
}

/// The event under P, where each coordinate is at 1 once.
Enclosure event_mixture(const Point& p) {
    const long double x = event_threshold(p);
    const long double shift = 1.0L / p["sigma"];
    const long double T = p["T"];
    const long double own = std::pow(normal(x), T);
    const long double other = normal(x + shift) * normal(x - shift) * std::pow(normal(x), T - 2.0L);
    return near(1.0L - (own + (T - 1.0L) * other) / T, 1e-6L);
}

/// Mean of what (4) of chua2025 puts in the place of the sum of R uniforms: orders 1, 1+s, .., the
/// i-th for those up to the next one, the last for those up to `end`.
Enclosure encoded_sum(const Point& p, long end) {
    const long R = p.integer("R");
    const long stride = p.integer("stride");
    long double sum = 0.0L;
    for (long k = 1; k <= R; k += stride) {
        const long next = k + stride <= R ? k + stride : end;
        sum += static_cast<long double>(next - k) * static_cast<long double>(R + 1 - k) /
               static_cast<long double>(R + 1);
    }
    return near(sum, 1e-12L);
}

/// E_Q (W - e^eps)_+ for one batch, from cells of z: their mass at its mean, or at their ends with
/// the same mean.
Enclosure from_cells(const Point& p, bool spread) {
    const long double w = 1.0L / p["sigma"];
    const long double e = std::exp(static_cast<long double>(p["eps"]));
    const long double width = p["width"];
    const auto ratio = [w](long double z) { return std::exp(w * z - 0.5L * w * w); };
    long double sum = 0.0L;
    for (long double z = -9.0L; z < 9.0L + w; z += width) {
        // From the side on which both tails are small.
        const auto mass_of = [&](long double a) {
            return a > 0.0L ? normal(-a) - normal(-a - width) : normal(a + width) - normal(a);
        };
        const long double mass = mass_of(z);
        const long double mean = mass_of(z - w);
        const long double low = ratio(z);
        const long double high = ratio(z + width);
        if (spread)
            sum += ((mass * high - mean) * std::max(low - e, 0.0L) +
                    (mean - mass * low) * std::max(high - e, 0.0L)) /
                   (high - low);
        else
            sum += std::max(mean - mass * e, 0.0L);
    }
    return near(sum);
}

/// Share of 2000 repetitions in which one of two bounds misses, each at error probability `beta`.
Enclosure either_misses(const Point& p, double beta) {
    constexpr int repetitions = 2000;
    const double mean = 1.0 - 0.999 * p["beta"];
    int missed = 0;
    for (int i = 0; i < repetitions; ++i) {
        RandomStream stream(static_cast<std::uint64_t>(p.integer("seed")), Purpose::test,
                            static_cast<std::uint64_t>(i));
        bool miss = false;
        for (int statement = 0; statement < 2; ++statement) {
            const double head = stream.uniform() < mean ? 1.0 : 0.0;
            miss = miss || kl_upper_confidence(head, 1, beta).upper < mean;
        }
        missed += miss ? 1 : 0;
    }
    const double share = static_cast<double>(missed) / repetitions;
    return {share, share};
}

Control beta_not_split() {
    const Space space{{{"beta", Scale::linear, 0.1, 0.4, false, {0.1, 0.2}},
                       {"seed", Scale::logarithmic, 1, 1e9, true, {}}},
                      {}};
    const Against allowed{"beta plus 6 standard errors",
                          [](const Point& p, long bits) {
                              const double beta = p["beta"];
                              return Interval(beta, bits) +
                                     Interval(6.0 * std::sqrt(beta * (1.0 - beta) / 2000.0), bits);
                          },
                          Relation::at_most};
    return control(
        "two_bounds_at_beta_each",
        "beta for beta/2 in each of two bounds that shall hold together (chua2025 Algorithm 4)",
        allowed, space, [](const Point& p) { return either_misses(p, p["beta"]); },
        [](const Point& p) { return either_misses(p, shared_error_probability(p["beta"], 2)); });
}

}  // namespace

std::vector<Control> balls_and_bins_controls() {
    const Space epochs{{count_dimension("T", 2, 1000, {2, 3, 100}),
                        noise_dimension("sigma", 0.4, 2.0),
                        {"eps", Scale::linear, 0.1, 3.0, false, {0.1, 1.0}}},
                       {}};
    const Space orders{
        {count_dimension("R", 2, 500, {2, 3, 10}), {"stride", Scale::linear, 1, 3, true, {1}}}, {}};
    const Space one_batch{{noise_dimension("sigma", 0.5, 4.0),
                           {"eps", Scale::linear, 0.0, 1.0, false, {0.0, 0.5}},
                           {"width", Scale::logarithmic, 0.05, 1.0, false, {0.25}},
                           {"T", Scale::linear, 1, 1, true, {1}}},
                          {}};
    const Against sum{"half of R",
                      [](const Point& p, long bits) { return Interval(p["R"], bits) / 2.0; },
                      Relation::at_least};
    constexpr auto formula = Method::formula;
    return {
        control(
            "threshold_add_without_log_steps",
            "C_eps of D(Q || P) without sigma^2 log T, as chua2025 Section 4 prints it",
            encloses("chua2025.c_eps_add", formula), epochs,
            [](const Point& p) { return threshold_add(p, 0.0L); },
            [](const Point& p) {
                return threshold_add(p, std::log(static_cast<long double>(p["T"])));
            }),
        control("event_under_the_mixture",
                "P(E) for P_1(E) in chua2025 Section 4, where E singles out one coordinate",
                encloses("chua2025.event_probability_remove", formula), epochs, event_mixture,
                event_one),
        control(
            "tail_of_one_coordinate", "the tail of one coordinate where T may be the largest",
            bounds("chua2025.event_probability_remove", formula), epochs,
            [](const Point& p) { return near(normal(-event_threshold(p))); },
            [](const Point& p) { return near(p["T"] * normal(-event_threshold(p))); }),
        control(
            "last_order_ends_at_r", "k_{r+1} = R for R+1 in chua2025 (4): the smallest is dropped",
            sum, orders, [](const Point& p) { return encoded_sum(p, p.integer("R")); },
            [](const Point& p) { return encoded_sum(p, p.integer("R") + 1); }),
        control(
            "lower_side_spread", "cells spread to their ends, not gathered, for a lower bound",
            below("balls_and_bins.delta_remove", Method::trapezoid), one_batch,
            [](const Point& p) { return from_cells(p, true); },
            [](const Point& p) { return from_cells(p, false); }),
        beta_not_split(),
    };
}

}  // namespace assay::verify
