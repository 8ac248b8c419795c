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

Totals totals(const GeometricGridDistribution& distribution) {
    Totals sum{Wide(distribution.low.mass) + Wide(distribution.top.mass),
               Wide(distribution.low.moment) + Wide(distribution.top.moment)};
    for (std::size_t i = 0; i < distribution.mass.size(); ++i) {
        sum.mass += Wide(distribution.mass[i]);
        sum.moment += Wide(distribution.moment[i]);
    }
    return sum;
}

/// The part above the grid as one more atom, which is the same for thresholds below it.
AtomicDistribution whole(AtomicDistribution distribution) {
    distribution.positions.push_back(distribution.above.moment / distribution.above.mass);
    distribution.masses.push_back(distribution.above.mass);
    return distribution;
}

/// E[(X - K)_+] of the atoms of a distribution.
Wide excess(const AtomicDistribution& distribution, const Wide& threshold) {
    const AtomicDistribution x = whole(distribution);
    Wide sum = 0;
    for (std::size_t i = 0; i < x.masses.size(); ++i)
        if (Wide(x.positions[i]) > threshold)
            sum += Wide(x.masses[i]) * (Wide(x.positions[i]) - threshold);
    return sum;
}

/// The same of a sum of independent atoms, term by term.
Wide excess_of_sum(const AtomicDistribution& a, const AtomicDistribution& b,
                   const Wide& threshold) {
    const AtomicDistribution x = whole(a);
    const AtomicDistribution y = whole(b);
    Wide sum = 0;
    for (std::size_t i = 0; i < x.masses.size(); ++i)
        for (std::size_t j = 0; j < y.masses.size(); ++j) {
            const Wide gain = Wide(x.positions[i]) + Wide(y.positions[j]) - threshold;
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
            const GeometricGridDistribution one = sums.lognormal(noise);
            GeometricGridDistribution distribution = one;
            for (int n = 2; n <= 16; n *= 2)
                distribution = sums.trimmed(sums.sum(distribution, distribution), 1e-9, 1.0);
            distribution = sums.sum(distribution, one);
            const Totals sum = totals(distribution);
            CHECK(abs(sum.mass - 1) < Wide(1e-9));
            CHECK(abs(sum.moment - 17) < Wide(1e-7));
        }
}

TEST_CASE("a sum stands on its side of the exact sum of its summands", "[geometric_sum]") {
    for (const double noise : {0.3, 0.8}) {
        const double step = 0.08;
        for (const ConvexSide side : {ConvexSide::below, ConvexSide::above}) {
            GeometricSums sums(side, step, -5.0, 4.0);
            const GeometricGridDistribution a = sums.lognormal(noise);
            const GeometricGridDistribution b = sums.sum(a, a);
            for (const auto& [x, y] : {std::pair{&a, &a}, {&a, &b}, {&b, &a}}) {
                const AtomicDistribution exact_x = sums.atoms(*x);
                const AtomicDistribution exact_y = sums.atoms(*y);
                const AtomicDistribution sum = sums.atoms(sums.sum(*x, *y));
                for (const double threshold : {0.3, 1.0, 2.0, 3.3, 10.0, 40.0}) {
                    CAPTURE(noise, side == ConvexSide::above, threshold);
                    const Wide truth = excess_of_sum(exact_x, exact_y, Wide(threshold));
                    const Wide found = excess(sum, Wide(threshold));
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
        for (const double threshold : {0.5, 1.0, 3.0, 15.0}) {
            CAPTURE(noise, threshold);
            const Wide s = 1 / Wide(noise);
            const Wide z = log(Wide(threshold)) / s + s / 2;
            const Wide root = sqrt(Wide(2));
            const Wide truth = erfc((z - s) / root) / 2 - Wide(threshold) * erfc(z / root) / 2;
            GeometricSums below(ConvexSide::below, 0.03, -6.0, 3.0);
            GeometricSums above(ConvexSide::above, 0.03, -6.0, 3.0);
            const Wide low = excess(below.atoms(below.lognormal(noise)), Wide(threshold));
            const Wide high = excess(above.atoms(above.lognormal(noise)), Wide(threshold));
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
