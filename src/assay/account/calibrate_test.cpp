#include "assay/account/calibrate.hpp"

#include <cmath>

#include "assay/account/account.hpp"
#include "assay/epochs/epoch_curve.hpp"
#include "assay/epochs/lower_bounds.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/numeric/work_limit.hpp"
#include "assay/pld/pld_accountant.hpp"
#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::test_support;

namespace {

Release phase_of(const Mechanism& mechanism, std::int64_t repetitions, Adjacency adjacency) {
    return {adjacency, {{mechanism, repetitions}}};
}
Release bins(std::int64_t batches, std::int64_t epochs = 1) {
    return phase_of(BallsAndBins{0.0, batches}, epochs, Adjacency::zero_out);
}
Release in_order(std::int64_t epochs) {
    return phase_of(DeterministicBatches{0.0, 10}, epochs, Adjacency::zero_out);
}

}  // namespace

TEST_CASE("the noise of step samplers is safe and hardly more than needed", "[calibrate]") {
    struct Case {
        Mechanism mechanism;
        std::int64_t steps;
        Adjacency adjacency;
        double epsilon, delta;
    };
    for (const Case& c :
         {Case{SampledGaussian{0.0, 0.004}, 10'000, Adjacency::add_remove, 2.0, 1e-6},
          Case{FixedSizeGaussian{0.0, 0.01}, 500, Adjacency::add_remove, 1.0, 1e-5},
          Case{Gaussian{0.0}, 30, Adjacency::zero_out, 3.0, 1e-8}}) {
        const Calibration found =
            calibrate(phase_of(c.mechanism, c.steps, c.adjacency), {c.epsilon, c.delta});
        CAPTURE(describe(c.mechanism), found.sufficient, found.insufficient);
        CHECK(found.precision() <= 1e-3);
        CHECK(found.delta.upper.value <= c.delta);
        // Independently of the search, at another resolution.
        const auto delta = [&](double noise) {
            Phase phase{c.mechanism, c.steps};
            set_noise_multiplier(phase.mechanism, noise);
            PldOptions options;
            options.relative_gap = 1e-4;
            return pld_delta({&phase, 1}, c.adjacency, {&c.epsilon, 1}, options).points.front();
        };
        CHECK(delta(found.sufficient).lower.value <= c.delta);
        CHECK(delta(found.insufficient).upper.value > c.delta);
    }
}

TEST_CASE("the noise of balls-and-bins is safe and hardly more than needed", "[calibrate]") {
    struct Case {
        std::int64_t batches;
        double epsilon, delta;
    };
    for (const Case& c : {Case{2, 1.0, 1e-5}, Case{200, 1.0, 1e-5}, Case{36133, 1.0, 1e-5},
                          Case{10, 1.0, 0.9}, Case{1000, 20.0, 1e-20}, Case{4517, 0.0, 1e-4}}) {
        const Calibration found = calibrate(bins(c.batches), {c.epsilon, c.delta});
        CAPTURE(c.batches, c.epsilon, c.delta, found.sufficient, found.insufficient);
        CHECK(found.delta.upper.value <= c.delta);
        CHECK(found.precision() <= 1e-3);
        // A fine bracket, independently of the search.
        const auto delta = [&](double noise) {
            return delta_within({noise, c.batches}, c.epsilon, {1e-4, 1e-30, 2e9});
        };
        CHECK(delta(found.sufficient).lower <= c.delta);
        CHECK(delta(found.insufficient).upper > c.delta);
    }
}

TEST_CASE("of fixed batches and of one batch it is the analytic Gaussian's", "[calibrate]") {
    for (const std::int64_t epochs : {1, 10})
        for (const Release& release : {in_order(epochs), bins(1, epochs)}) {
            const Calibration found = calibrate(release, {1.0, 1e-5}, 1e-8);
            CHECK(found.precision() <= 1e-8);
            CHECK(gaussian_delta_wide(found.sufficient, epochs, 1.0) <= Wide(1e-5));
            CHECK(gaussian_delta_wide(found.insufficient, epochs, 1.0) > Wide(1e-5));
        }
}

TEST_CASE("an epsilon of a thousand million needs little noise", "[calibrate]") {
    const Release open = phase_of(Gaussian{0.0}, 10, Adjacency::add_remove);
    const Calibration found = calibrate(open, {1e9, 1e-5});
    CHECK(found.sufficient <= 1.002 * found.insufficient);
    CHECK(delta(phase_of(Gaussian{found.sufficient}, 10, Adjacency::add_remove), 1e9).upper.value <=
          1e-5);
    CHECK(
        delta(phase_of(Gaussian{found.insufficient}, 10, Adjacency::add_remove), 1e9).lower.value >
        1e-5);
}

TEST_CASE("several epochs need more noise", "[calibrate]") {
    const PrivacyTarget target{2.0, 1e-6};
    const Calibration one = calibrate(bins(500), target);
    const Calibration four = calibrate(bins(500, 4), target, 1e-2);
    CHECK(four.precision() <= 1e-2);
    CHECK(four.insufficient > one.sufficient);
    CHECK(four.sufficient <= calibrate(in_order(4), target).sufficient);
}

TEST_CASE("beyond the sums' grid closed forms bound the noise", "[calibrate]") {
    for (const std::int64_t epochs : {1, 2}) {
        const double epsilon = 1000.0 * static_cast<double>(epochs);
        const Calibration found = calibrate(bins(1000, epochs), {epsilon, 1e-6}, 1e-2);
        CAPTURE(found.insufficient, found.sufficient);
        CHECK(gaussian_delta_wide(found.sufficient, epochs, epsilon) <= Wide(1e-6));
        // chua2025 equation (6) in one epoch: the largest of the coordinates against e^eps.
        CHECK(found.insufficient > 0.0);
        CHECK(largest_coordinate_delta(BallsAndBins{found.insufficient, 1000}, epsilon).lower >
              1e-6);
        if (epochs == 1) CHECK(found.precision() <= 1e-2);
    }
}

TEST_CASE("shuffling needs no more noise than a fixed order", "[calibrate]") {
    const PrivacyTarget target{4.0, 1e-6};
    const Calibration found =
        calibrate(phase_of(Shuffled{0.0, 1000}, 1, Adjacency::zero_out), target);
    const Calibration fixed = calibrate(in_order(1), target);
    CHECK(found.sufficient == Approx(fixed.sufficient).epsilon(2e-3));
    CHECK(found.insufficient > 0.0);
    CHECK(largest_coordinate_delta(Shuffled{found.insufficient, 1000}, 4.0).lower > 1e-6);
}

TEST_CASE("phases that have their noise keep it", "[calibrate]") {
    const PrivacyTarget target{2.0, 1e-6};
    const Release both{Adjacency::add_remove,
                       {{SampledGaussian{0.0, 0.01}, 100}, {Gaussian{5.0}, 1}}};
    const Calibration found = calibrate(both, target);
    CHECK(found.precision() <= 1e-3);
    Release filled = both;
    set_noise_multiplier(filled.phases.front().mechanism, found.sufficient);
    CHECK(delta(filled, 2.0).lower.value <= 1e-6);
    const Calibration alone =
        calibrate(phase_of(SampledGaussian{0.0, 0.01}, 100, Adjacency::add_remove), target);
    CHECK(found.insufficient > alone.sufficient);
}

TEST_CASE("a bracket that hides what is needed says so", "[calibrate]") {
    const Calibration found =
        calibrate(phase_of(FixedSizeGaussian{0.0, 0.01}, 500, Adjacency::replace_one), {1.0, 1e-5});
    CHECK(found.precision() > 1e-3);
    CHECK(found.insufficient > 0.0);
    CHECK(found.insufficient < found.sufficient);
    const Calibration fine = calibrate(bins(36133), {1.0, 1e-6}, 1e-9);
    CHECK(fine.precision() > 1e-9);
    CHECK(fine.delta.upper.value <= 1e-6);
}

TEST_CASE("a search that is cut short keeps what it saw on its way up", "[calibrate]") {
    const auto found = [] {
        return calibrate(phase_of(SampledGaussian{0.0, 0.1}, 1000, Adjacency::add_remove),
                         {0.5, 1e-5});
    };
    const Calibration whole = found();
    for (const std::uint64_t most : {1'000'000U, 3'000'000U, 9'000'000U}) {
        const WorkLimit limit(most);
        const Calibration part = found();
        CAPTURE(most, part.insufficient, part.sufficient);
        CHECK(part.insufficient >= 1.0);
        CHECK(part.insufficient < whole.sufficient);
        CHECK(part.sufficient > whole.insufficient);
    }
}

// Every noise on the way was asked of sums that the steps had made needless: [16, 8192].
TEST_CASE("steps that need the noise decide beside epochs", "[calibrate]") {
    const Phase steps{Gaussian{0.0}, 40'523};
    const Phase epoch{RandomAllocation{0.0, 111, 8}, 1};
    const PrivacyTarget target{0.0897, 9.55e-5};
    const Calibration alone = calibrate({Adjacency::zero_out, {steps}}, target);
    const Calibration both = calibrate({Adjacency::zero_out, {epoch, steps}}, target);
    CHECK(both.sufficient >= alone.insufficient);
    CHECK(both.insufficient >= 0.99 * alone.insufficient);
    CHECK(both.precision() <= 0.01);
}

TEST_CASE("where other phases hide whether any noise is enough there is a lower side",
          "[calibrate]") {
    const Release shuffled = phase_of(Shuffled{1.0, 1000}, 1, Adjacency::zero_out);
    Release release = shuffled;
    release.phases.push_back({Gaussian{0.0}, 5});
    const PrivacyTarget hidden{2.0, 0.01};
    const Bracket alone = delta(shuffled, hidden.epsilon);
    REQUIRE(alone.lower.value < hidden.delta);
    REQUIRE(alone.upper.value > hidden.delta);
    try {
        (void)calibrate(release, hidden);
        FAIL("a noise was called enough");
    } catch (const NoSufficientNoise& none) {
        const double noise = none.seen().insufficient;
        CAPTURE(noise);
        CHECK(std::isinf(none.seen().sufficient));
        CHECK(none.seen().precision() == 1.0);
        // The steps alone need nearly as much, and the release with it exceeds the target.
        const Calibration steps =
            calibrate(phase_of(Gaussian{0.0}, 5, Adjacency::zero_out), hidden);
        CHECK(noise >= 0.99 * steps.insufficient);
        CHECK(none.seen().delta.lower.value > hidden.delta);
        Release filled = shuffled;
        filled.phases.push_back({Gaussian{noise}, 5});
        CHECK(delta(filled, hidden.epsilon).lower.value > hidden.delta);
    }
    // Certainly out of reach is another matter.
    try {
        (void)calibrate(release, {2.0, 0.5 * alone.lower.value});
        FAIL("a noise was called enough");
    } catch (const NoSufficientNoise&) {
        FAIL("the phase alone exceeds the target");
    } catch (const DomainError& error) {
        CHECK(error.parameter() == "delta");
    }
}

TEST_CASE("published theorems alone are enough at their noise, and hardly more", "[calibrate]") {
    Goal published;
    published.standing = StandingFilter::published;
    const PrivacyTarget target{1.0, 1e-5};
    for (const Release& release :
         {phase_of(SampledGaussian{0.0, 0.01}, 1000, Adjacency::add_remove), bins(100),
          phase_of(Gaussian{0.0}, 10, Adjacency::zero_out)}) {
        const Calibration found = calibrate(release, target);
        const double noise = published_noise(release, target, found);
        CAPTURE(describe(release), noise);
        CHECK(noise >= found.sufficient);
        const auto delta_at = [&](double at) {
            Release with = release;
            set_noise_multiplier(with.phases.front().mechanism, at);
            return delta(with, target.epsilon, published).upper.value;
        };
        CHECK(delta_at(noise) <= target.delta);
        CHECK(delta_at(noise / 1.03) > target.delta);
    }
}

TEST_CASE("where any noise is enough the note says so", "[calibrate]") {
    const Release release = phase_of(SampledGaussian{0.0, 0.01}, 1, Adjacency::add_remove);
    const Calibration found = calibrate(release, PrivacyTarget{1.0, 0.9});
    CHECK(found.insufficient == 0.0);
    CHECK(found.sufficient == 1e-8);
    CHECK(found.note == "noise 1e-08 is enough, and none below is looked at");
}

TEST_CASE("targets that mean nothing are refused", "[calibrate]") {
    CHECK(refused([] { return calibrate(bins(10), {-1.0, 1e-5}); }) == "epsilon");
    CHECK(refused([] { return calibrate(bins(10), {1.0, 1.0}); }) == "delta");
    CHECK(refused([] { return calibrate(in_order(1), {1.0, 1e-5}, 0.0); }) == "precision");
    CHECK(refused([] { return calibrate(in_order(0), {1.0, 1e-5}); }) == "epochs");
    CHECK(refused([] {
              return calibrate(phase_of(Gaussian{2.0}, 1, Adjacency::add_remove), {1.0, 1e-5});
          }) == "phases");
    CHECK_THROWS_AS(
        calibrate(phase_of(BallsAndBins{0.0, 10}, 1, Adjacency::add_remove), {1.0, 1e-5}),
        UnsupportedMechanism);
}
