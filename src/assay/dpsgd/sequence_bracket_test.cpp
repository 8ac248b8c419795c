#include "assay/dpsgd/sequence_bracket.hpp"

#include <cmath>

#include "assay/numeric/errors.hpp"
#include "assay/test_support.hpp"

using namespace assay;

namespace {

double normal(double x) {
    return 0.5 * std::erfc(-x / std::sqrt(2.0));
}

/// balle2018 Theorem 8.
double gaussian_delta(double shift_square, double epsilon) {
    const double c = std::sqrt(shift_square);
    return normal(c / 2 - epsilon / c) - std::exp(epsilon) * normal(-c / 2 - epsilon / c);
}

}  // namespace

TEST_CASE("deterministic batches and unsampled steps add up as Gaussians", "[dpsgd]") {
    const ReleaseSequence sequence{{{DeterministicBatches{2.0, 50}, 3}}, {{Gaussian{5.0}, 10}}};
    const double truth = gaussian_delta(3.0 / 4.0 + 10.0 / 25.0, 1.0);
    const EpochBracket delta = sequence_delta(sequence, 1.0, {});
    CHECK(delta.lower.value == Approx(truth).epsilon(1e-9));
    CHECK(delta.upper.value == Approx(truth).epsilon(1e-9));
    const EpochBracket epsilon = sequence_epsilon(sequence, truth, {});
    CHECK(epsilon.lower.value == Approx(1.0).epsilon(1e-6));
    CHECK(epsilon.upper.value == Approx(1.0).epsilon(1e-6));
}

TEST_CASE("balls-and-bins beside other samplers is between its parts and fixed batches",
          "[dpsgd]") {
    const ReleaseSequence both{{{BallsAndBins{0.7, 100}, 2}, {DeterministicBatches{4.0, 100}, 1}},
                               {{SampledGaussian{1.0, 0.01}, 100}}};
    const GapGoal goal{1e-2, 1e-9, 2e9};
    for (const double epsilon : {0.2, 1.0, 3.0}) {
        const EpochBracket delta = sequence_delta(both, epsilon, goal);
        CAPTURE(epsilon, delta.lower.value, delta.upper.value, delta.note);
        CHECK(delta.gap <= 1e-2);
        // Leaving a part out releases less; a fixed order of the batches more.
        const EpochBracket bins = epoch_delta(BallsAndBins{0.7, 100}, 2, epsilon, goal);
        CHECK(bins.lower.value <= delta.upper.value);
        CHECK(delta.lower.value <= sequence_delta({{{DeterministicBatches{0.7, 100}, 2},
                                                    {DeterministicBatches{4.0, 100}, 1}},
                                                   {{SampledGaussian{1.0, 0.01}, 100}}},
                                                  epsilon, goal)
                                       .upper.value);
    }
    const EpochBracket epsilon = sequence_epsilon(both, 1e-5, goal);
    CAPTURE(epsilon.lower.value, epsilon.upper.value);
    REQUIRE(epsilon.upper.value < 100.0);
    CHECK(sequence_delta(both, epsilon.upper.value, goal).lower.value <= 1e-5);
    CHECK(sequence_delta(both, epsilon.lower.value, goal).upper.value >= 1e-5);
}

TEST_CASE("one part alone is what its own accountant says", "[dpsgd]") {
    const GapGoal goal{1e-2, 1e-9, 2e9};
    const EpochBracket alone = epoch_delta(BallsAndBins{0.5, 500}, 3, 1.0, goal);
    const EpochBracket listed = sequence_delta({{{BallsAndBins{0.5, 500}, 3}}, {}}, 1.0, goal);
    CHECK(listed.lower.value == alone.lower.value);
    CHECK(listed.upper.value == alone.upper.value);
    // The same epochs in two pieces.
    const EpochBracket cut =
        sequence_delta({{{BallsAndBins{0.5, 500}, 1}, {BallsAndBins{0.5, 500}, 2}}, {}}, 1.0, goal);
    CHECK(cut.lower.value <= alone.upper.value);
    CHECK(alone.lower.value <= cut.upper.value);
    CHECK(cut.gap <= 1e-2);
}

TEST_CASE("shuffling is not composed, nor is nothing", "[dpsgd]") {
    CHECK_THROWS_AS(sequence_delta({{{Shuffled{1.0, 10}, 1}}, {}}, 1.0, {}), DomainError);
    CHECK_THROWS_AS(sequence_delta({}, 1.0, {}), DomainError);
    CHECK_THROWS_AS(sequence_epsilon({{{BallsAndBins{1.0, 10}, 0}}, {}}, 1e-5, {}), DomainError);
    CHECK_THROWS_AS(sequence_delta({{}, {{FixedSizeGaussian{1.0, 0.1}, 5}}}, 1.0, {}),
                    UnsupportedMechanism);
}
