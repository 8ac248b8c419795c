#include "assay/privacy/epoch_mechanism.hpp"

#include <cmath>
#include <limits>

#include "assay/numeric/errors.hpp"
#include "assay/test_support.hpp"

using namespace assay;
using namespace assay::test_support;

TEST_CASE("an epoch names its sampler, its noise and its steps", "[epoch_mechanism]") {
    CHECK(sampling_name(BallsAndBins{0.5, 10}) == "balls-and-bins");
    CHECK(sampling_name(Shuffled{0.5, 10}) == "shuffle");
    CHECK(sampling_name(DeterministicBatches{0.5, 10}) == "deterministic");
    CHECK(describe(BallsAndBins{0.5, 10}) ==
          "balls-and-bins batches, noise multiplier 0.5, 10 steps in an epoch");
}

TEST_CASE("an epoch is refused for the parameter that is wrong", "[epoch_mechanism]") {
    for (const double noise : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
        CAPTURE(noise);
        CHECK(refused([&] {
                  validate(BallsAndBins{noise, 10});
                  return 0;
              }) == "noise-multiplier");
    }
    for (const std::int64_t steps : {0L, -3L, 1'000'000'000'001L}) {
        CAPTURE(steps);
        CHECK(refused([&] {
                  validate(Shuffled{1.0, steps});
                  return 0;
              }) == "steps");
    }
    CHECK_NOTHROW(validate(DeterministicBatches{1e-3, 1}));
}

TEST_CASE("only zero-out has a theorem for an epoch", "[epoch_mechanism]") {
    CHECK_NOTHROW(require_theorem(BallsAndBins{0.5, 10}, Adjacency::zero_out));
    for (const Adjacency adjacency : {Adjacency::add_remove, Adjacency::replace_one})
        for (const EpochMechanism& mechanism :
             {EpochMechanism(BallsAndBins{0.5, 10}), EpochMechanism(Shuffled{0.5, 10}),
              EpochMechanism(DeterministicBatches{0.5, 10})}) {
            CAPTURE(sampling_name(mechanism), to_string(adjacency));
            CHECK_THROWS_WITH(require_theorem(mechanism, adjacency),
                              Catch::Contains(std::string(sampling_name(mechanism))) &&
                                  Catch::Contains(std::string(to_string(adjacency))));
        }
}
