#include "assay/epochs/epoch_composition.hpp"

#include <cmath>
#include <limits>

#include "assay/pld/pld_accountant.hpp"
#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::test_support;

TEST_CASE("epochs of one batch compose as Gaussian steps", "[epoch_composition]") {
    for (const std::int64_t epochs : {1, 2, 3, 10, 37})
        for (const LossDirection direction : {LossDirection::removal, LossDirection::addition}) {
            EpochComposition composition({3.0, 1}, direction, epochs, {SumGrid::geometric, 0.02});
            for (const double epsilon : {0.0, 0.4, 1.5}) {
                CAPTURE(epochs, to_string(direction), epsilon);
                const Enclosure delta = composition.delta(epsilon);
                const Wide truth = gaussian_delta_wide(3.0, epochs, epsilon);
                CHECK(Wide(delta.lower) <= truth);
                CHECK(truth <= Wide(delta.upper));
                if (truth > Wide(1e-6)) CHECK(delta.upper - delta.lower <= 0.03 * delta.upper);
            }
        }
}

TEST_CASE("small deltas and many epochs keep their digits", "[epoch_composition]") {
    struct Case {
        double noise;
        std::int64_t epochs;
        double epsilon;
    };
    for (const Case& c : {Case{3.0, 37, 12.0}, Case{30.0, 100, 2.0}, Case{100.0, 1000, 2.3},
                          Case{1000.0, 100'000, 1.7}})
        for (const LossDirection direction : {LossDirection::removal, LossDirection::addition}) {
            const Wide truth = gaussian_delta_wide(c.noise, c.epochs, c.epsilon);
            Resolution resolution = coarse_resolution({c.noise, 1});
            if (resolution.grid == SumGrid::geometric) resolution.step = 0.005;
            EpochComposition composition({c.noise, 1}, direction, c.epochs, resolution);
            const Enclosure delta = composition.delta(c.epsilon);
            CAPTURE(c.noise, c.epochs, to_string(direction), digits(truth), delta.lower,
                    delta.upper);
            CHECK(truth < Wide(2e-7));
            CHECK(Wide(delta.lower) <= truth);
            CHECK(truth <= Wide(delta.upper));
            CHECK(delta.upper - delta.lower <= 0.2 * delta.upper);
            // What was tilted for one epsilon is true at all others.
            for (const double epsilon : {0.0, 0.5 * c.epsilon, 1.3 * c.epsilon}) {
                const Enclosure known = composition.known_delta(epsilon);
                CHECK(Wide(known.lower) <= gaussian_delta_wide(c.noise, c.epochs, epsilon));
                CHECK(gaussian_delta_wide(c.noise, c.epochs, epsilon) <= Wide(known.upper));
            }
        }
}

TEST_CASE("little noise: either direction is accurate to where its delta is small",
          "[epoch_composition]") {
    // Had the low end of the sums been merged by its moment alone, the mass at ratio 0 would be all
    // of the upper side of the addition direction.
    for (const double noise : {0.15, 0.4, 1.0})
        for (const std::int64_t epochs : {2, 7})
            for (const LossDirection direction :
                 {LossDirection::removal, LossDirection::addition}) {
                const double mean = 0.5 * static_cast<double>(epochs) / (noise * noise);
                const double epsilon = mean + 6.0 * std::sqrt(static_cast<double>(epochs)) / noise;
                const Wide truth = gaussian_delta_wide(noise, epochs, epsilon);
                EpochComposition composition({noise, 1}, direction, epochs,
                                             {SumGrid::geometric, 0.02});
                const Enclosure delta = composition.delta(epsilon);
                CAPTURE(noise, epochs, to_string(direction), digits(truth), delta.lower,
                        delta.upper);
                CHECK(truth < Wide(1e-9));
                CHECK(Wide(delta.lower) <= truth);
                CHECK(truth <= Wide(delta.upper));
                CHECK(delta.upper - delta.lower <= 0.02 * delta.upper);
            }
}

TEST_CASE("two batches in two epochs are as four-dimensional quadrature has them",
          "[epoch_composition]") {
    // E over the first epoch by the trapezoid rule, over the second by Gauss-Legendre panels that
    // close up on the kink and a closed form; twelve digits by halving the steps.
    struct Case {
        double noise, epsilon, removal, addition;
    };
    for (const Case& c : {Case{0.4, 20.0, 4.035553459765e-06, 7.913503212930e-10},
                          Case{0.4, 24.108, 1.000080832109e-08, 1.265374525044e-14},
                          Case{0.4, 29.185, 1.000162311053e-12, 4.171220375254e-22},
                          Case{0.5, 20.0839, 9.999019929151e-11, 1.008697378315e-17},
                          Case{1.0, 9.2182, 9.997598056194e-13, 2.156919041144e-18}})
        for (const LossDirection direction : {LossDirection::removal, LossDirection::addition}) {
            EpochComposition composition(EpochSequence::of({c.noise, 2}, 2), direction,
                                         {{SumGrid::geometric, 0.02}}, nullptr, 1e-30);
            const Enclosure delta = composition.delta(c.epsilon);
            const double truth = direction == LossDirection::removal ? c.removal : c.addition;
            CAPTURE(c.noise, c.epsilon, to_string(direction), delta.lower, delta.upper, truth);
            CHECK(delta.lower <= truth * (1.0 + 1e-11));
            CHECK(truth * (1.0 - 1e-11) <= delta.upper);
            CHECK(delta.upper - delta.lower <= 0.1 * delta.upper);
        }
    for (const Case& c : {Case{0.4, 29.185, 1.000162311053e-12, 0.0},
                          Case{0.5, 20.0839, 9.999019929151e-11, 0.0}}) {
        const Enclosure epsilon =
            composed_epsilon(EpochSequence::of({c.noise, 2}, 2), c.removal, {1e-3, 1e-10, 2e9});
        CAPTURE(epsilon.lower, epsilon.upper);
        CHECK(epsilon.lower <= c.epsilon * (1.0 + 1e-12));
        CHECK(c.epsilon * (1.0 - 1e-12) <= epsilon.upper);
        CHECK(epsilon.upper - epsilon.lower <= 1e-3 * epsilon.upper);
    }
}

TEST_CASE("one epoch is one epoch, and several meet independent brackets", "[epoch_composition]") {
    const BallsAndBins mechanism{0.5, 1000};
    for (const LossDirection direction : {LossDirection::removal, LossDirection::addition}) {
        const Enclosure composed =
            EpochComposition(mechanism, direction, 1, {SumGrid::geometric, 0.02}).delta(0.3);
        const Enclosure single =
            bracket_within(mechanism, direction, {0.3}, {1e-3, 1e-10, 2e9}).bracket.delta(0.3);
        CAPTURE(to_string(direction), composed.lower, composed.upper, single.lower, single.upper);
        CHECK(composed.lower <= single.upper);
        CHECK(single.lower <= composed.upper);
    }
    // Brackets of another program.
    struct Case {
        std::int64_t steps;
        double noise;
        std::int64_t epochs;
        double epsilon, lower, upper;
    };
    for (const Case& c : {Case{500, 0.6, 10, 0.5, 0.06421952842317039, 0.06435377607848086},
                          Case{1563, 0.5, 5, 3.0, 4.561403348029902e-05, 4.565676986435798e-05}}) {
        const Enclosure delta =
            composition_within(EpochSequence::of({c.noise, c.steps}, c.epochs),
                               LossDirection::removal, c.epsilon, {5e-3, 1e-10, 2e9})
                .delta(c.epsilon);
        CAPTURE(c.steps, c.epochs, delta.lower, delta.upper);
        CHECK(delta.lower <= c.upper);
        CHECK(c.lower <= delta.upper);
        CHECK(delta.upper - delta.lower <= 5e-3 * delta.upper);
    }
}

TEST_CASE("products beyond the range of doubles stay on the safe side", "[epoch_composition]") {
    // Hardly any noise, a thousand epochs: both directions are 1 to all digits.
    for (const LossDirection direction : {LossDirection::removal, LossDirection::addition}) {
        EpochComposition composition({0.02, 100}, direction, 1000, {SumGrid::geometric, 0.05});
        for (const double epsilon : {0.0, 1.0, 50.0}) {
            CAPTURE(to_string(direction), epsilon);
            const Enclosure delta = composition.delta(epsilon);
            CHECK(delta.upper == 1.0);
            CHECK(delta.lower <= 1.0);
            if (epsilon < 50.0) CHECK(delta.lower > 0.999);
        }
    }
}

TEST_CASE("epsilon of several epochs: delta is not exceeded there", "[epoch_composition]") {
    for (const std::int64_t epochs : {1, 10}) {
        const Enclosure epsilon =
            composed_epsilon(EpochSequence::of({3.0, 1}, epochs), 1e-4, {5e-3, 1e-10, 2e9});
        CAPTURE(epochs, epsilon.lower, epsilon.upper);
        CHECK(gaussian_delta_wide(3.0, epochs, epsilon.upper) <= Wide(1e-4));
        CHECK(gaussian_delta_wide(3.0, epochs, epsilon.lower) >= Wide(1e-4));
        CHECK(epsilon.upper - epsilon.lower <= 0.005 * epsilon.upper);
    }
    const Enclosure delta =
        composed_delta(EpochSequence::of({3.0, 1}, 10), 1.0, {5e-3, 1e-10, 2e9});
    CHECK(Wide(delta.lower) <= gaussian_delta_wide(3.0, 10, 1.0));
    CHECK(gaussian_delta_wide(3.0, 10, 1.0) <= Wide(delta.upper));
}

TEST_CASE("epochs outside their range are refused", "[epoch_composition]") {
    for (const std::int64_t epochs : {std::int64_t{0}, std::int64_t{-2}, std::int64_t{100001}})
        CHECK(refused([&] {
                  return EpochComposition({1.0, 2}, LossDirection::removal, epochs,
                                          {SumGrid::geometric, 0.05})
                      .delta(1.0);
              }) == "epochs");
    for (const double negligible : {0.0, 1e-41, 0.1, std::nan("")})
        CHECK(refused([&] {
                  return EpochComposition(EpochSequence::of({1.0, 2}, 2), LossDirection::removal,
                                          {{SumGrid::geometric, 0.05}}, nullptr, negligible)
                      .delta(1.0);
              }) == "negligible");
    EpochComposition composition({1.0, 2}, LossDirection::addition, 2, {SumGrid::geometric, 0.05});
    for (const double epsilon : {-0.5, std::nan(""), std::numeric_limits<double>::infinity()})
        CHECK(refused([&] { return composition.delta(epsilon); }) == "epsilon");
}

TEST_CASE("much noise: a bracket as long as there are digits, and never a wrong one",
          "[epoch_composition]") {
    for (const double noise : {300.0, 3e3, 1e5, 1e8}) {
        // One batch an epoch: ten Gaussian steps.
        const Enclosure epsilon =
            composed_epsilon(EpochSequence::of({noise, 1}, 10), 1e-5, {5e-3, 1e-10, 2e9});
        CAPTURE(noise, epsilon.lower, epsilon.upper);
        CHECK(epsilon.lower <= epsilon.upper);
        if (std::isfinite(epsilon.upper))
            CHECK(gaussian_delta_wide(noise, 10, epsilon.upper) <= Wide(1e-5));
        if (epsilon.lower > 0.0) CHECK(gaussian_delta_wide(noise, 10, epsilon.lower) >= Wide(1e-5));
        if (noise < 1e3) CHECK(epsilon.upper - epsilon.lower <= 0.01 * epsilon.upper);
    }
}

TEST_CASE("steps of other samplers beside the epochs, in either direction", "[epoch_composition]") {
    const auto pair = [](const Mechanism& mechanism, std::int64_t steps) {
        return RepeatedLossPair{dominating_pair(mechanism, Adjacency::zero_out), steps};
    };
    // Gaussian steps alone: the squared shifts add.
    const double noise = 1.0 / std::sqrt(2.0 / 9.0 + 3.0 / 16.0);
    for (const LossDirection direction : {LossDirection::removal, LossDirection::addition})
        for (const double epsilon : {0.0, 0.7, 2.5}) {
            const EpochSequence sequence{{{{3.0, 1}, 2}}, {pair(Gaussian{4.0}, 3)}};
            const Enclosure delta =
                composition_within(sequence, direction, epsilon, {2e-3, 1e-9, 2e9}).delta(epsilon);
            CAPTURE(to_string(direction), epsilon, delta.lower, delta.upper);
            CHECK(Wide(delta.lower) <= gaussian_delta_wide(noise, 1, epsilon));
            CHECK(gaussian_delta_wide(noise, 1, epsilon) <= Wide(delta.upper));
            CHECK(delta.upper - delta.lower <= 2e-3 * delta.upper);
        }
    // One batch an epoch is a Gaussian step: privacy loss distributions have all of it, by other
    // distributions on another grid.
    const EpochSequence sequence{{{{2.0, 1}, 1}, {{5.0, 1}, 4}},
                                 {pair(SampledGaussian{0.9, 0.02}, 300)}};
    const std::vector<Phase> phases{
        {Gaussian{2.0}, 1}, {Gaussian{5.0}, 4}, {SampledGaussian{0.9, 0.02}, 300}};
    for (const double epsilon : {0.5, 3.0}) {
        const DeltaBracket truth =
            pld_delta(phases, Adjacency::zero_out, {&epsilon, 1}).points.front();
        const Enclosure delta = composed_delta(sequence, epsilon, {5e-3, 1e-9, 2e9});
        CAPTURE(epsilon, delta.lower, delta.upper, truth.lower.value, truth.upper.value);
        CHECK(delta.lower <= truth.upper.value);
        CHECK(truth.lower.value <= delta.upper);
        CHECK(delta.upper - delta.lower <= 5e-3 * delta.upper);
    }
}
