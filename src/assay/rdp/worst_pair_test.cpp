#include "assay/rdp/worst_pair.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "assay/numeric/errors.hpp"
#include "assay/rdp/divergence_quadrature.hpp"
#include "assay/rdp/fixed_size_with_replacement.hpp"
#include "assay/rdp/fixed_size_without_replacement.hpp"
#include "assay/rdp/sampled_gaussian.hpp"

using namespace assay;

namespace {

const std::vector<Adjacency> every_adjacency{Adjacency::add_remove, Adjacency::replace_one,
                                             Adjacency::zero_out};
const Mechanism plain = Gaussian{.noise_multiplier = 2.0};
const Mechanism poisson_mechanism =
    SampledGaussian{.noise_multiplier = 2.0, .sampling_probability = 0.01};
const Mechanism fixed_mechanism =
    FixedSizeGaussian{.noise_multiplier = 2.0, .sampling_probability = 0.01};
const Mechanism with =
    FixedSizeWithReplacementGaussian{.noise_multiplier = 2.0, .batch_size = 5, .dataset_size = 500};

Enclosure of_pair(const Mechanism& mechanism, Adjacency adjacency, double order) {
    return renyi_divergence(*worst_pair(mechanism, adjacency), order);
}

}  // namespace

TEST_CASE("the pair of every sampler and adjacency gives the divergence of its theorem",
          "[worst_pair]") {
    for (const double order : {1.01, 2.5, 20.0}) {
        CAPTURE(order);
        CHECK(of_pair(poisson_mechanism, Adjacency::add_remove, order) ==
              poisson_add_remove_rdp(order, 2.0, 0.01));
        CHECK(of_pair(poisson_mechanism, Adjacency::zero_out, order) ==
              poisson_add_remove_rdp(order, 2.0, 0.01));
        CHECK(of_pair(poisson_mechanism, Adjacency::replace_one, order) ==
              poisson_replace_one_rdp(order, 2.0, 0.01));
        CHECK(of_pair(fixed_mechanism, Adjacency::add_remove, order) ==
              fixed_size_without_replacement_rdp(order, 2.0, 0.01));
        CHECK(of_pair(fixed_mechanism, Adjacency::replace_one, order) ==
              fixed_size_without_replacement_rdp(order, 2.0, 0.01));
        // The Gaussian mechanism: a c^2/2 with c = 1/sigma, twice that for an exchange.
        CHECK(of_pair(plain, Adjacency::add_remove, order).midpoint() ==
              Approx(order / 8.0).epsilon(1e-14));
        CHECK(of_pair(plain, Adjacency::zero_out, order).midpoint() ==
              Approx(order / 8.0).epsilon(1e-14));
        CHECK(of_pair(plain, Adjacency::replace_one, order).midpoint() ==
              Approx(order / 2.0).epsilon(1e-14));
    }
    CHECK(of_pair(with, Adjacency::add_remove, 2.5).midpoint() ==
          Approx(fixed_size_with_replacement_rdp(2.5, 2.0, 5, 500).midpoint()).epsilon(1e-14));
}

TEST_CASE("without sampling the shift is one clip norm, or two for an exchange", "[worst_pair]") {
    CHECK(worst_renyi_pair(plain, Adjacency::add_remove).unsampled_shift == 0.5L);
    CHECK(worst_renyi_pair(plain, Adjacency::zero_out).unsampled_shift == 0.5L);
    CHECK(worst_renyi_pair(plain, Adjacency::replace_one).unsampled_shift == 1.0L);
    CHECK(worst_renyi_pair(poisson_mechanism, Adjacency::add_remove).unsampled_shift == 0.5L);
    CHECK(worst_renyi_pair(poisson_mechanism, Adjacency::replace_one).unsampled_shift == 1.0L);
    CHECK(worst_renyi_pair(fixed_mechanism, Adjacency::add_remove).unsampled_shift == 1.0L);
    CHECK(worst_renyi_pair(fixed_mechanism, Adjacency::replace_one).unsampled_shift == 1.0L);
    CHECK(worst_renyi_pair(with, Adjacency::add_remove).unsampled_shift == 5.0L);
}

TEST_CASE("pairs without a theorem are refused by both names", "[worst_pair]") {
    const auto complaint = [](const Mechanism& mechanism, Adjacency adjacency) -> std::string {
        try {
            require_theorem(mechanism, adjacency);
        } catch (const UnsupportedMechanism& error) {
            return error.what();
        }
        return "";
    };
    for (const Adjacency adjacency : every_adjacency) {
        CHECK(complaint(plain, adjacency).empty());
        CHECK(complaint(poisson_mechanism, adjacency).empty());
    }
    for (const Adjacency adjacency : every_adjacency) {
        CHECK(complaint(fixed_mechanism, adjacency).empty());
        CHECK(complaint(with, adjacency).empty());
    }
    const Mechanism bins = BallsAndBins{1.0, 10};
    for (const Adjacency adjacency : {Adjacency::add_remove, Adjacency::replace_one}) {
        CHECK(complaint(bins, adjacency).find(to_string(adjacency)) != std::string::npos);
        CHECK(complaint(bins, adjacency).find("balls-and-bins") != std::string::npos);
    }
    // There is a dominating pair, and none whose Renyi divergences are known to be the largest.
    for (const Adjacency adjacency : {Adjacency::replace_one, Adjacency::zero_out})
        CHECK_THROWS_AS(worst_pair(with, adjacency), UnsupportedMechanism);
    CHECK_THROWS_AS(worst_pair(fixed_mechanism, Adjacency::zero_out), UnsupportedMechanism);
}

TEST_CASE("nothing is released without sampling, bad parameters come first", "[worst_pair]") {
    CHECK(worst_pair(SampledGaussian{2.0, 0.0}, Adjacency::add_remove) == nullptr);
    CHECK(worst_pair(FixedSizeGaussian{2.0, 0.0}, Adjacency::replace_one) == nullptr);
    CHECK_THROWS_AS(worst_pair(Gaussian{0.0}, Adjacency::add_remove), DomainError);
    CHECK_THROWS_AS(worst_pair(SampledGaussian{2.0, 1.0}, Adjacency::add_remove), DomainError);
    CHECK_THROWS_AS(worst_pair(FixedSizeWithReplacementGaussian{2.0, 5, 5}, Adjacency::replace_one),
                    DomainError);
}

TEST_CASE("an attained pair is that of the worst Renyi divergence where it is the same",
          "[worst_pair]") {
    for (const Adjacency adjacency : every_adjacency)
        for (const Mechanism& mechanism : {plain, poisson_mechanism, fixed_mechanism, with}) {
            if (!has_worst_renyi_pair(mechanism, adjacency)) continue;
            const DominatingPair pair =
                dominating_pair(mechanism, adjacency).attained_pairs().front();
            CHECK(renyi_divergence(*likelihood_ratio(pair), 2.5) ==
                  of_pair(mechanism, adjacency, 2.5));
        }
    // A record against a null one, all others null, has half the shift of an exchange.
    const DominatingPair null_record =
        dominating_pair(fixed_mechanism, Adjacency::zero_out).attained_pairs().front();
    CHECK(renyi_divergence(*likelihood_ratio(null_record), 2.5) ==
          fixed_size_without_replacement_rdp(2.5, 4.0, 0.01));
    DominatingPair nothing = null_record;
    nothing.c = 0.0L;
    CHECK(likelihood_ratio(nothing) == nullptr);
    CHECK_THROWS_AS(likelihood_ratio(dominating_pair(fixed_mechanism, Adjacency::zero_out)),
                    DomainError);
    const Mechanism cut{TruncatedPoissonGaussian{2.0, 10, 1000, 12}};
    CHECK_THROWS_AS(likelihood_ratio(dominating_pair(cut, Adjacency::add_remove)), DomainError);
}
