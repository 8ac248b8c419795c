#include "verify/oracles/lemma_logistic.hpp"

#include <catch2/catch.hpp>
#include <cmath>

namespace assay::verify::lemma {

namespace {

void check_digits(const Interval& x, const char* digits, long bits) {
    CHECK(overlap(x, Interval::decimal(digits, 256)));
    CHECK(x.relative_width() < std::ldexp(1.0, static_cast<int>(8 - bits)));
}

}  // namespace

TEST_CASE("logistic moments agree with mpmath", "[verify]") {
    // Computed independently with 40 digits (mpmath), cut and rounded: mean -3, variance 2.
    const LogisticMoments m = logistic_moments(Interval(-3.0, 128), Interval(2.0, 128), 64);
    CHECK(m.one.lower_double() == Approx(0.0913589900116281594).epsilon(1e-15));
    CHECK(m.slope.lower_double() == Approx(0.0693708433991358932).epsilon(1e-15));
    CHECK(m.low.lower_double() == Approx(0.0559435915279557935).epsilon(1e-15));
    CHECK(m.high.lower_double() == Approx(0.0134272518711800997).epsilon(1e-15));
    CHECK(m.one.relative_width() < 1e-18);
    CHECK(m.high.relative_width() < 1e-18);
}

TEST_CASE("moments of a symmetric distribution and their identities", "[verify]") {
    const LogisticMoments m = logistic_moments(Interval(0.0, 200), Interval(5.0, 200), 128);
    check_digits(m.one, "0.5", 128);
    CHECK(overlap(m.low, m.high));
    CHECK(overlap(m.slope, m.low + m.high));
    CHECK(overlap(m.curvature, Interval(0.0, 200)));
}

TEST_CASE("more bits narrow an interval inside the wider one", "[verify]") {
    const Interval mean(1.25, 400);
    const Interval variance(0.75, 400);
    const LogisticMoments rough = logistic_moments(mean, variance, 40);
    const LogisticMoments sharp = logistic_moments(mean, variance, 160);
    CHECK(mpfr_lessequal_p(rough.low.lower(), sharp.low.lower()) != 0);
    CHECK(mpfr_greaterequal_p(rough.low.upper(), sharp.low.upper()) != 0);
    CHECK(sharp.low.relative_width() < 1e-40);
    CHECK(rough.low.relative_width() > 1e-40);
}

TEST_CASE("psi at b equals g at b/2", "[verify]") {
    const Interval L(-1.5, 160);
    const Interval b(3.0, 160);
    CHECK(overlap(psi_moments(L, b, 96).one, g_moments(L, b / 2.0, b, 96).one));
    CHECK(certainly_below(g_moments(L, b / 4.0, b, 96).one, psi_moments(L, b, 96).one));
}

}  // namespace assay::verify::lemma
