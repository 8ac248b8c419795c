#include "assay/account/epochs.hpp"

#include <cmath>

#include "assay/account/account.hpp"
#include "assay/privacy/citations.hpp"
#include "test_support/test_support.hpp"

using namespace assay;
using test_support::gaussian_delta_wide;

namespace {

Release release_of(const Mechanism& mechanism, std::int64_t epochs) {
    return {Adjacency::zero_out, {{mechanism, epochs}}};
}
Bracket epoch_delta(const Mechanism& mechanism, std::int64_t epochs, double epsilon) {
    return delta(release_of(mechanism, epochs), epsilon);
}
Bracket epoch_epsilon(const Mechanism& mechanism, std::int64_t epochs, double delta) {
    return epsilon(release_of(mechanism, epochs), delta);
}

}  // namespace

TEST_CASE("deterministic batches are Gaussian steps, one an epoch", "[account]") {
    for (const std::int64_t epochs : {1, 2, 25}) {
        const Bracket delta = epoch_delta(DeterministicBatches{3.0, 40}, epochs, 0.5);
        const auto truth = static_cast<double>(gaussian_delta_wide(3.0, epochs, 0.5));
        CHECK(delta.lower.value == Approx(truth).epsilon(1e-9));
        CHECK(delta.upper.value == Approx(truth).epsilon(1e-9));
    }
}

TEST_CASE("epsilon and delta of an epoch are inverse", "[account]") {
    const BallsAndBins mechanism{0.6, 200};
    const Bracket epsilon = epoch_epsilon(mechanism, 1, 1e-6);
    REQUIRE(epsilon.lower.value > 0.0);
    const Bracket at_upper = epoch_delta(mechanism, 1, epsilon.upper.value);
    const Bracket at_lower = epoch_delta(mechanism, 1, epsilon.lower.value);
    CHECK(at_upper.lower.value <= 1e-6);
    CHECK(at_lower.upper.value >= 1e-6);
    CHECK(at_upper.lower.value == Approx(1e-6).epsilon(0.05));
}

TEST_CASE("few batches in several epochs are told apart from batches in a fixed order",
          "[account]") {
    // k ln T below; the truth is near the lower side (quadrature in epoch_composition_test).
    struct Case {
        double noise;
        std::int64_t batches, epochs;
        double delta;
    };
    for (const Case& c : {Case{0.4, 2, 2, 1e-12}, Case{0.4, 2, 2, 1e-30}, Case{0.5, 2, 2, 1e-10},
                          Case{0.3, 3, 50, 1e-10}, Case{0.15, 3, 10, 1e-12}}) {
        const Bracket found = epoch_epsilon(BallsAndBins{c.noise, c.batches}, c.epochs, c.delta);
        CAPTURE(c.noise, c.batches, c.epochs, c.delta, found.lower.value, found.upper.value);
        CHECK(found.gap() <= 1e-3);
    }
}

TEST_CASE("one bin is no sampling, more bins are never worse than a fixed order", "[account]") {
    const Bracket one = epoch_delta(BallsAndBins{1.0, 1}, 1, 1.0);
    const auto truth = static_cast<double>(gaussian_delta_wide(1.0, 1.0, 1.0));
    CHECK(one.lower.value <= truth * (1 + 1e-9));
    CHECK(one.upper.value >= truth * (1 - 1e-9));
    for (const std::int64_t epochs : {1, 3}) {
        const auto fixed = static_cast<double>(gaussian_delta_wide(0.7, epochs, 1.0));
        CHECK(epoch_delta(BallsAndBins{0.7, 50}, epochs, 1.0).upper.value <= fixed * (1 + 1e-9));
    }
}

TEST_CASE("shuffled batches are between their largest coordinate and a fixed order", "[account]") {
    const Bracket found = epoch_delta(Shuffled{0.5, 100}, 1, 1.0);
    const auto fixed_order = static_cast<double>(gaussian_delta_wide(0.5, 1.0, 1.0));
    CHECK(found.lower.value > 0.0);
    CHECK(found.lower.theorem == cite::chua2024_shuffle);
    CHECK(found.upper.value == Approx(fixed_order).epsilon(1e-9));
    CHECK(found.upper.value >= fixed_order * (1 - 1e-12));
    CHECK(found.upper.theorem == cite::chua2025_prop_3_2);
    CHECK_FALSE(found.note.empty());
    const Bracket epsilon = epoch_epsilon(Shuffled{0.5, 100}, 1, 1e-4);
    CHECK(epoch_delta(Shuffled{0.5, 100}, 1, epsilon.lower.value).lower.value ==
          Approx(1e-4).epsilon(1e-6));
    // Two epochs release no less than one, and no more than in a fixed order.
    const Bracket two = epoch_delta(Shuffled{0.5, 100}, 2, 1.0);
    CHECK(two.lower.value >= found.lower.value);
    CHECK(two.upper.value ==
          Approx(static_cast<double>(gaussian_delta_wide(0.5, 2.0, 1.0))).epsilon(1e-9));
}

TEST_CASE("where sums say nothing the largest coordinate does", "[account]") {
    // T = 1: Phi(1/2 - 12) - e^12 Phi(-1/2 - 12) = 5.208e-32.
    const Bracket far = epoch_delta(BallsAndBins{1.0, 1}, 1, 12.0);
    CHECK(far.lower.value == Approx(5.208e-32).epsilon(1e-3));
    CHECK(far.upper.value >= far.lower.value);
    CHECK(far.upper.value == Approx(5.208e-32).epsilon(1e-3));
    // Beyond the grid's largest epsilon; nearly all losses are near 1250 - log 1000.
    const Bracket beyond = epoch_delta(BallsAndBins{0.02, 1000}, 1, 700.0);
    CHECK(beyond.lower.value > 0.99);
    CHECK(beyond.lower.value <= beyond.upper.value);
    const Bracket epsilon = epoch_epsilon(BallsAndBins{0.02, 1000}, 1, 0.5);
    CHECK(epsilon.lower.value == Approx(1250.0 - std::log(1000.0)).epsilon(1e-2));
    CHECK(epsilon.lower.value <= epsilon.upper.value);
}

TEST_CASE("questions about epochs that make no sense are refused", "[account]") {
    const auto refusal = [](std::int64_t epochs, double delta) {
        return test_support::refused([&] {
            return epoch_epsilon(DeterministicBatches{1.0, 2}, epochs, delta);
        });
    };
    CHECK(refusal(0, 0.1) == "epochs");
    CHECK(refusal(100'001, 0.1) == "epochs");
    CHECK(refusal(1, 0.0) == "delta");
    CHECK(refusal(1, std::nan("")) == "delta");
    CHECK(test_support::refused([] {
              return epoch_delta(DeterministicBatches{1.0, 2}, 1, -1.0);
          }) == "epsilon");
}

// Steps of the grid of their losses are bounded below.
TEST_CASE("epochs of hardly any loss beside others", "[account]") {
    const double alone = epsilon({Adjacency::zero_out, {{Gaussian{1.0}, 10}}}, 1e-6).lower.value;
    for (const double noise : {1e11, 1e30}) {
        const Release release{Adjacency::zero_out,
                              {{Gaussian{1.0}, 10}, {BallsAndBins{noise, 100}, 1}}};
        const Bracket found = epsilon(release, 1e-6);
        CHECK(found.lower.value >= alone * (1.0 - 1e-3));
        CHECK(found.upper.value >= alone);
        CHECK(found.upper.value <= alone * (1.0 + 1e-3));
    }
}
