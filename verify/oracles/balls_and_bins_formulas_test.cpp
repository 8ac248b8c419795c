#include "verify/oracles/balls_and_bins_formulas.hpp"

#include <cmath>
#include <vector>

#include "verify/oracles/integer_order_expect.hpp"

using namespace assay::verify;

namespace {

Interval closed_form(std::string_view quantity, const Point& point, long bits = 64) {
    return oracle_named(balls_and_bins_formula_oracles(), quantity).evaluate(point, bits);
}

/// P(S_C) - e^eps Q(S_C).
Interval at_threshold(long T, double sigma, double shift, double eps, double C) {
    const Interval s(sigma, 128);
    const Interval others = power(normal_cdf(Interval(C, 128) / s), T - 1);
    const Interval p = 1.0 - normal_cdf((Interval(C, 128) - shift) / s) * others;
    const Interval q = 1.0 - normal_cdf((Interval(C, 128) - (shift - 1.0)) / s) * others;
    return p - exp(Interval(eps, 128)) * q;
}

}  // namespace

TEST_CASE("the supremum is above every threshold and close to the best", "[balls_and_bins]") {
    for (const double shift : {1.0, 2.0})
        for (const long T : {1L, 2L, 100L, 36133L})
            for (const double sigma : {0.3, 1.0}) {
                CAPTURE(shift, T, sigma);
                const Interval found = largest_coordinate_supremum(T, sigma, shift, 1.0, 64);
                Interval best(0.0, 128);
                for (double C = -2.0; C < 18.0; C += 0.0625)
                    best = max(best, at_threshold(T, sigma, shift, 1.0, C));
                CHECK_FALSE(certainly_below(found, best));
                CHECK(certainly_below(0.9 * found, best));
            }
}

TEST_CASE("one batch has the delta of a Gaussian step", "[balls_and_bins]") {
    CHECK(agrees(largest_coordinate_supremum(1, 2, 1, 0.125, 64),
                 "0.15038116527960193017224876457853"));
}

TEST_CASE("moments of one batch are those of a Gaussian", "[balls_and_bins]") {
    for (const long alpha : {2L, 7L, 20L}) {
        const Interval exact = Interval::integer(alpha, 128) / 8.0;  // alpha/(2 sigma^2)
        CHECK(overlap(shared_moment(1, 2, alpha, 64), exact));
    }
    // alpha = 2: log(1 + (e^{1/sigma^2} - 1)/T).
    CHECK(overlap(shared_moment(4, 2, 2, 64), log1p(expm1(Interval(0.25, 128)) / 4.0)));
    // alpha = 3, T = 2: (e^{3x} + 3 e^x)/4, x = 1/sigma^2.
    const Interval x(0.25, 128);
    CHECK(overlap(shared_moment(2, 2, 3, 64), log((exp(3.0 * x) + 3.0 * exp(x)) / 4.0) / 2.0));
}

TEST_CASE("confidence bounds solve their equation", "[balls_and_bins]") {
    const Interval p = smallest_mean(0.25, 100, 0.01, 64);
    const Interval q(0.25, 128);
    const Interval kl = q * log(q / p) + (1.0 - q) * log((1.0 - q) / (1.0 - p));
    CHECK(overlap(kl, -log(Interval(0.01, 128)) / 100.0));
    CHECK(certainly_below(q, p));
    CHECK(smallest_mean(1.0, 10, 0.1, 64).lower_double() == 1.0);
    // 1 - beta^(1/m)
    CHECK(overlap(smallest_mean(0.0, 2, 0.25, 64), Interval(0.5, 64)));
}

TEST_CASE("thresholds and events", "[balls_and_bins]") {
    // One batch: 1/2 + sigma^2 eps - 1 and 1/2 - sigma^2 eps.
    CHECK(
        overlap(closed_form("chua2025.c_eps_remove", epoch_point(1, 2, 0.125)), Interval(0.0, 64)));
    CHECK(overlap(closed_form("chua2025.c_eps_add", epoch_point(1, 2, 0.125)), Interval(0.0, 64)));
    CHECK(overlap(closed_form("chua2025.event_probability_add", epoch_point(1, 2, 0.125)),
                  Interval(0.5, 64)));
    // chua2025 Section 4 quotes 3.75e-3, at what is eps = 9.
    const Interval nine =
        closed_form("chua2025.event_probability_remove", epoch_point(5000, 0.4, 9));
    CHECK(std::abs(nine.upper_double() - 3.75e-3) < 5e-6);
}

TEST_CASE("mean logarithms of uniforms", "[balls_and_bins]") {
    const auto mean = [](double R, double k) {
        return closed_form("order_statistics.mean_log_uniform", {{"R", R}, {"k", k}});
    };
    CHECK(overlap(mean(50, 1), Interval(-1.0, 64) / 50.0));
    CHECK(overlap(mean(3, 3), Interval(-11.0, 64) / 6.0));
}
