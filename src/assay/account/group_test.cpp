#include "assay/account/group.hpp"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <catch2/catch.hpp>
#include <cmath>
#include <variant>

#include "assay/account/account.hpp"
#include "assay/numeric/work_limit.hpp"

namespace assay {

TEST_CASE("a group is one record of its own norm", "[group]") {
    const Release own = *release_of_group(
        {Adjacency::add_remove, {{Gaussian{2.0}, 3}, {SampledGaussian{1.0, 0.1}, 5}}}, 4);
    const auto gaussian = std::get<Gaussian>(own.phases[0].mechanism);
    CHECK(gaussian.noise_multiplier <= 0.5);
    CHECK(gaussian.noise_multiplier == Approx(0.5).epsilon(1e-15));
    const auto sampled = std::get<SampledGaussian>(own.phases[1].mechanism);
    CHECK(sampled.noise_multiplier == Approx(0.25).epsilon(1e-15));
    // Any of four records: 1 - 0.9^4.
    CHECK(sampled.sampling_probability >= 0.3439);
    CHECK(sampled.sampling_probability == Approx(0.3439).epsilon(1e-15));
    CHECK(own.phases[1].repetitions == 5);
}

TEST_CASE("a group in batches of fixed size is drawn when any of it is", "[group]") {
    const auto own = [](const Mechanism& mechanism, std::int64_t group) {
        return release_of_group({Adjacency::add_remove, {{mechanism, 5}}}, group);
    };
    // Six of ten, one of which is a batch.
    const auto fixed =
        std::get<FixedSizeGaussian>(own(FixedSizeGaussian{1.5, 0.1}, 6)->phases[0].mechanism);
    CHECK(fixed.sampling_probability >= 0.6);
    CHECK(fixed.sampling_probability == Approx(0.6).epsilon(1e-14));
    CHECK(fixed.noise_multiplier == Approx(0.25).epsilon(1e-15));
    CHECK_FALSE(own(FixedSizeGaussian{1.5, 0.1}, 10));
    CHECK_FALSE(own(FixedSizeGaussian{1.5, 0.1}, 1000));
    CHECK(own(FixedSizeWithReplacementGaussian{1.5, 3, 100}, 7)->phases[0].mechanism ==
          Mechanism(FixedSizeWithReplacementGaussian{1.5, 3, 14}));
    CHECK_FALSE(own(FixedSizeWithReplacementGaussian{1.5, 3, 100}, 34));
    CHECK_FALSE(release_of_group({Adjacency::zero_out, {{FixedSizeGaussian{1.5, 0.1}, 5}}}, 2));
    CHECK_FALSE(release_of_group(
        {Adjacency::replace_one, {{FixedSizeWithReplacementGaussian{1.5, 3, 100}, 5}}}, 2));
}

TEST_CASE("no theorem, no release of a group", "[group]") {
    CHECK_FALSE(release_of_group({Adjacency::replace_one, {{SampledGaussian{1.0, 0.1}, 5}}}, 2));
    CHECK_FALSE(release_of_group({Adjacency::zero_out, {{BallsAndBins{1.0, 5}, 1}}}, 2));
    // One phase without a theorem leaves none for the sequence.
    CHECK_FALSE(release_of_group(
        {Adjacency::zero_out, {{Gaussian{1.0}, 1}, {BallsAndBins{1.0, 5}, 1}}}, 2));
}

TEST_CASE("neighbours on the way to the last record of a group", "[group]") {
    const auto of = [](Adjacency adjacency, const Mechanism& mechanism) {
        return release_of_all_sizes({adjacency, {{mechanism, 5}}}, 4);
    };
    const auto added = [&](const Mechanism& mechanism) {
        return of(Adjacency::add_remove, mechanism);
    };
    // One of 10, 9, 8 and 7 records.
    const auto fixed =
        std::get<FixedSizeGaussian>(added(FixedSizeGaussian{1.0, 0.1})->phases[0].mechanism);
    CHECK(fixed.sampling_probability >= 1.0 / 7.0);
    CHECK(fixed.sampling_probability == Approx(1.0 / 7.0).epsilon(1e-15));
    CHECK_FALSE(added(FixedSizeGaussian{1.0, 0.25}));  // at last 1 of 1
    CHECK_FALSE(added(FixedSizeGaussian{1.0, 0.5}));
    CHECK(added(FixedSizeWithReplacementGaussian{1.0, 2, 10})->phases[0].mechanism ==
          Mechanism(FixedSizeWithReplacementGaussian{1.0, 2, 7}));
    CHECK_FALSE(added(FixedSizeWithReplacementGaussian{1.0, 7, 10}));
    const auto cut = std::get<TruncatedPoissonGaussian>(
        added(TruncatedPoissonGaussian{1.0, 10, 100, 20})->phases[0].mechanism);
    CHECK(cut.dataset_size == 103);
    CHECK(cut.batch_size == 11);  // no smaller rate
    CHECK_FALSE(added(TruncatedPoissonGaussian{1.0, 10, 100, 10}));
    for (const Mechanism& mechanism :
         {Mechanism(Gaussian{1.0}), Mechanism(SampledGaussian{1.0, 0.1})})
        CHECK(added(mechanism)->phases[0].mechanism == mechanism);
    // The number of records is public.
    for (const Adjacency adjacency : {Adjacency::zero_out, Adjacency::replace_one})
        CHECK(of(adjacency, FixedSizeGaussian{1.0, 0.5})->phases[0].mechanism ==
              Mechanism(FixedSizeGaussian{1.0, 0.5}));
}

TEST_CASE("a group's own pair is above the sum over its records", "[group]") {
    // One Poisson step: k records in the batch with the binomial's weights shift the sum by k,
    // which is what the release of a group has to bound. At a threshold x of the sum the test has
    // power sum_k w_k P(Z > (x - k)/s) at level P(Z > x/s).
    const double noise = 0.8;
    const double q = 0.2;
    const Release own =
        *release_of_group({Adjacency::add_remove, {{SampledGaussian{noise, q}, 1}}}, 2);
    const boost::math::normal_distribution<double> normal;
    for (const double epsilon : {0.0, 0.5, 2.0}) {
        double best = 0.0;
        for (double x = -3.0; x < 8.0; x += 0.01) {
            const auto above = [&](double k) { return cdf(complement(normal, (x - k) / noise)); };
            const double power =
                (1 - q) * (1 - q) * above(0.0) + 2 * q * (1 - q) * above(1.0) + q * q * above(2.0);
            best = std::max(best, power - std::exp(epsilon) * above(0.0));
        }
        CAPTURE(epsilon);
        CHECK(delta(own, epsilon).upper.value >= best);
    }
}

TEST_CASE("the divergence of a power that is known is not exceeded by much", "[group]") {
    const boost::math::normal_distribution<double> normal;
    for (const double mu : {0.1, 1.0, 4.0})
        for (const double epsilon : {0.0, 1.0, 3.0}) {
            const auto power = [&](double fpr) {
                if (fpr <= 0.0) return 0.0;
                if (fpr >= 1.0) return 1.0;
                return cdf(complement(normal, quantile(complement(normal, fpr)) - mu));
            };
            // Balle and Wang: Phi(mu/2 - eps/mu) - e^eps Phi(-mu/2 - eps/mu).
            const double exact = cdf(normal, mu / 2 - epsilon / mu) -
                                 std::exp(epsilon) * cdf(normal, -mu / 2 - epsilon / mu);
            const double found = group_divergence(power, epsilon);
            CAPTURE(mu, epsilon);
            CHECK(found >= exact * (1.0 - 1e-12));
            CHECK(found <= exact * (1.0 + 1e-3) + 1e-9);
        }
}

TEST_CASE("the divergence of a power where e^epsilon is beyond the range", "[group]") {
    for (const double epsilon : {11'356.0, 11'357.0, 12'000.0, 1e300}) {
        CAPTURE(epsilon);
        const double all = group_divergence([](double) { return 0.75; }, epsilon);
        CHECK(all >= 0.75);
        CHECK(all <= 0.75 + 1e-15);
        CHECK(group_divergence([](double fpr) { return fpr; }, epsilon) <= 1e-290);
    }
}

TEST_CASE("a divergence of a group that takes too much work is wide, not small", "[group]") {
    // sqrt(a) - e^eps a is largest where sqrt(a) = e^-eps/2.
    const double exact = 0.25 * std::exp(-3.0);
    double before = 1.0;
    for (const std::uint64_t most : {500U, 2000U, 8000U, 100'000U}) {
        const WorkLimit limit(most);
        const double found = group_divergence(
            [](double fpr) {
                count_work(50);
                return std::sqrt(fpr);
            },
            3.0);
        CAPTURE(most);
        CHECK(found >= exact);
        CHECK(found <= before);
        before = found;
    }
    CHECK(before <= 1.001 * exact);
}

}  // namespace assay
