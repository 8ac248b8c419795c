#include "verify/oracles/published_general.hpp"

#include "verify/oracles/integer_order_expect.hpp"

using namespace assay::verify;

namespace {

Interval general_bound(std::string_view quantity, const Point& point, long bits = 64) {
    return oracle_named(published_general_oracles(), quantity).evaluate(point, bits);
}

}  // namespace

TEST_CASE("Wang's upper bound below two and between integers") {
    // Computed independently with 60+ digits (mpmath).
    for (const long bits : {64, 256}) {
        CHECK(agrees(
            general_bound("wang2019.upper", {{"alpha", 5.25}, {"sigma", 4}, {"q", 0.125}}, bits),
            "0.065076244299134829783520543817624", bits));
        CHECK(agrees(
            general_bound("wang2019.upper", {{"alpha", 1.5}, {"sigma", 4}, {"q", 0.125}}, bits),
            "0.017595869237840491167986246716163", bits));
    }
    CHECK(general_bound("wang2019.upper", {{"alpha", 5.25}, {"sigma", 4}, {"q", 0}}).is_zero());
}

TEST_CASE("Wang's lower bound is the divergence itself") {
    // The trapezoid rule, computed independently with 60+ digits (mpmath).
    CHECK(agrees(general_bound("wang2019.lower", {{"alpha", 5}, {"sigma", 4}, {"q", 0.125}}),
                 "0.012315070020573444879807555897988"));
    CHECK(
        agrees(general_bound("wang2019.lower", {{"alpha", 3}, {"sigma", 1e4}, {"q", 0x1p-30}}, 128),
               "5.2041705320138314234934599041647e-26", 128));
    CHECK(general_bound("wang2019.lower", {{"alpha", 5}, {"sigma", 4}, {"q", 0}}).is_zero());
}

TEST_CASE("Theorem 11 and the right sides of its conditions") {
    const Point point{{"alpha", 5.5}, {"s", 4}, {"q", 0x1p-6}};
    // 2 q^2 alpha / s^2 = 5.5 / 2^15
    CHECK(agrees(general_bound("mironov2019.thm_11", point), "0.000167846679687500"));
    // Computed independently with 60+ digits (mpmath).
    CHECK(agrees(general_bound("mironov2019.thm_11.rhs4", point),
                 "19.009462065695463022528668747246"));
    CHECK(agrees(general_bound("mironov2019.thm_11.rhs5", point),
                 "183.16250979402177930360714036598"));
    CHECK(general_bound("mironov2019.thm_11", {{"alpha", 5.5}, {"s", 4}, {"q", 0}}).is_zero());
}
