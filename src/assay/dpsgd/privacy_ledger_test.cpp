#include "assay/dpsgd/privacy_ledger.hpp"

#include <cmath>
#include <type_traits>
#include <utility>

#include "assay/account/account.hpp"
#include "assay/batch_sampling/balls_and_bins.hpp"
#include "assay/batch_sampling/fixed_size.hpp"
#include "assay/batch_sampling/ordered.hpp"
#include "assay/batch_sampling/poisson.hpp"
#include "assay/epochs/epoch_composition.hpp"
#include "assay/epochs/epoch_curve.hpp"
#include "assay/rdp/epsilon_bracket.hpp"
#include "test_support/test_support.hpp"

using namespace assay;
using Catch::Contains;
using test_support::infinity;

namespace {

template <class Sampler>
using ReleasedBy = decltype(std::declval<const Sampler&>().released(1.0));

// Every sampler names what it releases by a type of its own, and the curve of balls-and-bins takes
// no other.
template <class Sampler>
inline constexpr bool is_of_epochs = EpochSampler<ReleasedBy<Sampler>>;
template <class Sampler>
inline constexpr bool has_epoch_curve =
    std::is_constructible_v<EpochCurve, ReleasedBy<Sampler>, Adjacency>;
static_assert(!is_of_epochs<PoissonBatches> && !is_of_epochs<FixedSizeBatches> &&
              !is_of_epochs<WithReplacementBatches>);
static_assert(is_of_epochs<BallsAndBinsBatches> && is_of_epochs<OrderedBatches> &&
              is_of_epochs<ShuffledBatches>);
static_assert(has_epoch_curve<BallsAndBinsBatches> && !has_epoch_curve<ShuffledBatches> &&
              !has_epoch_curve<OrderedBatches> && !has_epoch_curve<PoissonBatches>);

/// epsilon of k Gaussian steps at delta by the closed form of balle2018, by bisection.
double gaussian_epsilon(double noise, double k, double delta) {
    const double c = std::sqrt(k) / noise;
    const auto normal = [](double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); };
    double low = 0.0;
    double high = 200.0;
    for (int i = 0; i < 200; ++i) {
        const double e = 0.5 * (low + high);
        const double value = normal(c / 2 - e / c) - std::exp(e) * normal(-c / 2 - e / c);
        (value > delta ? low : high) = e;
    }
    return low;
}

BatchSampling sampling(SamplingScheme scheme, std::int64_t n, std::int64_t b) {
    return {scheme, n, b, std::nullopt, 1};
}

LedgerEpsilon after(const BatchSampling& how, double noise, Adjacency adjacency, std::int64_t steps,
                    double delta) {
    PrivacyLedger ledger(how, noise, adjacency);
    for (std::int64_t i = 0; i < steps; ++i) ledger.record_step();
    return ledger.epsilon(delta);
}

}  // namespace

TEST_CASE("batches in a fixed order cost one Gaussian step an epoch", "[dpsgd]") {
    const auto how = sampling(SamplingScheme::deterministic, 100, 10);
    const LedgerEpsilon three = after(how, 2.0, Adjacency::zero_out, 30, 1e-5);
    const double truth = gaussian_epsilon(2.0, 3.0, 1e-5);
    CHECK(three.upper.value == Approx(truth).epsilon(1e-9));
    CHECK(three.lower.value == Approx(truth).epsilon(1e-9));
    CHECK(three.lower.value <= three.upper.value);
}

TEST_CASE("an epoch begun counts above and not below", "[dpsgd]") {
    const auto how = sampling(SamplingScheme::deterministic, 100, 10);
    const LedgerEpsilon part = after(how, 2.0, Adjacency::zero_out, 11, 1e-5);
    CHECK(part.upper.value == Approx(gaussian_epsilon(2.0, 2.0, 1e-5)).epsilon(1e-9));
    CHECK(part.lower.value == Approx(gaussian_epsilon(2.0, 1.0, 1e-5)).epsilon(1e-9));
    const LedgerEpsilon first = after(how, 2.0, Adjacency::zero_out, 3, 1e-5);
    CHECK(first.lower.value == 0.0);
    CHECK(first.upper.value == Approx(gaussian_epsilon(2.0, 1.0, 1e-5)).epsilon(1e-9));
}

TEST_CASE("an epoch of one batch is a Gaussian step for balls-and-bins", "[dpsgd]") {
    const auto how = sampling(SamplingScheme::balls_and_bins, 50, 50);
    const LedgerEpsilon one = after(how, 1.0, Adjacency::zero_out, 1, 1e-5);
    const double truth = gaussian_epsilon(1.0, 1.0, 1e-5);
    CHECK(one.lower.value <= truth * (1 + 1e-12));
    CHECK(one.upper.value >= truth * (1 - 1e-12));
    CHECK(one.upper.value - one.lower.value < 0.01 * truth);
}

TEST_CASE("later epochs of balls-and-bins reuse the distribution of one", "[dpsgd]") {
    const BallsAndBins mechanism{2.0, 23};
    EpochCache distributions;
    double last = 0.0;
    for (const std::int64_t epochs : {2, 3, 5, 40, 300}) {
        const Release release{Adjacency::zero_out, {{Mechanism{mechanism}, epochs}}};
        const Bracket kept = epsilon(release, 1e-5, {}, &distributions);
        const Bracket alone = epsilon(release, 1e-5);
        CHECK(kept.lower.value == alone.lower.value);
        CHECK(kept.upper.value == alone.upper.value);
        CHECK(kept.lower.value > last);
        last = kept.upper.value;
    }
    CHECK(distributions.made() <=
          8);  // both directions of some grids, however many epochs are asked for
}

TEST_CASE("shuffle is between its largest coordinate and a fixed order", "[dpsgd]") {
    const auto how = sampling(SamplingScheme::shuffle, 1000, 10);
    const LedgerEpsilon two = after(how, 0.6, Adjacency::zero_out, 200, 1e-5);
    CHECK(two.upper.value == Approx(gaussian_epsilon(0.6, 2.0, 1e-5)).epsilon(1e-9));
    CHECK(two.lower.value > 0.0);
    CHECK(two.lower.value < two.upper.value);
    CHECK_THAT(two.note, Contains("shuffling"));
}

TEST_CASE("samplers that draw every step anew: more noise, fewer steps, smaller epsilon",
          "[dpsgd]") {
    struct Case {
        SamplingScheme scheme;
        Adjacency adjacency;
    };
    for (const Case& c :
         {Case{SamplingScheme::poisson, Adjacency::add_remove},
          Case{SamplingScheme::fixed_size_without_replacement, Adjacency::replace_one}}) {
        const auto how = sampling(c.scheme, 10'000, 100);
        CAPTURE(to_string(c.scheme));
        const LedgerEpsilon base = after(how, 1.5, c.adjacency, 100, 1e-5);
        CHECK(base.lower.value <= base.upper.value);
        CHECK(base.upper.value < infinity);
        CHECK(after(how, 3.0, c.adjacency, 100, 1e-5).upper.value < base.lower.value);
        CHECK(after(how, 1.5, c.adjacency, 1000, 1e-5).lower.value > base.upper.value);
        // No sampling at all is no better: a Gaussian of sensitivity 2 at most.
        CHECK(base.upper.value < gaussian_epsilon(0.75, 100.0, 1e-5));
    }
}

TEST_CASE("batches with replacement are accounted for by Renyi divergences", "[dpsgd]") {
    const auto how = sampling(SamplingScheme::fixed_size_with_replacement, 10'000, 100);
    const LedgerEpsilon one = after(how, 6.0, Adjacency::add_remove, 100, 1e-5);
    CHECK(one.lower.value <= one.upper.value);
    CHECK(one.upper.value < infinity);
    CHECK(after(how, 12.0, Adjacency::add_remove, 100, 1e-5).upper.value < one.upper.value);
    CHECK(after(how, 6.0, Adjacency::add_remove, 900, 1e-5).lower.value > one.lower.value);
}

TEST_CASE("cutting balls-and-bins is paid for out of delta, or nothing is claimed", "[dpsgd]") {
    auto how = sampling(SamplingScheme::balls_and_bins, 10'000, 100);
    const LedgerEpsilon whole = after(how, 1.5, Adjacency::zero_out, 100, 1e-5);
    how.maximum_batch_size = 200;
    const LedgerEpsilon cut = after(how, 1.5, Adjacency::zero_out, 100, 1e-5);
    CHECK(cut.upper.value >= whole.lower.value);
    CHECK(cut.upper.value < whole.upper.value * 1.01);
    CHECK(cut.lower.value > whole.lower.value * 0.99);
    CHECK_THAT(cut.note, Contains("batches cut at 200"));
    how.maximum_batch_size = 110;
    const LedgerEpsilon often = after(how, 1.5, Adjacency::zero_out, 100, 1e-5);
    CHECK(often.upper.value == infinity);
    CHECK(often.lower.value == 0.0);
    CHECK_THAT(often.note, Contains("too often"));
}

TEST_CASE("a neighbour with one record more is cut more often", "[dpsgd]") {
    // All 1438 records fit, 1439 do not: that one is dropped uniformly tells the neighbours apart.
    // Gradients -C and an added +C have epsilon >= 6.374 there (by integration over one output).
    auto how = sampling(SamplingScheme::poisson, 1438, 1437);
    how.maximum_batch_size = 1438;
    CHECK(after(how, 1.0, Adjacency::add_remove, 1, 1e-5).upper.value >= 6.374);
    // Under zero-out both have 1438 records, and nothing is ever cut.
    CHECK(after(how, 1.0, Adjacency::zero_out, 1, 1e-5).upper.value < 4.4);
}

TEST_CASE("accounts of extreme noise end", "[dpsgd]") {
    const auto poisson = sampling(SamplingScheme::poisson, 1000, 100);
    for (const double noise : {1e-300, 1e-5, 1e6, 1e300})
        CHECK(after(poisson, noise, Adjacency::add_remove, 10, 1e-5).upper.value >= 0.0);
    const auto bins = sampling(SamplingScheme::balls_and_bins, 1000, 100);
    for (const double noise : {1e6, 1e300}) {
        const LedgerEpsilon found = after(bins, noise, Adjacency::zero_out, 11, 1e-5);
        CHECK(found.lower.value == 0.0);
        CHECK(found.upper.value < 1e-3);
    }
}

TEST_CASE("without noise nothing is private, without steps everything", "[dpsgd]") {
    const auto how = sampling(SamplingScheme::poisson, 100, 10);
    CHECK(after(how, 0.0, Adjacency::add_remove, 1, 1e-5).upper.value == infinity);
    CHECK(after(how, 0.0, Adjacency::add_remove, 0, 1e-5).upper.value == 0.0);
    CHECK(after(how, 1.0, Adjacency::add_remove, 0, 1e-5).upper.value == 0.0);
}

TEST_CASE("the ledger refuses what no theorem covers, at once", "[dpsgd]") {
    CHECK_THROWS_AS(PrivacyLedger(sampling(SamplingScheme::balls_and_bins, 100, 10), 1.0,
                                  Adjacency::add_remove),
                    UnsupportedMechanism);
    CHECK_NOTHROW(PrivacyLedger(sampling(SamplingScheme::fixed_size_without_replacement, 100, 10),
                                1.0, Adjacency::zero_out));
    for (const SamplingScheme scheme :
         {SamplingScheme::poisson, SamplingScheme::fixed_size_without_replacement})
        CHECK(test_support::refused([&] {
                  return after(sampling(scheme, 100, 100), 1.0, Adjacency::replace_one, 1, 1e-5);
              }) == "batch-size");
    const auto refusal = [](double noise, double delta) {
        return test_support::refused([&] {
            return after(sampling(SamplingScheme::poisson, 100, 10), noise, Adjacency::add_remove,
                         1, delta);
        });
    };
    CHECK(refusal(-1.0, 1e-5) == "noise multiplier");
    CHECK(refusal(std::nan(""), 1e-5) == "noise multiplier");
    CHECK(refusal(1.0, 0.0) == "delta");
    CHECK(refusal(1.0, 1.0) == "delta");
}

TEST_CASE("the ledger answers at any noise", "[dpsgd]") {
    for (const double noise : {1e-100, 1e-4, 0.02, 1e3, 1e8, 1e200})
        for (const SamplingScheme scheme :
             {SamplingScheme::poisson, SamplingScheme::fixed_size_with_replacement}) {
            CAPTURE(noise, to_string(scheme));
            const LedgerEpsilon found =
                after(sampling(scheme, 100, 10), noise, Adjacency::add_remove, 20, 1e-5);
            CHECK(found.lower.value <= found.upper.value);
            if (noise < 1e4) CHECK(found.upper.value > 0.0);
            if (noise < 1e-3) CHECK(found.lower.value > 500.0);
            if (noise > 1e7) CHECK(found.upper.value < 1e-6);
        }
}
