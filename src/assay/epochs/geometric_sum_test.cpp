#include "assay/epochs/geometric_sum.hpp"

#include <cmath>

#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::test_support;

namespace {

struct Totals {
    Wide mass = 0;
    Wide moment = 0;
};

Totals totals(const GeometricLaw& law) {
    Totals sum{Wide(law.low.mass) + Wide(law.top.mass),
               Wide(law.low.moment) + Wide(law.top.moment)};
    for (std::size_t i = 0; i < law.mass.size(); ++i) {
        sum.mass += Wide(law.mass[i]);
        sum.moment += Wide(law.moment[i]);
    }
    return sum;
}

/// The part above the grid as one more atom, which is the same for strikes below it.
AtomicLaw whole(AtomicLaw law) {
    law.positions.push_back(law.above.moment / law.above.mass);
    law.masses.push_back(law.above.mass);
    return law;
}

/// E[(X - K)_+] of the atoms of a law.
Wide call(const AtomicLaw& law, const Wide& strike) {
    const AtomicLaw x = whole(law);
    Wide sum = 0;
    for (std::size_t i = 0; i < x.masses.size(); ++i)
        if (Wide(x.positions[i]) > strike)
            sum += Wide(x.masses[i]) * (Wide(x.positions[i]) - strike);
    return sum;
}

/// The same of a sum of independent atoms, term by term.
Wide call_of_sum(const AtomicLaw& a, const AtomicLaw& b, const Wide& strike) {
    const AtomicLaw x = whole(a);
    const AtomicLaw y = whole(b);
    Wide sum = 0;
    for (std::size_t i = 0; i < x.masses.size(); ++i)
        for (std::size_t j = 0; j < y.masses.size(); ++j) {
            const Wide gain = Wide(x.positions[i]) + Wide(y.positions[j]) - strike;
            if (gain > 0) sum += Wide(x.masses[i]) * Wide(y.masses[j]) * gain;
        }
    return sum;
}

}  // namespace

TEST_CASE("sums keep probability and mean on both sides", "[geometric_sum]") {
    for (const double noise : {0.25, 0.5, 2.0})
        for (const ConvexSide side : {ConvexSide::below, ConvexSide::above}) {
            CAPTURE(noise, side == ConvexSide::above);
            GeometricSums sums(side, 0.05, -8.0, std::log(64.0) + 3.0);
            const GeometricLaw one = sums.lognormal(noise);
            GeometricLaw law = one;
            for (int n = 2; n <= 16; n *= 2) law = sums.trimmed(sums.sum(law, law), 1e-9, 1.0);
            law = sums.sum(law, one);
            const Totals sum = totals(law);
            CHECK(abs(sum.mass - 1) < Wide(1e-9));
            CHECK(abs(sum.moment - 17) < Wide(1e-7));
        }
}

TEST_CASE("a sum stands on its side of the exact sum of its summands", "[geometric_sum]") {
    for (const double noise : {0.3, 0.8}) {
        const double step = 0.08;
        for (const ConvexSide side : {ConvexSide::below, ConvexSide::above}) {
            GeometricSums sums(side, step, -5.0, 4.0);
            const GeometricLaw a = sums.lognormal(noise);
            const GeometricLaw b = sums.sum(a, a);
            for (const auto& [x, y] : {std::pair{&a, &a}, {&a, &b}, {&b, &a}}) {
                const AtomicLaw exact_x = sums.atoms(*x);
                const AtomicLaw exact_y = sums.atoms(*y);
                const AtomicLaw sum = sums.atoms(sums.sum(*x, *y));
                for (const double strike : {0.3, 1.0, 2.0, 3.3, 10.0, 40.0}) {
                    CAPTURE(noise, side == ConvexSide::above, strike);
                    const Wide truth = call_of_sum(exact_x, exact_y, Wide(strike));
                    const Wide found = call(sum, Wide(strike));
                    const Wide slack = abs(truth) * Wide(1e-11);
                    if (side == ConvexSide::above)
                        CHECK(found >= truth - slack);
                    else
                        CHECK(found <= truth + slack);
                    // Second order: a cell adds or removes at most step^2/4 of its square.
                    CHECK(abs(found - truth) <= Wide(0.3 * step) * truth + slack);
                }
            }
        }
    }
}

TEST_CASE("the lognormal's discretisations enclose its payoffs", "[geometric_sum]") {
    for (const double noise : {0.2, 0.5, 1.0, 4.0})
        for (const double strike : {0.5, 1.0, 3.0, 15.0}) {
            CAPTURE(noise, strike);
            const Wide s = 1 / Wide(noise);
            const Wide z = log(Wide(strike)) / s + s / 2;
            const Wide root = sqrt(Wide(2));
            const Wide truth = erfc((z - s) / root) / 2 - Wide(strike) * erfc(z / root) / 2;
            GeometricSums below(ConvexSide::below, 0.03, -6.0, 3.0);
            GeometricSums above(ConvexSide::above, 0.03, -6.0, 3.0);
            const Wide low = call(below.atoms(below.lognormal(noise)), Wide(strike));
            const Wide high = call(above.atoms(above.lognormal(noise)), Wide(strike));
            const Wide slack(1e-12);
            CHECK(low <= truth * (1 + slack) + Wide(1e-30));
            CHECK(high >= truth * (1 - slack));
        }
}

TEST_CASE("offsets between grid points do not depend on rounding", "[geometric_sum]") {
    // log(2)/h is an integer for h = log(2)/35: the step has to give way.
    const GeometricSums sums(ConvexSide::above, std::log(2.0) / 35.0, -2.0, 5.0);
    CHECK(sums.step() != std::log(2.0) / 35.0);
    CHECK(sums.step() == Approx(std::log(2.0) / 35.0).epsilon(1e-5));
}

TEST_CASE("a step outside its range is refused", "[geometric_sum]") {
    for (const double step : {0.0, -0.1, 0.3, std::nan("")})
        CHECK(refused([&] { return GeometricSums(ConvexSide::above, step, 0.0, 1.0).step(); }) ==
              "step");
}
