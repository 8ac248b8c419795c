#include "verify/oracles/trapezoid_strip.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

namespace assay::verify::trapezoid {

namespace {

constexpr long strip_bits = 200;

// |h sum e^{-(kh)^2/2} / sqrt(2 pi) - 1|.
Interval gaussian_error(double h) {
    Interval sum(0.0, strip_bits);
    for (long k = -400; k <= 400; ++k)
        sum += exp(-square(Interval(h, strip_bits) * Interval::integer(k, strip_bits)) / 2.0);
    return abs(sum * h / sqrt(2.0 * Interval::pi(strip_bits)) - 1.0);
}

}  // namespace

TEST_CASE("trapezoid rule error bounds the true one and is not far above it", "[oracles]") {
    // Known: 2 e^{-2 pi^2/h^2} + ..., by Poisson's summation.
    for (const double h : {0.5, 0.75, 1.0}) {
        const Interval bound = rule_error(Strip{}, Interval(h, strip_bits));
        const Interval error = gaussian_error(h);
        CHECK(error.upper_double() < bound.upper_double());
        CHECK(bound.upper_double() < 1.01 * error.lower_double());
    }
}

TEST_CASE("trapezoid step reaches the accuracy asked for", "[oracles]") {
    for (const Strip& strip :
         {Strip{}, Strip{4.0, 0.0, 0.0}, Strip{4.0, 4.0, 15.0}, Strip{0.1, 0.1, 1e5}})
        for (const double nats : {40.0, 300.0}) {
            const double h = widest_step(strip, nats);
            CHECK(rule_error(strip, Interval(h, strip_bits)).upper_double() < std::exp(-nats));
            CHECK(rule_error(strip, Interval(1.1 * h, strip_bits)).upper_double() >
                  std::exp(-nats));
        }
}

TEST_CASE("trapezoid sums over a line and its ends are bounded", "[oracles]") {
    const double h = 0.25;
    const double slope = 3.0;
    const auto sum_from = [&](double least) {
        double sum = 0.0;
        for (int k = -400; k <= 400; ++k) {
            const double x = std::abs(k * h);
            if (x >= least) sum += std::exp(slope * x - x * x / 2 - slope * slope / 2);
        }
        return sum;
    };
    const Interval step(h, strip_bits);
    CHECK(sum_from(0.0) < sum_over_all(step).lower_double());
    for (const double width : {0.5, 2.0, 6.0}) {
        const double bound = sum_beyond(Interval(width, strip_bits), step).lower_double();
        CHECK(sum_from(slope + width) < bound);
        CHECK(bound < 4 * sum_from(slope + width));
    }
}

TEST_CASE("parabola maximum is above every value and sharp", "[oracles]") {
    for (const double slope : {-3.0, 0.4, 2.0, 7.0}) {
        const Interval range =
            Interval::between(Interval(-1.0, strip_bits), Interval(5.0, strip_bits));
        const double bound = parabola_maximum(Interval(slope, strip_bits), range).upper_double();
        double highest = -INFINITY;
        for (double x = -1.0; x <= 5.0; x += 1.0 / 64)
            highest = std::max(highest, slope * x - x * x / 2);
        CHECK(bound >= highest);
        CHECK(bound <= highest + 1e-3);
    }
}

}  // namespace assay::verify::trapezoid
