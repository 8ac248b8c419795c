#include "assay/privacy/mechanism.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <string>

#include "assay/numeric/errors.hpp"
#include "assay/privacy/citations.hpp"
#include "test_support/test_support.hpp"

using namespace assay;
using test_support::infinity;

namespace {

/// The parameter that validate() complains about, "" when it does not.
std::string refused_for(const Mechanism& mechanism) {
    try {
        validate(mechanism);
    } catch (const DomainError& error) {
        return error.parameter();
    }
    return "";
}

}  // namespace

TEST_CASE("a mechanism names its sampler and describes itself", "[mechanism]") {
    const Mechanism plain = Gaussian{.noise_multiplier = 1.5};
    const Mechanism poisson =
        SampledGaussian{.noise_multiplier = 2.5, .sampling_probability = 0.125};
    const Mechanism fixed =
        FixedSizeGaussian{.noise_multiplier = 3.5, .sampling_probability = 0.25};
    const Mechanism with = FixedSizeWithReplacementGaussian{
        .noise_multiplier = 4.5, .batch_size = 120, .dataset_size = 50000};
    CHECK(sampling_name(plain) == "none");
    CHECK(sampling_name(poisson) == "poisson");
    CHECK(sampling_name(fixed) == "fixed-size-without-replacement");
    CHECK(sampling_name(with) == "fixed-size-with-replacement");
    CHECK(describe(plain) == "Gaussian mechanism, noise multiplier 1.5");
    CHECK(describe(poisson) ==
          "Poisson sampling, noise multiplier 2.5, sampling probability 0.125");
    CHECK(describe(fixed) ==
          "fixed-size sampling without replacement, noise multiplier 3.5, sampling probability "
          "0.25");
    CHECK(describe(with) ==
          "fixed-size sampling with replacement, noise multiplier 4.5, batch size 120, data set "
          "size 50000");
}

TEST_CASE("whatever lies in the domain is admitted, its corners included", "[mechanism]") {
    CHECK(refused_for(Gaussian{0.05}).empty());
    CHECK(refused_for(SampledGaussian{1e4, 0.0}).empty());
    CHECK(refused_for(SampledGaussian{1e4, 1.0 - 0x1p-53}).empty());
    CHECK(refused_for(FixedSizeGaussian{0.05, 1e-9}).empty());
    CHECK(refused_for(FixedSizeWithReplacementGaussian{1.0, 1, 2}).empty());
    CHECK(refused_for(FixedSizeWithReplacementGaussian{1.0, 1'000'000, 1'000'000'000'000}).empty());
}

TEST_CASE("mechanism: bad parameters are refused by name", "[mechanism]") {
    for (const double noise : {0.0, -1.0, infinity, -infinity, std::nan("")}) {
        CHECK(refused_for(Gaussian{noise}) == "noise-multiplier");
        CHECK(refused_for(SampledGaussian{noise, 0.1}) == "noise-multiplier");
        CHECK(refused_for(FixedSizeGaussian{noise, 0.1}) == "noise-multiplier");
        CHECK(refused_for(FixedSizeWithReplacementGaussian{noise, 1, 2}) == "noise-multiplier");
    }
    for (const double q : {-0.1, 1.0, 1.5, infinity, std::nan("")}) {
        CHECK(refused_for(SampledGaussian{1.0, q}) == "sampling-probability");
        CHECK(refused_for(FixedSizeGaussian{1.0, q}) == "sampling-probability");
    }
    CHECK(refused_for(FixedSizeWithReplacementGaussian{1.0, 0, 5}) == "batch-size");
    CHECK(refused_for(FixedSizeWithReplacementGaussian{1.0, -3, 5}) == "batch-size");
    CHECK(refused_for(FixedSizeWithReplacementGaussian{1.0, 5, 5}) == "dataset-size");
    CHECK(refused_for(FixedSizeWithReplacementGaussian{1.0, 6, 5}) == "dataset-size");
}

TEST_CASE("a composition is described phase by phase", "[mechanism]") {
    const Phase phases[] = {{Gaussian{2.0}, 3}, {SampledGaussian{1.5, 0.1}, 7}};
    CHECK(describe(phases, Adjacency::zero_out) ==
          "3 x Gaussian mechanism, noise multiplier 2; 7 x Poisson sampling, noise multiplier 1.5, "
          "sampling probability 0.1; zero-out");
}

TEST_CASE("theorems of docs/proofs.md say that they are ours", "[mechanism]") {
    for (const Theorem& theorem :
         {cite::fixed_size_replace_one, cite::poisson_replace_one, cite::with_replacement,
          cite::explicit_pair, cite::privacy_loss_distributions}) {
        CHECK(theorem.standing == Standing::ours);
        CHECK(theorem.citation.find("docs/proofs.md") != std::string_view::npos);
    }
    for (const Theorem& theorem :
         {cite::mironov2017_gaussian, cite::mironov2019_theorems_4_5, cite::birrell2024_thm_3_1,
          cite::birrell2024_thm_3_4, cite::birrell2024_thm_3_6, cite::wang2019_thm_9,
          cite::balle2018_gaussian})
        CHECK(theorem.standing == Standing::published);
}

TEST_CASE("an epoch names its sampler, its noise and its batches", "[mechanism]") {
    CHECK(sampling_name(BallsAndBins{0.5, 10}) == "balls-and-bins");
    CHECK(sampling_name(Shuffled{0.5, 10}) == "shuffle");
    CHECK(sampling_name(DeterministicBatches{0.5, 10}) == "deterministic");
    CHECK(describe(BallsAndBins{0.5, 10}) ==
          "balls-and-bins batches, noise multiplier 0.5, 10 batches in an epoch");
}

TEST_CASE("an epoch is refused for the parameter that is wrong", "[mechanism]") {
    for (const double noise : {0.0, -1.0, std::nan(""), infinity}) {
        CAPTURE(noise);
        CHECK(refused_for(BallsAndBins{noise, 10}) == "noise-multiplier");
    }
    for (const std::int64_t steps : {0L, -3L, 1'000'000'000'001L}) {
        CAPTURE(steps);
        CHECK(refused_for(Shuffled{1.0, steps}) == "batches-per-epoch");
    }
    CHECK_NOTHROW(validate(DeterministicBatches{1e-3, 1}));
}

TEST_CASE("only zero-out has a theorem for an epoch", "[mechanism]") {
    CHECK_NOTHROW(require_theorem(BallsAndBins{0.5, 10}, Adjacency::zero_out));
    for (const Adjacency adjacency : {Adjacency::add_remove, Adjacency::replace_one})
        for (const Mechanism& mechanism :
             {Mechanism(BallsAndBins{0.5, 10}), Mechanism(Shuffled{0.5, 10}),
              Mechanism(DeterministicBatches{0.5, 10})}) {
            CAPTURE(sampling_name(mechanism), to_string(adjacency));
            CHECK_THROWS_WITH(require_theorem(mechanism, adjacency),
                              Catch::Contains(std::string(sampling_name(mechanism))) &&
                                  Catch::Contains(std::string(to_string(adjacency))));
        }
}
