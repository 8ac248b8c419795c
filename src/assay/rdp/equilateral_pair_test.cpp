#include "assay/rdp/equilateral_pair.hpp"

#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::test_support;

namespace {

/// E[P^a Q^(1-a)] over the plane, unreduced, for u = side (1, 0), v = side (1/2, sqrt(3)/2).
Wide planar_moment(const Wide& a, const Wide& q, const Wide& side) {
    const Wide v1 = side / 2;
    const Wide v2 = sqrt(Wide(3)) * side / 2;
    const auto c = static_cast<double>(side);
    const auto power = static_cast<double>(a) - 1.0;
    const Wide h(wide_step(72.0, c, c, power));
    const Wide low(-12.5);
    const Wide high = Wide(12.5) + a * side;
    return trapezoid(low, high, h,
                     [&](const Wide& z1) {
                         const Wide p = 1 - q + q * exp(side * (z1 - side / 2));
                         return normal_density(z1) *
                                trapezoid(low, Wide(12.5) + side, h, [&](const Wide& z2) {
                                    const Wide r =
                                        1 - q + q * exp(v1 * (z1 - v1 / 2) + v2 * (z2 - v2 / 2));
                                    return p * exp((a - 1) * log(p / r) - z2 * z2 / 2);
                                });
                     }) /
           sqrt(2 * wide_pi());
}

}  // namespace

TEST_CASE("the planar rule against the unreduced planar sum", "[equilateral_pair]") {
    struct Case {
        double order, q, side;
    };
    for (const Case& p : {Case{1.5, 0.2, 0.25}, Case{3.0, 0.01, 0.5}, Case{2.5, 0.7, 0.4}}) {
        CAPTURE(p.order, p.q, p.side);
        const ExcessMoment moment = equilateral_excess_moment(p.order, p.q, p.side);
        REQUIRE(moment.certified);
        const Wide exact = planar_moment(p.order, p.q, p.side) - 1;
        CHECK(Wide(moment.lower.value()) <= exact);
        CHECK(exact <= Wide(moment.upper.value()));
        CHECK(Wide(moment.upper.value()) - Wide(moment.lower.value()) <= exact * Wide(1e-12));
    }
}

TEST_CASE("order 2 in closed form up to third order in q", "[equilateral_pair]") {
    // E[P^2/Q] - 1 = E[(P-Q)^2/Q] = q^2 (2 e^{s^2} - 2 e^{s^2/2}) (1 + O(q)).
    for (const double side : {0.1, 0.5, 1.0}) {
        const double q = 1e-7;
        const Wide square = Wide(side) * Wide(side);
        const Wide leading = Wide(q) * Wide(q) * 2 * (exp(square) - exp(square / 2));
        const ExcessMoment moment = equilateral_excess_moment(2.0L, q, side);
        REQUIRE(moment.certified);
        CHECK(abs(Wide(moment.upper.value()) / leading - 1) < Wide(1e-5));
    }
}

TEST_CASE("the planar rule refuses what it cannot afford", "[equilateral_pair]") {
    CHECK_FALSE(equilateral_excess_moment(9999.5L, 0.01L, 40.0L).certified);
    CHECK_FALSE(equilateral_excess_moment(2.0L, 1.0L, 0.5L).certified);
}
