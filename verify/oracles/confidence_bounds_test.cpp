#include "verify/oracles/confidence_bounds.hpp"

#include <catch2/catch.hpp>
#include <cmath>

using namespace assay::verify;

namespace {

Interval in_128_bits(double x) {
    return {x, 128};
}

}  // namespace

TEST_CASE("the divergence of two coins is that of their distributions", "[confidence]") {
    const Interval kl = bernoulli_divergence(in_128_bits(0.25), in_128_bits(0.5));
    CHECK(kl.lower_double() == Approx(0.25 * std::log(0.5) + 0.75 * std::log(1.5)));
    CHECK(bernoulli_divergence(in_128_bits(0.5), in_128_bits(0.5)).upper_double() < 1e-30);
}

TEST_CASE("confidence bounds have the divergence asked for", "[confidence]") {
    const Interval q = in_128_bits(0.25);
    const Interval level = in_128_bits(0.01);
    for (const Interval& p : {kl_upper_mean(q, level), kl_lower_mean(q, level)}) {
        CHECK(p.relative_width() < 1e-15);
        CHECK(bernoulli_divergence(q, p).lower_double() == Approx(0.01));
    }
    CHECK(certainly_below(kl_lower_mean(q, level), q));
    CHECK(kl_upper_mean(in_128_bits(0.0), level).upper_double() == Approx(-std::expm1(-0.01)));
    CHECK(kl_lower_mean(in_128_bits(1.0), level).upper_double() == Approx(std::exp(-0.01)));
}

TEST_CASE("a small second moment narrows the bounds", "[confidence]") {
    const Interval q = in_128_bits(1e-3);
    const Interval v = in_128_bits(1e-4);
    const Interval level = in_128_bits(1e-3);
    const Interval above = bennett_upper_mean(q, v, level);
    CHECK(certainly_below(above, kl_upper_mean(q, level)));
    CHECK(bernoulli_divergence(q * above / v, square(above) / v).lower_double() == Approx(1e-3));
    CHECK(certainly_below(kl_lower_mean(in_128_bits(0.1), level),
                          bennett_lower_mean(in_128_bits(0.1), in_128_bits(0.02), level)));
    CHECK(bennett_lower_mean(q, v, in_128_bits(1.0)).is_zero());
    CHECK(bennett_upper_mean(in_128_bits(0.5), in_128_bits(0.04), level).upper_double() ==
          Approx(0.2));
}

TEST_CASE("the empirical variance widens the bound by its root", "[confidence]") {
    const double level = std::log(2.0 / 0.05);
    CHECK(bernstein_upper_mean(in_128_bits(0.1), in_128_bits(0.02), 1000.0, 0.05).upper_double() ==
          Approx(0.1 + std::sqrt(0.04 * level / 1000.0) + 7.0 * level / 2997.0));
}
