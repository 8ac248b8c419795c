#include "assay/account/account.hpp"

#include <algorithm>

#include "assay/numeric/errors.hpp"
#include "assay/numeric/side_by_side.hpp"
#include "test_support/test_support.hpp"

using namespace assay;
using test_support::gaussian_delta_wide;

namespace {

Release zero_out(std::vector<Phase> phases) {
    return {Adjacency::zero_out, std::move(phases)};
}
Phase steps(const Mechanism& mechanism, std::int64_t count) {
    return {mechanism, count};
}
Phase epochs(const Mechanism& mechanism, std::int64_t count) {
    return {mechanism, count};
}

}  // namespace

TEST_CASE("deterministic batches and unsampled steps add up as Gaussians", "[account]") {
    const Release release =
        zero_out({epochs(DeterministicBatches{2.0, 50}, 3), steps(Gaussian{5.0}, 10)});
    const auto truth = static_cast<double>(gaussian_delta_wide(1.0, 3.0 / 4.0 + 10.0 / 25.0, 1.0));
    const Bracket found = delta(release, 1.0);
    CHECK(found.lower.value == Approx(truth).epsilon(1e-9));
    CHECK(found.upper.value == Approx(truth).epsilon(1e-9));
    const Bracket inverse = epsilon(release, truth);
    CHECK(inverse.lower.value == Approx(1.0).epsilon(1e-6));
    CHECK(inverse.upper.value == Approx(1.0).epsilon(1e-6));
}

TEST_CASE("the bits do not depend on the number of threads", "[account][parallel]") {
    const Release release(Adjacency::add_remove, {steps(SampledGaussian{0.7, 0.004}, 3000),
                                                  steps(SampledGaussian{1.1, 0.02}, 40)});
    const Bracket together = epsilon(release, 1e-6);
    const AloneScope alone;
    const Bracket one = epsilon(release, 1e-6);
    CHECK(one.lower.value == together.lower.value);
    CHECK(one.upper.value == together.upper.value);
}

TEST_CASE("balls-and-bins beside other samplers is between its parts and fixed batches",
          "[account]") {
    const Phase fixed = epochs(DeterministicBatches{4.0, 100}, 1);
    const Phase poisson = steps(SampledGaussian{1.0, 0.01}, 100);
    const Release all = zero_out({epochs(BallsAndBins{0.7, 100}, 2), fixed, poisson});
    Goal goal;
    goal.relative_gap = 1e-2;
    for (const double epsilon : {0.2, 1.0, 3.0}) {
        const Bracket found = delta(all, epsilon, goal, 1e-9);
        CAPTURE(epsilon, found.lower.value, found.upper.value, found.note);
        CHECK(found.gap() <= 1e-2);
        // Leaving parts out releases less; a fixed order of the batches more.
        const Release part = zero_out({epochs(BallsAndBins{0.7, 100}, 2)});
        CHECK(delta(part, epsilon, goal).lower.value <= found.upper.value);
        const Release in_order =
            zero_out({epochs(DeterministicBatches{0.7, 100}, 2), fixed, poisson});
        CHECK(found.lower.value <= delta(in_order, epsilon, goal).upper.value);
    }
    const Bracket inverse = epsilon(all, 1e-5, goal);
    CAPTURE(inverse.lower.value, inverse.upper.value);
    REQUIRE(inverse.upper.value < 100.0);
    CHECK(delta(all, inverse.upper.value, goal).lower.value <= 1e-5);
    CHECK(delta(all, inverse.lower.value, goal).upper.value >= 1e-5);
}

TEST_CASE("epochs in two phases are those of one", "[account]") {
    Goal goal;
    goal.relative_gap = 1e-2;
    const BallsAndBins bins{0.5, 500};
    const Bracket whole = delta(zero_out({epochs(bins, 3)}), 1.0, goal, 1e-9);
    const Bracket cut = delta(zero_out({epochs(bins, 1), epochs(bins, 2)}), 1.0, goal, 1e-9);
    CHECK(cut.lower.value <= whole.upper.value);
    CHECK(whole.lower.value <= cut.upper.value);
    CHECK(cut.gap() <= 1e-2);
}

TEST_CASE("a mechanism in several phases is one phase", "[account]") {
    const Mechanism allocation = RandomAllocation{1.0, 6, 2};
    const Mechanism poisson = SampledGaussian{2.0, 0.1};
    const Bracket whole = delta({Adjacency::zero_out, {{allocation, 3}, {poisson, 5}}}, 0.5);
    const Bracket parts =
        delta({Adjacency::zero_out, {{allocation, 1}, {poisson, 5}, {allocation, 2}}}, 0.5);
    CHECK(parts.lower.value == whole.lower.value);
    CHECK(parts.upper.value == whole.upper.value);
    // What is no number of repetitions is not hidden by another phase.
    CHECK_THROWS_AS(delta({Adjacency::zero_out, {{poisson, 5}, {poisson, -1}}}, 0.5), DomainError);
}

TEST_CASE("shuffled phases are bounded by a fixed order and by the other phases", "[account]") {
    const Phase poisson = steps(SampledGaussian{1.0, 0.01}, 1000);
    const Release all = zero_out({epochs(Shuffled{2.0, 10}, 3), poisson});
    const Bracket found = delta(all, 1.0);
    CHECK(found.lower.value >= delta(zero_out({poisson}), 1.0).lower.value);
    CHECK(found.upper.value ==
          delta(zero_out({epochs(DeterministicBatches{2.0, 10}, 3), poisson}), 1.0).upper.value);
    CHECK(found.note.find("shuffl") != std::string::npos);
}

TEST_CASE("releases that nothing is known of are refused", "[account]") {
    CHECK_THROWS_AS(delta(zero_out({}), 1.0), DomainError);
    CHECK_THROWS_AS(epsilon(zero_out({epochs(BallsAndBins{1.0, 10}, 0)}), 1e-5), DomainError);
    CHECK_THROWS_AS(epsilon({Adjacency::add_remove, {epochs(BallsAndBins{1.0, 10}, 1)}}, 1e-5),
                    UnsupportedMechanism);
}

TEST_CASE("epochs beside steps whose pair is not attained keep their own lower side", "[account]") {
    const Phase bins = epochs(BallsAndBins{1.0, 10}, 2);
    const Phase subsets = steps(FixedSizeGaussian{1.0, 0.1}, 5);
    const Bracket found = delta(zero_out({bins, subsets}), 1.0);
    CHECK(found.lower.value >= delta(zero_out({bins}), 1.0).lower.value);
    CHECK(found.lower.value >= 0.999 * delta(zero_out({subsets}), 1.0).lower.value);
    CHECK(found.upper.value >= delta(zero_out({subsets}), 1.0).upper.value);
    CHECK(found.lower.value < 0.9 * found.upper.value);  // it does not close
    CHECK_FALSE(found.note.empty());
}

namespace {

/// [lower, upper] may be wrong by no more than the gap that was asked for.
void check_not_below(const Bracket& more, const Bracket& less) {
    CHECK(more.lower.value >= less.lower.value * 0.999);
    CHECK(more.upper.value >= less.lower.value);
    CHECK(more.upper.value >= less.upper.value * 0.999);
}

}  // namespace

TEST_CASE("a phase more lowers neither side, however little it releases", "[account]") {
    const std::vector<Phase> all{steps(SampledGaussian{0.8, 0.25}, 10),
                                 steps(SampledGaussian{3.0, 0.1}, 500),
                                 steps(SampledGaussian{0.7, 0.004}, 100),
                                 steps(SampledGaussian{3.0, 0.0005}, 10000),
                                 steps(Gaussian{300.0}, 2),
                                 steps(FixedSizeWithReplacementGaussian{9.0, 3, 9000}, 400)};
    Release release{Adjacency::add_remove, {all[0]}};
    Bracket before = epsilon(release, 1e-5);
    for (std::size_t i = 1; i < all.size(); ++i) {
        CAPTURE(i);
        release.phases.push_back(all[i]);
        const Bracket now = epsilon(release, 1e-5);
        check_not_below(now, before);
        CHECK(now.gap() <= 1e-3);
        before = now;
    }
    // The order of the phases has no influence, nor has how they are split.
    std::reverse(release.phases.begin(), release.phases.end());
    const Bracket reversed = epsilon(release, 1e-5);
    CHECK(reversed.lower.value <= before.upper.value);
    CHECK(reversed.upper.value >= before.lower.value);
    release.phases.front().repetitions = 150;
    release.phases.push_back(steps(FixedSizeWithReplacementGaussian{9.0, 3, 9000}, 250));
    const Bracket split = epsilon(release, 1e-5);
    CHECK(split.gap() <= 1e-3);
    CHECK(split.lower.value <= before.upper.value);
    CHECK(split.upper.value >= before.lower.value);
}

TEST_CASE("steps that lose next to nothing do not refine the grid of epochs", "[account]") {
    // Their own scale, 1e-10, would take 10^10 points of the epoch's grid.
    const Phase epoch{BallsAndBins{1.02, 3590}, 1};
    const Bracket alone = epsilon({Adjacency::zero_out, {epoch}}, 1e-5);
    const Bracket both =
        epsilon({Adjacency::zero_out, {epoch, {SampledGaussian{247.0, 2.6e-8}, 1}}}, 1e-5);
    CHECK(both.upper.value >= alone.lower.value);
    CHECK(both.lower.value <= alone.upper.value * (1.0 + 1e-6));
    CHECK(both.gap() < 1e-3);
}

TEST_CASE("a phase whose losses leave every grid does not hide what the others tell", "[account]") {
    const Phase known = steps(SampledGaussian{0.8, 0.25}, 10);
    const Phase hopeless = epochs(Shuffled{1e-3, 40}, 3);
    const Bracket alone = delta(zero_out({known}), 3.0);
    const Bracket both = delta(zero_out({known, hopeless}), 3.0);
    CHECK(both.lower.value >= alone.lower.value);
    const Phase loud = steps(SampledGaussian{0.01, 1e-9}, 5);
    CHECK(epsilon(zero_out({known, loud}), 1e-5).lower.value >=
          0.999 * epsilon(zero_out({known}), 1e-5).lower.value);
}

TEST_CASE("steps have a tenth of the gap where that is cheap", "[account]") {
    // A search that stops at the gap that is required, or one that goes on when told not to.
    const std::vector<Phase> ordinary{steps(SampledGaussian{1.0, 0.01}, 1000),
                                      steps(SampledGaussian{0.8, 0.001}, 20'000),
                                      steps(SampledGaussian{4.0, 0.1}, 2000)};
    for (const Phase& phase : ordinary)
        for (const Adjacency adjacency : {Adjacency::add_remove, Adjacency::replace_one}) {
            const Release release{adjacency, {phase}};
            const Bracket close = epsilon(release, 1e-6);
            const Bracket told = epsilon(release, 1e-6, with_gap(Goal{}, 1e-3));
            CHECK(close.gap() <= 1e-4);
            CHECK(told.gap() <= 1e-3);
            CHECK(told.gap() > close.gap());
            CHECK(close.lower.value <= told.upper.value);
            CHECK(told.lower.value <= close.upper.value);
        }
    // Where it is not: the transform's roundings end the search at a finer plan.
    const Release wide{Adjacency::add_remove,
                       {steps(FixedSizeWithReplacementGaussian{0.698, 9584, 648'877}, 2214)}};
    const Bracket found = epsilon(wide, 2e-12);
    CHECK(found.gap() <= 1e-3);
    CHECK(found.note.empty());
}

TEST_CASE("each side is the best of all accountants", "[account]") {
    // Renyi divergences say [.., 2.1013], privacy loss distributions [1.8281, 1.8284].
    const Release release{Adjacency::add_remove, {steps(SampledGaussian{1.0, 0.01}, 1000)}};
    const Bracket found = epsilon(release, 1e-5);
    CHECK(found.upper.value < 1.83);
    CHECK(found.lower.value > 1.82);
    CHECK(found.best_published.value > 2.1);
    CHECK(found.note.empty());
    Goal published;
    published.standing = StandingFilter::published;
    CHECK(epsilon(release, 1e-5, published).upper.value == found.best_published.value);
}
