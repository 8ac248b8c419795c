#include "assay/account/epoch_parts.hpp"

#include <catch2/catch.hpp>
#include <variant>

#include "assay/numeric/errors.hpp"

namespace assay {

namespace {

EpochParts parts_of(const Mechanism& mechanism, std::int64_t repetitions) {
    return epoch_parts({Adjacency::zero_out, {{mechanism, repetitions}}});
}

/// Gaussian steps of all phases.
std::int64_t steps_of(const std::vector<Phase>& phases) {
    std::int64_t steps = 0;
    for (const Phase& phase : phases) {
        REQUIRE(std::holds_alternative<Gaussian>(phase.mechanism));
        steps += phase.repetitions;
    }
    return steps;
}

}  // namespace

TEST_CASE("balls-and-bins is itself on both sides", "[account]") {
    const EpochParts parts = parts_of(BallsAndBins{1.5, 10}, 7);
    REQUIRE(parts.bins_above.size() == 1);
    REQUIRE(parts.bins_below.size() == 1);
    CHECK(parts.bins_above[0].count == 7);
    CHECK(parts.bins_below[0].mechanism.batches_per_epoch == 10);
    CHECK(parts.steps.empty());
    // A record is in one batch of every epoch.
    CHECK(steps_of(parts.in_fixed_order()) == 7);
    CHECK(parts.has_random_order());
}

TEST_CASE("epochs of one batch and of a fixed order are Gaussian steps", "[account]") {
    for (const Mechanism& mechanism : {Mechanism{BallsAndBins{1.5, 1}}, Mechanism{Shuffled{1.5, 1}},
                                       Mechanism{DeterministicBatches{1.5, 10}}}) {
        const EpochParts parts = parts_of(mechanism, 7);
        CHECK_FALSE(parts.has_random_order());
        CHECK(steps_of(parts.steps) == 7);
    }
}

TEST_CASE("shuffled epochs have a fixed order above and sums of their own below", "[account]") {
    const EpochParts parts = parts_of(Shuffled{1.5, 10}, 7);
    CHECK(parts.bins_above.empty());
    CHECK(parts.bins_below.empty());
    REQUIRE(parts.shuffled.size() == 1);
    CHECK(parts.shuffled[0].second == 7);
    CHECK(steps_of(parts.above) == 7);
    CHECK(steps_of(parts.in_fixed_order()) == 7);
}

TEST_CASE("k of T batches are k parts above and one batch of the epoch below", "[account]") {
    // 3 of 10: three epochs of three batches above, the tenth batch left out; 7 epochs of them.
    const EpochParts parts = parts_of(RandomAllocation{1.5, 10, 3}, 7);
    REQUIRE(parts.bins_above.size() == 1);
    CHECK(parts.bins_above[0].count == 21);
    CHECK(parts.bins_above[0].mechanism.batches_per_epoch == 3);
    CHECK(parts.bins_below[0].count == 7);
    CHECK(parts.bins_below[0].mechanism.batches_per_epoch == 10);
    CHECK(steps_of(parts.in_fixed_order()) == 21);
    // 6 of 10: parts of one batch are a fixed order, which only bounds from above.
    const EpochParts crowded = parts_of(RandomAllocation{1.5, 10, 6}, 7);
    CHECK(crowded.bins_above.empty());
    CHECK(steps_of(crowded.above) == 42);
    CHECK(crowded.bins_below.size() == 1);
    // All of them: nothing is random.
    CHECK(steps_of(parts_of(RandomAllocation{1.5, 10, 10}, 7).steps) == 70);
}

TEST_CASE("epochs are counted with the allocations of a record", "[account]") {
    CHECK_NOTHROW(parts_of(BallsAndBins{1.0, 10}, 100'000));
    CHECK_THROWS_AS(parts_of(BallsAndBins{1.0, 10}, 100'001), DomainError);
    CHECK_THROWS_AS(parts_of(BallsAndBins{1.0, 10}, 0), DomainError);
    CHECK_THROWS_AS(parts_of(RandomAllocation{1.0, 10, 2}, 50'001), DomainError);
    CHECK_THROWS_AS(epoch_parts({Adjacency::add_remove, {{BallsAndBins{1.0, 10}, 1}}}),
                    UnsupportedMechanism);
}

}  // namespace assay
