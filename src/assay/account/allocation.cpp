#include "assay/account/allocation.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "assay/account/allocation_attacks.hpp"
#include "assay/account/steps.hpp"
#include "assay/epochs/epoch_composition.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/privacy/dominating_pair.hpp"

namespace assay {

namespace {

constexpr std::int64_t most_epochs = 100'000;
constexpr double largest_epsilon = 500.0;

/// Epochs of balls-and-bins, of one batch where that is all there are.
struct PartEpochs {
    BallsAndBins mechanism;
    std::int64_t count;

    /// Lower bound of the removal divergence.
    [[nodiscard]] double delta(double epsilon, const Question& question) const {
        if (mechanism.batches_per_epoch == 1)
            return pld_delta(gaussian(), Adjacency::zero_out, epsilon, pld_options(question)).lower;
        return composition_within(EpochSequence::of(mechanism, count), LossDirection::removal,
                                  epsilon, question.gap_goal())
            .delta(epsilon)
            .lower;
    }

    /// Removal exceeds `delta` there; 0 where no such place was found.
    [[nodiscard]] double epsilon(double target, const Question& question) const {
        if (mechanism.batches_per_epoch == 1)
            return pld_epsilon(gaussian(), Adjacency::zero_out, target, pld_options(question))
                .lower;
        const double likely = composed_epsilon(EpochSequence::of(mechanism, count), target,
                                               question.gap_goal(), question.cache)
                                  .lower;
        // That is a lower side of the larger of both directions.
        for (const double at : {likely * (1.0 - 1e-5), likely * (1.0 - 1e-3)})
            if (at > 0.0 && at <= largest_epsilon && delta(at, question) > target) return at;
        return 0.0;
    }

private:
    [[nodiscard]] std::vector<RepeatedLossPair> gaussian() const {
        return {
            {dominating_pair(Gaussian{mechanism.noise_multiplier}, Adjacency::zero_out), count}};
    }
};

}  // namespace

double probability_of_meeting(const RandomAllocation& mechanism, std::int64_t sets) {
    const std::int64_t batches = mechanism.batches_per_epoch;
    const std::int64_t k = mechanism.allocations;
    require(sets >= 1 && sets <= k && k <= batches, "sets", static_cast<double>(sets),
            "1 .. allocations");
    const std::int64_t size = batches / sets;
    if (sets == 1) return 1.0;
    // Inclusion and exclusion: sum_i (-1)^i C(sets, i) P(the subset misses i of them).
    real sum = 1.0L;
    real sizes = 1.0L;
    real choices = 1.0L;
    for (std::int64_t i = 1; i <= sets; ++i) {
        choices *= static_cast<real>(sets - i + 1) / static_cast<real>(i);
        const std::int64_t left = batches - i * size;
        if (left < k) break;
        real log_miss = 0.0L;
        for (std::int64_t l = 0; l < k; ++l)
            log_miss += std::log1p(-static_cast<real>(i * size) / static_cast<real>(batches - l));
        const real term = choices * std::exp(log_miss);
        if (!(term < 1e6L)) return 0.0;
        sum += i % 2 == 0 ? term : -term;
        sizes += term;
        if (term < 1e-25L) break;
    }
    // Each logarithm sums k terms; the terms after the last one are smaller.
    const real error = sizes * (static_cast<real>(k) * 16.0L * 45.0L * unit_roundoff + 1e-17L);
    return std::clamp(static_cast<double>((sum - error) * (1.0L - 1e-15L)), 0.0, 1.0);
}

double allocation_lower(const RandomAllocation& mechanism, std::int64_t epochs,
                        const Question& asked) {
    Question question = asked;  // the other side is further away than that
    question.goal.relative_gap = std::max(asked.goal.relative_gap, 1e-2);
    std::vector<std::int64_t> tried;
    for (const double least : {0.9, 0.3}) {
        // The largest number of parts that all are met so likely, which falls with their number.
        std::int64_t low = 1;
        std::int64_t high = std::min(mechanism.allocations, most_epochs / epochs) + 1;
        while (high - low > 1) {
            const std::int64_t middle = low + (high - low) / 2;
            const double all =
                std::pow(probability_of_meeting(mechanism, middle), static_cast<double>(epochs));
            (all >= least ? low : high) = middle;
        }
        if (low > 1 && std::find(tried.begin(), tried.end(), low) == tried.end())
            tried.push_back(low);
    }
    double best = question.wants_delta ? attacked_delta(mechanism, epochs, question.given)
                                       : attacked_epsilon(mechanism, epochs, question.given);
    for (const std::int64_t parts : tried) {
        const double all =
            std::pow(probability_of_meeting(mechanism, parts), static_cast<double>(epochs)) *
            (1.0 - 1e-13);
        const PartEpochs of_parts{{mechanism.noise_multiplier, mechanism.batches_per_epoch / parts},
                                  parts * epochs};
        if (question.wants_delta) {
            const double at = std::log1p(std::expm1(question.given) / all) * (1.0 + 1e-14);
            if (at <= largest_epsilon)
                best = std::max(best, all * of_parts.delta(at, question) * (1.0 - 1e-14));
        } else if (question.given / all < 1.0) {
            const double at = of_parts.epsilon(question.given / all * (1.0 + 1e-14), question);
            best = std::max(best, std::log1p(all * std::expm1(at)) * (1.0 - 1e-13));
        }
    }
    return best;
}

}  // namespace assay
