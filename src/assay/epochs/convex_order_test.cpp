#include "assay/epochs/convex_order.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::test_support;

namespace {

using Real = long double;

Real upper_tail(Real z) {
    return 0.5L * std::erfc(z / std::sqrt(2.0L));
}

/// E[(Y - K)_+] and E[(K - Y)_+] of the lognormal of mean 1.
Real payoff(Real slope, Real threshold, bool excess) {
    if (threshold <= 0.0L) return excess ? 1.0L - threshold : 0.0L;
    const Real z = std::log(threshold) / slope + slope / 2.0L;
    return excess ? upper_tail(z - slope) - threshold * upper_tail(z)
                  : threshold * upper_tail(-z) - upper_tail(slope - z);
}

/// Two batches: condition on the first term; the inner mean is a closed form, smooth on either side
/// of where the first term alone reaches the threshold. Simpson's rule, about 12 digits.
Real two_batches(double noise, double epsilon, LossDirection direction) {
    const Real s = 1.0L / noise;
    const bool removal = direction == LossDirection::removal;
    const Real threshold = 2.0L * std::exp(static_cast<Real>(removal ? epsilon : -epsilon));
    const Real kink = std::log(threshold) / s + s / 2.0L;
    const auto inner = [&](Real z) {
        return payoff(s, threshold - std::exp(s * z - s * s / 2.0L), removal) *
               std::exp(-z * z / 2.0L) * 0.39894228040143267794L;
    };
    const auto simpson = [&](Real left, Real right) {
        constexpr int panels = 4000;
        const Real h = (right - left) / panels;
        Real sum = inner(left) + inner(right);
        for (int i = 1; i < panels; ++i) sum += inner(left + h * i) * (i % 2 == 1 ? 4.0L : 2.0L);
        return sum * h / 3.0L;
    };
    const Real total = simpson(-12.0L, kink) + (removal ? simpson(kink, s + 12.0L) : 0.0L);
    return removal ? total / 2.0L : total * std::exp(static_cast<Real>(epsilon)) / 2.0L;
}

}  // namespace

TEST_CASE("an epoch of one batch is a Gaussian step", "[convex_order]") {
    for (const double noise : {0.2, 0.5, 1.0, 5.0})
        for (const double epsilon : {0.0, 0.3, 1.0, 3.0})
            for (const LossDirection direction :
                 {LossDirection::removal, LossDirection::addition}) {
                CAPTURE(noise, epsilon, to_string(direction));
                const Enclosure delta =
                    ConvexOrderBracket({noise, 1}, direction, epsilon, {SumGrid::geometric, 0.01})
                        .delta(epsilon);
                const Wide truth = gaussian_delta_wide(noise, 1, epsilon);
                CHECK(Wide(delta.lower) <= truth);
                CHECK(truth <= Wide(delta.upper));
                if (truth > Wide(1e-9)) CHECK(delta.upper - delta.lower <= 3e-3 * delta.upper);
            }
}

TEST_CASE("far thresholds and little noise are resolved in both directions", "[convex_order]") {
    struct Case {
        double noise;
        double epsilon;
    };
    for (const Case& c : {Case{0.29, 20.0}, Case{0.1, 60.0}, Case{0.05, 250.0}, Case{0.03, 599.0}})
        for (const LossDirection direction : {LossDirection::removal, LossDirection::addition}) {
            CAPTURE(c.noise, c.epsilon, to_string(direction));
            const Enclosure delta =
                ConvexOrderBracket({c.noise, 1}, direction, c.epsilon, {SumGrid::geometric, 0.02})
                    .delta(c.epsilon);
            const Wide truth = gaussian_delta_wide(c.noise, 1, c.epsilon);
            CHECK(Wide(delta.lower) <= truth);
            CHECK(truth <= Wide(delta.upper));
            CHECK(delta.upper - delta.lower <= 1e-6 * delta.upper);
        }
    for (const double noise : {0.2, 0.25, 0.3}) {
        const Enclosure delta = ConvexOrderBracket({noise, 2}, LossDirection::addition, 20.0,
                                                   {SumGrid::geometric, 0.02})
                                    .delta(20.0);
        const auto truth = static_cast<double>(two_batches(noise, 20.0, LossDirection::addition));
        CAPTURE(noise, truth, delta.lower, delta.upper);
        CHECK(delta.lower <= truth * (1.0 + 1e-7));
        CHECK(truth <= delta.upper * (1.0 + 1e-7));
        CHECK(delta.upper - delta.lower <= 1e-3 * delta.upper);
    }
}

TEST_CASE("two batches against quadrature", "[convex_order]") {
    for (const double noise : {0.3, 0.7, 2.0})
        for (const double epsilon : {0.1, 1.0})
            for (const LossDirection direction :
                 {LossDirection::removal, LossDirection::addition}) {
                const Real truth = two_batches(noise, epsilon, direction);
                const Real slack = truth * 1e-9L;
                for (const SumGrid grid : {SumGrid::geometric, SumGrid::centred}) {
                    CAPTURE(noise, epsilon, to_string(direction), truth, grid == SumGrid::centred);
                    const Enclosure delta =
                        ConvexOrderBracket({noise, 2}, direction, epsilon, {grid, 0.01})
                            .delta(epsilon);
                    CHECK(delta.lower <= truth + slack);
                    CHECK(truth - slack <= delta.upper);
                    if (truth > 1e-6L) CHECK(delta.upper - delta.lower <= 4e-3 * delta.upper);
                }
            }
}

TEST_CASE("brackets meet independent brackets of long epochs", "[convex_order]") {
    // Independent brackets from another program, double precision, other grids.
    struct Case {
        LossDirection direction;
        std::int64_t steps;
        double noise, epsilon, lower, upper;
    };
    for (const Case& c :
         {Case{LossDirection::removal, 36133, 0.4, 0.25, 0.003671890372981096,
               0.0036721417642214173},
          Case{LossDirection::removal, 36133, 0.4, 4.0, 9.512067036179328e-07,
               9.512303100923029e-07},
          Case{LossDirection::removal, 36133, 0.1, 20.0, 0.9671549224524334, 0.9671549324015492},
          Case{LossDirection::removal, 1000, 1.0, 0.1, 0.00014814042438859572,
               0.00014833472627334726},
          Case{LossDirection::removal, 1000000, 0.25, 4.0, 0.004145557178644428,
               0.004145579676455797},
          Case{LossDirection::addition, 36133, 0.4, 0.25, 3.1103028069969713e-07,
               3.1340145729401454e-07},
          Case{LossDirection::addition, 1000, 1.0, 0.1, 9.278271142917288e-05,
               9.294985726449856e-05}}) {
        CAPTURE(to_string(c.direction), c.steps, c.noise, c.epsilon);
        const BallsAndBins mechanism{c.noise, c.steps};
        const Enclosure delta =
            ConvexOrderBracket(mechanism, c.direction, c.epsilon, coarse_resolution(mechanism))
                .delta(c.epsilon);
        CHECK(delta.lower <= c.upper);
        CHECK(c.lower <= delta.upper);
    }
}

TEST_CASE("a finer grid's bracket meets a coarser one's", "[convex_order]") {
    Random random(11);
    CAPTURE(random.seed());
    for (int i = 0; i < 6 * effort(); ++i) {
        const BallsAndBins mechanism{random.log_uniform(0.15, 3.0),
                                     static_cast<std::int64_t>(random.log_uniform(2.0, 3e4))};
        const double epsilon = random.log_uniform(0.01, 3.0);
        for (const LossDirection direction : {LossDirection::removal, LossDirection::addition}) {
            double lower = 0.0;
            double upper = 1.0;
            for (const Resolution& resolution :
                 {Resolution{SumGrid::geometric, 0.05}, Resolution{SumGrid::geometric, 0.02},
                  Resolution{SumGrid::centred, 0.06}, Resolution{SumGrid::centred, 0.03}}) {
                const Enclosure delta =
                    ConvexOrderBracket(mechanism, direction, epsilon, resolution).delta(epsilon);
                lower = std::max(lower, delta.lower);
                upper = std::min(upper, delta.upper);
            }
            CAPTURE(mechanism.noise_multiplier, mechanism.batches_per_epoch, epsilon,
                    to_string(direction));
            CHECK(lower <= upper);
        }
    }
}

TEST_CASE("beyond the largest epsilon the answer stays true", "[convex_order]") {
    const ConvexOrderBracket bracket({0.5, 100}, LossDirection::removal, 1.0,
                                     {SumGrid::geometric, 0.02});
    const Enclosure at_end = bracket.delta(1.0);
    const Enclosure beyond = bracket.delta(2.0);
    CHECK(beyond.lower == 0.0);
    CHECK(beyond.upper == at_end.upper);
    CHECK(bracket.delta(0.0).upper >= at_end.upper);
    // An epsilon whose exponential is no number: delta is 0.157, and a lower side at 600 is above.
    const ConvexOrderBracket far({0.0101, 1}, LossDirection::addition, 600.0,
                                 {SumGrid::geometric, 0.02});
    CHECK(far.delta(5000.0).lower == 0.0);
    CHECK(far.delta(5000.0).upper >= 0.157);
    // In the addition direction nothing is left long before where it was asked to reach.
    const ConvexOrderBracket addition({1.0, 1000}, LossDirection::addition, 50.0,
                                      {SumGrid::geometric, 0.02});
    CHECK(addition.largest_epsilon() < 7.0);
    CHECK(addition.delta(50.0).upper < 1e-17);
}

TEST_CASE("what an accountant of sums cannot take is refused", "[convex_order]") {
    const Resolution fine{SumGrid::geometric, 0.02};
    const auto make = [](BallsAndBins mechanism, double largest, Resolution resolution) {
        return refused([&] {
            return ConvexOrderBracket(mechanism, LossDirection::removal, largest, resolution)
                .atoms();
        });
    };
    CHECK(make({0.5, 0}, 1.0, fine) == "batches-per-epoch");
    CHECK(make({0.0, 10}, 1.0, fine) == "noise-multiplier");
    CHECK(make({0.5, 10}, -1.0, fine) == "largest-epsilon");
    CHECK(make({0.5, 10}, std::nan(""), fine) == "largest-epsilon");
    CHECK(make({0.5, 10}, 1.0, {SumGrid::geometric, 0.5}) == "step");
    const ConvexOrderBracket bracket({0.5, 10}, LossDirection::addition, 1.0, fine);
    for (const double epsilon : {-0.1, std::nan(""), std::numeric_limits<double>::infinity()})
        CHECK(refused([&] { return bracket.delta(epsilon); }) == "epsilon");
}
