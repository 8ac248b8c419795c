#include <algorithm>
#include <chrono>
#include <cmath>

#include "assay/account/account.hpp"
#include "assay/formulas/thread_clock.hpp"
#include "assay/numeric/interruption.hpp"
#include "assay/privacy/release.hpp"
#include "fuzz/target.hpp"

// Random valid questions: releases of one or two phases of every kind, and epsilon, delta or an
// error rate of them. No answer is NaN, no lower side is above its upper one; what takes longer
// than a fifth of a second is ended.

namespace {

using namespace assay;

/// Numbers from the bytes of an input, zeros behind its end.
class Source {
public:
    explicit Source(std::string_view input) : input_(input) {}

    /// 0 .. count - 1
    int choice(int count) { return static_cast<int>(byte()) % count; }
    /// Even in the logarithm.
    double between(double low, double high) {
        const double share = (256.0 * byte() + byte()) / 65535.0;
        return low * std::pow(high / low, share);
    }
    std::int64_t integer(double low, double high) {
        return static_cast<std::int64_t>(std::llround(between(low, high)));
    }
    bool is_empty() const { return input_.empty(); }

private:
    unsigned byte() {
        if (input_.empty()) return 0;
        const auto value = static_cast<unsigned char>(input_.front());
        input_.remove_prefix(1);
        return value;
    }

    std::string_view input_;
};

Phase phase_from(Source& source) {
    const int kind = source.choice(9);
    const double noise = source.between(0.2, 100.0);
    const std::int64_t batches = source.integer(2.0, 1e5);
    const std::int64_t dataset = source.integer(10.0, 1e6);
    const std::int64_t batch = std::min(dataset - 1, source.integer(1.0, 1e4));
    const std::int64_t times = source.integer(1.0, 1e5);
    const double q = source.between(1e-6, 0.9);
    switch (kind) {
        case 0: return {Gaussian{noise}, times};
        case 1: return {SampledGaussian{noise, q}, times};
        case 2: return {FixedSizeGaussian{noise, q}, times};
        case 3: return {FixedSizeWithReplacementGaussian{noise, batch, dataset}, times};
        case 4: return {BallsAndBins{noise, batches}, 1 + times % 10};
        case 5: return {Shuffled{noise, batches}, 1 + times % 10};
        case 6: return {DeterministicBatches{noise, batches}, 1 + times % 10};
        case 7:
            return {TruncatedPoissonGaussian{noise, batch, dataset,
                                             std::min(dataset, batch + batch / 2 + 1)},
                    times};
        default: return {RandomAllocation{noise, batches, 1 + times % batches}, 1 + times % 10};
    }
}

void check(const Bracket& found) {
    const double lower = found.lower.value;
    const double upper = found.upper.value;
    fuzz::require(!std::isnan(lower) && !std::isnan(upper), "NaN");
    fuzz::require(lower <= upper, "lower > upper");
    fuzz::require(lower >= 0.0, "a negative side");
    fuzz::require(found.best_published.value >= lower, "a published bound below the lower side");
}

}  // namespace

FUZZ_TARGET(front_door) {
    Source source(input);
    constexpr Adjacency adjacencies[]{Adjacency::add_remove, Adjacency::replace_one,
                                      Adjacency::zero_out};
    const Adjacency adjacency = adjacencies[source.choice(3)];
    const int question = source.choice(2);
    const double delta_asked = source.between(1e-12, 0.5);
    const double epsilon_asked = source.between(1e-3, 50.0);
    std::vector<Phase> phases{phase_from(source)};
    if (!source.is_empty()) phases.push_back(phase_from(source));
    const Release release(adjacency, std::move(phases));
    using Clock = formulas::ThreadClock;
    const Clock::time_point end = Clock::now() + std::chrono::milliseconds(200);
    const InterruptionScope scope([&] { return Clock::now() > end; });
    const Goal goal = goal_of(Effort::quick);
    if (question == 0)
        check(epsilon(release, delta_asked, goal));
    else
        check(delta(release, epsilon_asked, goal));
}
