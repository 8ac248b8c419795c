#include "assay/account/without_amplification.hpp"

#include <vector>

#include "assay/account/account.hpp"
#include "assay/rdp/analytic_gaussian.hpp"
#include "test_support/test_support.hpp"

using namespace assay;

namespace {

double bound_of(const Mechanism& mechanism, Adjacency adjacency, double epsilon) {
    const std::vector<Phase> phases{{mechanism, 3}};
    return without_amplification(phases, adjacency, {.wants_delta = true, .given = epsilon}).value;
}

}  // namespace

TEST_CASE("a step moves the mean by as many clip norms as its neighbours may differ", "[account]") {
    // Squared shifts of three steps at noise 2.
    struct Case {
        Mechanism mechanism;
        Adjacency adjacency;
        long double square;
    };
    const std::vector<Case> cases{
        {Gaussian{2.0}, Adjacency::add_remove, 0.75L},
        {Gaussian{2.0}, Adjacency::replace_one, 3.0L},
        {SampledGaussian{2.0, 0.5}, Adjacency::add_remove, 0.75L},
        {SampledGaussian{2.0, 0.5}, Adjacency::zero_out, 0.75L},
        {SampledGaussian{2.0, 0.5}, Adjacency::replace_one, 3.0L},
        {TruncatedPoissonGaussian{2.0, 5, 10, 6}, Adjacency::add_remove, 3.0L},
        {TruncatedPoissonGaussian{2.0, 5, 10, 6}, Adjacency::zero_out, 0.75L},
        {FixedSizeGaussian{2.0, 0.5}, Adjacency::add_remove, 3.0L},
        {FixedSizeGaussian{2.0, 0.5}, Adjacency::zero_out, 0.75L},
        {FixedSizeWithReplacementGaussian{2.0, 4, 9}, Adjacency::replace_one, 48.0L},
        {FixedSizeWithReplacementGaussian{2.0, 4, 9}, Adjacency::zero_out, 12.0L},
        {DeterministicBatches{2.0, 10}, Adjacency::zero_out, 0.75L},
        {RandomAllocation{2.0, 10, 4}, Adjacency::zero_out, 3.0L},
    };
    for (const Case& c : cases) {
        const Enclosure exact = gaussian_delta(c.square, 1.5);
        CAPTURE(describe(c.mechanism), to_string(c.adjacency));
        const double found = bound_of(c.mechanism, c.adjacency, 1.5);
        CHECK(found >= exact.lower);
        CHECK(found == Approx(exact.upper).epsilon(1e-14));
    }
}

TEST_CASE("far out in the tail a sampled step is no worse than the Gaussian", "[account]") {
    const Release release(Adjacency::add_remove, {{SampledGaussian{1.0, 1.0 - 0x1p-53}, 100}});
    const Bracket found = delta(release, 200.0);
    CHECK(found.upper.value == Approx(gaussian_delta(100.0L, 200.0).upper).epsilon(1e-12));
    CHECK(found.gap() <= 1e-3);
    // And of losses that no step can have: without any grid.
    const Release told(Adjacency::zero_out,
                       {{FixedSizeWithReplacementGaussian{1e5, 400, 2500}, 4}});
    CHECK(delta(told, 1650.0).upper.value <= 1e-300);
}
