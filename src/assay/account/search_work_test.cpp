#include "assay/account/search_work.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "assay/account/account.hpp"
#include "assay/account/calibrate.hpp"
#include "assay/account/solve.hpp"
#include "assay/numeric/side_by_side.hpp"
#include "test_support/test_support.hpp"

using namespace assay;

namespace {

/// Each way to an answer: samplers, adjacencies, sequences, far tails.
struct Asked {
    Release release;
    double epsilon;
};

std::vector<Asked> questions() {
    const auto added = Adjacency::add_remove;
    const auto replaced = Adjacency::replace_one;
    const auto zeroed = Adjacency::zero_out;
    return {
        {{added, {{SampledGaussian{1.0, 0.01}, 300}}}, 1.0},
        {{added, {{SampledGaussian{1.5, 0.001}, 100}}}, 3.0},  // far out in the tail
        {{replaced, {{FixedSizeGaussian{1.0, 0.01}, 200}}}, 3.0},
        {{zeroed, {{FixedSizeGaussian{1.0, 0.01}, 200}}}, 1.0},
        {{zeroed, {{FixedSizeWithReplacementGaussian{2.0, 20, 1000}, 50}}}, 0.5},
        {{added, {{TruncatedPoissonGaussian{2.0, 20, 1000, 30}, 50}}}, 0.5},
        {{zeroed, {{BallsAndBins{0.8, 100}, 1}}}, 0.5},
        {{zeroed, {{BallsAndBins{0.8, 100}, 3}}}, 0.5},
        {{zeroed, {{BallsAndBins{0.8, 100}, 1}, {SampledGaussian{1.0, 0.01}, 100}}}, 1.0},
        {{zeroed, {{Shuffled{0.8, 100}, 2}}}, 3.0},
        {{zeroed, {{RandomAllocation{2.0, 20, 3}, 2}}}, 1.0},
        {{added, {{SampledGaussian{1.0, 0.01}, 100}, {FixedSizeGaussian{2.0, 0.01}, 50}}}, 1.0},
    };
}

const Goal quick = goal_of(Effort::quick);

bool overlap(const Bracket& a, const Bracket& b) {
    return a.lower.value <= a.upper.value && a.lower.value <= b.upper.value &&
           b.lower.value <= a.upper.value;
}

}  // namespace

TEST_CASE("an answer takes no more than the work that is left, and is a bracket", "[work]") {
    for (const Asked& asked : questions()) {
        const Mechanism& first = asked.release.phases.front().mechanism;
        const Bracket whole = delta(asked.release, asked.epsilon, quick);
        const double target = std::clamp(whole.upper.value, 1e-290, 0.5);
        const Bracket whole_epsilon = epsilon(asked.release, target, quick);
        for (const std::uint64_t most :
             {0U, 1'000U, 100'000U, 1'000'000U, 10'000'000U, 50'000'000U}) {
            CAPTURE(describe(asked.release), most);
            const WorkLimit limit(2 * std::uint64_t{most});
            const Bracket found = [&] {
                const WorkLimit half(most);
                return delta(asked.release, asked.epsilon, quick);
            }();
            CHECK(overlap(found, whole));
            CHECK(work_left() >= most);
            CHECK((found.gap() <= quick.relative_gap || !found.note.empty()));
            const bool is_wider =
                found.lower.value < whole.lower.value || found.upper.value > whole.upper.value;
            // Shuffling has closed forms alone.
            if (most == 0 && !std::holds_alternative<Shuffled>(first)) CHECK(is_wider);
            CHECK(overlap(epsilon(asked.release, target, quick), whole_epsilon));
        }
    }
}

TEST_CASE("little work gives the same bits on one thread and on several", "[work]") {
    for (const Asked& asked : questions())
        for (const std::uint64_t most : {300'000U, 3'000'000U, 30'000'000U}) {
            CAPTURE(describe(asked.release), most);
            const auto ask = [&] {
                const WorkLimit limit(most);
                return delta(asked.release, asked.epsilon, quick);
            };
            const Bracket shared = ask();
            const AloneScope scope;
            const Bracket alone = ask();
            CHECK(shared.lower.value == alone.lower.value);
            CHECK(shared.upper.value == alone.upper.value);
        }
}

TEST_CASE("distributions that were kept count as those that are made", "[work]") {
    const Release release{Adjacency::zero_out, {{BallsAndBins{0.8, 100}, 3}}};
    for (const std::uint64_t most : {1'000'000U, 10'000'000U, 40'000'000U, 400'000'000U}) {
        CAPTURE(most);
        const auto cache = make_epoch_cache();
        const auto ask = [&](EpochCache* known) {
            const WorkLimit limit(most);
            return epsilon(release, 1e-6, {}, known);
        };
        const Bracket plain = ask(nullptr);
        static_cast<void>(epsilon(release, 1e-6, {}, cache.get()));
        const Bracket kept = ask(cache.get());
        CHECK(plain.lower.value == kept.lower.value);
        CHECK(plain.upper.value == kept.upper.value);
    }
}

TEST_CASE("a search that runs out of work keeps what it has seen", "[work]") {
    const PrivacyTarget target{1.0, 1e-5};
    Release release{Adjacency::add_remove, {{SampledGaussian{0.0, 0.01}, 300}}};
    const Calibration whole = calibrate(release, target);
    for (const std::uint64_t most : {0U, 1'000'000U, 10'000'000U, 100'000'000U}) {
        CAPTURE(most);
        const WorkLimit limit(most);
        const Calibration found = calibrate(release, target);
        CHECK(found.insufficient <= whole.sufficient);
        CHECK(found.sufficient >= whole.insufficient);
        CHECK(found.delta.upper.value <= target.delta);
        CHECK((most > 50'000'000U) == (found.precision() < 0.01));
    }
    release = {Adjacency::add_remove, {{SampledGaussian{1.0, 0.01}, 1}}};
    const LargestAllowed most_steps = largest_repetitions(release, 0, RiskTarget(target));
    for (const std::uint64_t most : {0U, 1'000'000U, 10'000'000U, 100'000'000U}) {
        CAPTURE(most);
        const WorkLimit limit(most);
        const LargestAllowed found = largest_repetitions(release, 0, RiskTarget(target));
        CHECK(found.allowed <= most_steps.refused);
        CHECK(found.refused >= most_steps.allowed);
        CHECK((found.note.empty() || found.refused > 1.001 * found.allowed));
    }
    // Targets that whole trade-off functions answer.
    const RiskTarget power = PowerTarget{0.01, 0.05};
    release = {Adjacency::add_remove, {{SampledGaussian{0.0, 0.01}, 300}}};
    const Calibration of_power = calibrate(release, power);
    const WorkLimit limit(20'000'000U);
    const Calibration found = calibrate(release, power);
    CHECK(found.insufficient <= of_power.sufficient);
    CHECK(found.sufficient >= of_power.insufficient);
}
