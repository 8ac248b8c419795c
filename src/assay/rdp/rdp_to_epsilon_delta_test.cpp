#include "assay/rdp/rdp_to_epsilon_delta.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "assay/numeric/errors.hpp"
#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::test_support;

namespace {

Wide mironov(const Wide& a, const Wide& rdp, const Wide& delta) {
    return rdp + log(1 / delta) / (a - 1);
}

Wide balle(const Wide& a, const Wide& rdp, const Wide& delta) {
    return rdp - (log(delta) + log(a)) / (a - 1) + log((a - 1) / a);
}

/// J.2 solved the other way, with J.3.
Wide delta_of(const Wide& a, const Wide& rdp, const Wide& epsilon, bool both) {
    const Wide guard = sqrt(-expm1(-rdp));
    if (!both) return guard;
    const Wide main = exp((a - 1) * (rdp - epsilon + log1p(-1 / a)) - log(a));
    return std::min({guard, main, Wide(1)});
}

/// Absolute widths: near a zero of the formula there is no relative one.
void check(const Enclosure& e, const Wide& truth, const Wide& scale) {
    CAPTURE(e.lower, e.upper, digits(truth));
    REQUIRE(Wide(e.lower) <= truth);
    REQUIRE(truth <= Wide(e.upper));
    REQUIRE(Wide(e.upper) - Wide(e.lower) <= abs(truth) * Wide(1e-15) + scale * Wide(1e-17));
}

}  // namespace

TEST_CASE("conversions at independent 30-digit values", "[rdp_to_epsilon_delta]") {
    struct Case {
        double order, rdp, delta;
        const char* mironov;
        const char* balle;
    };
    for (const Case& p : {Case{2, 0.5, 0.00001, "12.0129254649702284200899572734",
                               "10.6266311038503378012554930305"},
                          Case{1.1, 0.01, 0.00001, "115.139254649702284200899572734",
                               "111.788257578860665056398107923"},
                          Case{32.5, 1.2, 0.0000000001, "1.93097939460128434413269569990",
                               "1.78921129270557065784295834388"},
                          Case{16, 0.000001, 0.01, "0.307012345732539424535732193958",
                               "0.0576345764456495036848797125517"}}) {
        CAPTURE(p.order, p.rdp, p.delta);
        CHECK_THAT(mironov2017_epsilon(p.order, exactly(p.rdp), p.delta),
                   Encloses(Wide(p.mironov), 1e-11, 1e-12));
        CHECK_THAT(balle2020_epsilon(p.order, exactly(p.rdp), p.delta),
                   Encloses(Wide(p.balle), 1e-11, 1e-12));
    }
    CHECK_THAT(canonne2020_epsilon(2, exactly(0.5), 1e-5),
               encloses_printed("10.6266311038503378012554930305"));
    // The guard: delta^2 > 1 - e^{-rdp}.
    CHECK(canonne2020_epsilon(16, exactly(1e-6), 0.01) == exactly(0.0));
    CHECK_THAT(canonne2020_delta(2, exactly(0.1), 1.5),
               encloses_printed("0.0616492409854016192349653099584"));
    CHECK_THAT(canonne2020_delta(16, exactly(0.3), 1.0),
               encloses_printed("0.000000653667817196070300989587828930"));
}

TEST_CASE("conversions against their formulas in 50 digits", "[rdp_to_epsilon_delta]") {
    Random random(211);
    CAPTURE(random.seed());
    for (int i = 0; i < 300 * effort(); ++i) {
        const double order =
            1.0 + (i % 3 == 0 ? random.log_uniform(1e-12, 1e-2) : random.log_uniform(1e-2, 1e4));
        const double rdp = random.log_uniform(1e-20, 1e4);
        const double delta =
            i % 5 == 0 ? random.log_uniform(1e-300, 1e-50) : random.log_uniform(1e-12, 0.999);
        const Wide a(order);
        CAPTURE(order, rdp, delta);
        const Wide scale = (abs(log(Wide(delta))) + log(a) + 1) / (a - 1) + 1 + Wide(rdp);
        check(mironov2017_epsilon(order, exactly(rdp), delta), mironov(a, rdp, delta), scale);
        check(balle2020_epsilon(order, exactly(rdp), delta), balle(a, rdp, delta), scale);
        const Wide guard = Wide(delta) * Wide(delta) + expm1(-Wide(rdp));
        const Wide formula = balle(a, rdp, delta);
        if (abs(guard) > Wide(1e-15) * Wide(delta) * Wide(delta))
            check(canonne2020_epsilon(order, exactly(rdp), delta),
                  guard > 0 || formula < 0 ? Wide(0) : formula, scale);
        // The ordering of the three.
        const double loose = mironov2017_epsilon(order, exactly(rdp), delta).upper;
        const double tight = balle2020_epsilon(order, exactly(rdp), delta).lower;
        REQUIRE(tight < loose);
        REQUIRE(canonne2020_epsilon(order, exactly(rdp), delta).lower <=
                std::max(0.0, balle2020_epsilon(order, exactly(rdp), delta).upper));
        // And back: delta at that epsilon is the delta asked for, or the guard.
        const double epsilon = random.uniform(0.0, 2.0) * (1.0 + rdp);
        const Wide truth = delta_of(a, rdp, epsilon, order > 1.01);
        const Enclosure back = canonne2020_delta(order, exactly(rdp), epsilon);
        if (truth < Wide(1e-300)) continue;
        REQUIRE(Wide(back.lower) <= truth);
        REQUIRE(truth <= Wide(back.upper));
        REQUIRE(Wide(back.upper) - Wide(back.lower) <=
                truth * Wide(1e-15) * (1 + a * (Wide(rdp) + Wide(epsilon))) + Wide(1e-323));
    }
}

TEST_CASE("near a zero of the formula the rounding of its parts is counted",
          "[rdp_to_epsilon_delta]") {
    Random random(212);
    CAPTURE(random.seed());
    for (int i = 0; i < 400 * effort(); ++i) {
        // rdp cancels log((a-1)/a) - (log delta + log a)/(a-1) up to one double rounding.
        const double order = 1.0 + random.log_uniform(0.5, 1e4);
        const double delta = random.uniform(0.5, 0.999) / order;
        const Wide offset = balle(order, 0, delta);
        if (offset >= 0) continue;
        const auto rdp = static_cast<double>(-offset);
        CAPTURE(order, delta, rdp);
        check(balle2020_epsilon(order, exactly(rdp), delta), balle(order, rdp, delta),
              Wide(rdp) + abs(log(Wide(delta))));
    }
}

TEST_CASE("an upper bound of a positive delta is positive", "[rdp_to_epsilon_delta]") {
    for (const double epsilon : {100.0, 1000.0, 1e5, 1e9}) {
        const Enclosure delta = canonne2020_delta(200.0, exactly(0.5), epsilon);
        CAPTURE(epsilon);
        CHECK(delta.lower >= 0.0);
        CHECK(delta.upper > 0.0);
    }
}

TEST_CASE("epsilon and delta invert each other", "[rdp_to_epsilon_delta]") {
    for (const double order : {1.5, 8.0, 200.0})
        for (const double rdp : {0.01, 1.0, 30.0})
            for (const double delta : {1e-12, 1e-5}) {
                CAPTURE(order, rdp, delta);
                const Enclosure epsilon = canonne2020_epsilon(order, exactly(rdp), delta);
                if (epsilon.lower == 0.0) continue;
                CHECK(canonne2020_delta(order, exactly(rdp), epsilon.midpoint()).midpoint() ==
                      Approx(delta).epsilon(1e-9));
            }
}

TEST_CASE("the guard decides at delta = sqrt(1 - e^-rdp)", "[rdp_to_epsilon_delta]") {
    for (const double rdp : {1e-12, 1e-3, 0.5, 3.0}) {
        const double edge = std::sqrt(-std::expm1(-rdp));
        // Orders near 1 where the plain formula is far from 0.
        CHECK(canonne2020_epsilon(1.05, exactly(rdp), edge * (1.0 + 1e-12)) == exactly(0.0));
        const Enclosure below = canonne2020_epsilon(1.05, exactly(rdp), edge * (1.0 - 1e-12));
        CHECK(below.lower ==
              std::max(0.0, balle2020_epsilon(1.05, exactly(rdp), edge * (1.0 - 1e-12)).lower));
        // An interval that straddles the edge contains both answers.
        const Enclosure both = canonne2020_epsilon(1.05, {0.999 * rdp, 1.001 * rdp}, edge);
        CHECK(both.lower == 0.0);
        CHECK(both.upper >= balle2020_epsilon(1.05, exactly(rdp), edge).lower);
    }
    CHECK(canonne2020_epsilon(2.0, exactly(0.0), 1e-300) == exactly(0.0));
}

TEST_CASE("enclosures in, enclosures out, infinity stays infinity", "[rdp_to_epsilon_delta]") {
    const Enclosure rdp{0.4, 0.6};
    for (const auto& convert :
         {mironov2017_epsilon, balle2020_epsilon, canonne2020_epsilon, canonne2020_delta}) {
        const Enclosure e = convert(3.0, rdp, 0.01);
        CHECK(e.lower == convert(3.0, exactly(0.4), 0.01).lower);
        CHECK(e.upper == convert(3.0, exactly(0.6), 0.01).upper);
    }
    const Enclosure unknown{0.0, infinity};
    CHECK(mironov2017_epsilon(3.0, unknown, 0.01).upper == infinity);
    CHECK(balle2020_epsilon(3.0, unknown, 0.01).upper == infinity);
    CHECK(canonne2020_epsilon(3.0, unknown, 0.01) == Enclosure{0.0, infinity});
    CHECK(canonne2020_delta(3.0, unknown, 0.5).upper == 1.0);
    CHECK(canonne2020_delta(3.0, exactly(0.0), 0.5).lower == 0.0);
    CHECK(canonne2020_delta(3.0, exactly(1e11), 0.5).upper <= 1.0);
    CHECK(canonne2020_delta(3.0, exactly(0.1), -5.0).upper <= 1.0);
}

TEST_CASE("Opacus' grid: nearest doubles of tenths, then integers", "[rdp_to_epsilon_delta]") {
    const std::vector<double> orders = opacus_orders();
    REQUIRE(orders.size() == 99U + 52U);
    CHECK(orders.front() == 1.1);
    CHECK(orders[2] == 1.3);
    CHECK(orders[98] == 10.9);
    CHECK(orders[99] == 12.0);
    CHECK(orders.back() == 63.0);
    CHECK(std::is_sorted(orders.begin(), orders.end()));
}

TEST_CASE("rdp to epsilon delta: bad input is refused by name", "[rdp_to_epsilon_delta]") {
    const double nan = std::nan("");
    for (const auto& convert : {mironov2017_epsilon, balle2020_epsilon, canonne2020_epsilon}) {
        for (const double order : {1.0, 0.5, nan, infinity})
            CHECK(refused([&] { return convert(order, exactly(0.5), 0.1); }) == "alpha");
        for (const double delta : {0.0, 1.0, -0.1, 1.5, nan})
            CHECK(refused([&] { return convert(2.0, exactly(0.5), delta); }) == "delta");
        CHECK(refused([&] { return convert(2.0, exactly(-0.5), 0.1); }) == "rdp");
        CHECK(refused([&] { return convert(2.0, Enclosure{0.5, 0.4}, 0.1); }) == "rdp");
        CHECK(refused([&] { return convert(2.0, Enclosure{nan, nan}, 0.1); }) == "rdp");
    }
    CHECK(refused([&] { return canonne2020_delta(1.0, exactly(0.5), 0.1); }) == "alpha");
    CHECK(refused([&] { return canonne2020_delta(2.0, exactly(-0.5), 0.1); }) == "rdp");
    CHECK(refused([&] { return canonne2020_delta(2.0, exactly(0.5), nan); }) == "eps");
}
