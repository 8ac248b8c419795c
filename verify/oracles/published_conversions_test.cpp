#include "verify/oracles/published_conversions.hpp"

#include "verify/oracles/integer_order_expect.hpp"

using namespace assay::verify;

namespace {

Interval conversion(std::string_view quantity, const Point& point, long bits = 64) {
    return oracle_named(published_conversion_oracles(), quantity).evaluate(point, bits);
}

Point order_point(double alpha, double rdp, double delta) {
    return {{"alpha", alpha}, {"rdp", rdp}, {"delta", delta}};
}

}  // namespace

// Truth computed independently with 60+ digits (mpmath).

TEST_CASE("the two conversions of an order agree with an independent evaluation") {
    for (const long bits : {64, 256}) {
        CHECK(agrees(conversion("convert.mironov2017_prop_3", order_point(2.5, 0.5, 0x1p-20), bits),
                     "9.741962407465937458896428286109", bits));
        CHECK(agrees(conversion("convert.balle2020_thm_21", order_point(2.5, 0.5, 0x1p-20), bits),
                     "8.6202762957838433989018960486267", bits));
        CHECK(agrees(conversion("convert.canonne2020", order_point(2.5, 0.5, 0x1p-20), bits),
                     "8.6202762957838433989018960486267", bits));
    }
}

TEST_CASE("only the guarded conversion is cut at zero") {
    // log 2 - log 2 - log 2 + 1/2 at alpha = 2, delta = 1/2.
    CHECK(agrees(conversion("convert.balle2020_thm_21", order_point(2, 0.5, 0.5)),
                 "-0.19314718055994530941723212145818"));
    CHECK(conversion("convert.canonne2020", order_point(2, 0.5, 0.5)).is_zero());
}

TEST_CASE("the guard acts although the formula is positive") {
    // delta^2 = 1e-4 exceeds 1 - e^{-1e-6}.
    CHECK(conversion("convert.balle2020_thm_21", order_point(16, 1e-6, 0.01)).is_positive());
    CHECK(conversion("convert.canonne2020", order_point(16, 1e-6, 0.01)).is_zero());
    CHECK(conversion("convert.canonne2020", order_point(16, 1e-4 * 1.001, 0.01)).is_positive());
}

TEST_CASE("the probability of an order agrees with an independent evaluation") {
    CHECK(agrees(
        conversion("convert.canonne2020_delta", {{"alpha", 2.5}, {"rdp", 0.5}, {"eps", 1.25}}),
        "0.060353932770433705012458090725019"));
    CHECK(conversion("convert.canonne2020_delta", {{"alpha", 2.5}, {"rdp", 0}, {"eps", 1}})
              .is_zero());
    // At alpha <= 1.01 only sqrt(1 - e^{-rdp}) is left.
    const Interval bound = sqrt(1.0 - exp(Interval(-0.5, 300)));
    CHECK(overlap(
        conversion("convert.canonne2020_delta", {{"alpha", 1.01}, {"rdp", 0.5}, {"eps", 90}}, 128),
        bound));
    CHECK_FALSE(overlap(
        conversion("convert.canonne2020_delta", {{"alpha", 1.02}, {"rdp", 0.5}, {"eps", 90}}, 128),
        bound));
}
