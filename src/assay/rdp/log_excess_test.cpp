#include "assay/rdp/log_excess.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

using namespace assay;

TEST_CASE("log1p_over encloses and keeps tiny and huge arguments", "[log_excess]") {
    const Enclosure tiny = log1p_over({ScaledReal(1e-30L), 0.0L}, 2.0L);
    CHECK(tiny.lower <= 0.5e-30);
    CHECK(tiny.upper >= 0.5e-30);
    CHECK(tiny.relative_width() < 1e-15);

    const Enclosure huge = log1p_over({ScaledReal::exp_of(1e12L), 1e-3L}, 1.0L);
    CHECK(huge.contains(1e12));
    CHECK(huge.relative_width() < 1e-14);  // an error of the argument is divided by its logarithm

    CHECK(log1p_over({ScaledReal(), 0.0L}, 3.0L) == exactly(0.0));

    // Positive, however small: never the point 0.
    const Enclosure vanishing = log1p_over({ScaledReal::exp_of(-1e6L), 0.0L}, 1.0L);
    CHECK(vanishing.lower == 0.0);
    CHECK(vanishing.upper > 0.0);
}

TEST_CASE("an error of the argument widens log1p by the logistic slope", "[log_excess]") {
    const real excess = 0.25L;
    const real error = 1e-6L;
    const Enclosure e = log1p_over({ScaledReal(excess), error}, 1.0L);
    CHECK(e.lower <= static_cast<double>(std::log1p(excess * std::exp(-error))));
    CHECK(e.upper >= static_cast<double>(std::log1p(excess * std::exp(error))));
    CHECK(e.upper - e.lower < 2.1 * 0.25e-6);
}

TEST_CASE("log1p_exp_over agrees with log1p_over on both sides of its switch", "[log_excess]") {
    for (const real y : {-20000.0L, -11000.5L, -40.0L, 0.0L, 3.0L, 63.9L, 64.1L, 1e9L}) {
        const Enclosure by_log = log1p_exp_over(y, 0.0L, 1.5L);
        const Enclosure by_value = log1p_over({ScaledReal::exp_of(y), 0.0L}, 1.5L);
        CHECK(by_log.lower <= by_value.upper);
        CHECK(by_value.lower <= by_log.upper);
        if (y > -700.0L) CHECK(by_log.relative_width() < 1e-12);  // else below every double
    }
    CHECK(log1p_exp_over(-std::numeric_limits<real>::infinity(), 0.0L, 1.0L) == exactly(0.0));
}

TEST_CASE("LogSum adds in any order", "[log_excess]") {
    LogSum rising;
    LogSum falling;
    CHECK(std::isinf(rising.log()));
    for (int i = 0; i <= 1000; ++i) {
        rising.add(static_cast<real>(i) * 0.5L);
        falling.add(static_cast<real>(1000 - i) * 0.5L);
    }
    // Geometric series: e^500 / (1 - e^-0.5).
    const real exact = 500.0L - std::log(-std::expm1(-0.5L));
    CHECK(std::fabs(rising.log() - exact) <= rising.log_error());
    CHECK(std::fabs(falling.log() - exact) <= falling.log_error());
    rising.add(1e10L);
    CHECK(rising.log() == 1e10L);
}

TEST_CASE("log_expm1 and log_add at their ends", "[log_excess]") {
    CHECK(log_expm1(0.0L) == -std::numeric_limits<real>::infinity());
    CHECK(std::fabs(log_expm1(1e-20L) - std::log(1e-20L)) < 1e-17L);
    CHECK(log_expm1(1e15L) == 1e15L);
    const real minus_infinity = -std::numeric_limits<real>::infinity();
    CHECK(log_add(minus_infinity, 2.0L) == 2.0L);
    CHECK(log_add(minus_infinity, minus_infinity) == minus_infinity);
    CHECK(std::fabs(log_add(0.0L, 0.0L) - std::log(2.0L)) < 1e-18L);
}
