#include "assay/dpsgd/privacy_ledger.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "assay/batch_sampling/truncation.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/pld/pld_accountant.hpp"
#include "assay/pld/tilted_bracket.hpp"
#include "assay/privacy/citations.hpp"
#include "assay/rdp/epsilon_bracket.hpp"
#include "assay/rdp/worst_pair.hpp"

namespace assay {

namespace {

constexpr double for_truncation = 1e-3;  // share of delta

/// Nothing was released.
LedgerEpsilon nothing() {
    return {{0.0, Direction::lower, cite::attained}, {0.0, Direction::upper, cite::attained}, ""};
}

LedgerEpsilon account(const Mechanism& mechanism, Adjacency adjacency, std::int64_t steps,
                      double delta) {
    const Phase phase{mechanism, steps};
    const PrivacyBracket renyi = epsilon_bracket({&phase, 1}, adjacency, delta);
    LedgerEpsilon found{renyi.lower, renyi.upper, ""};
    // Privacy loss distributions know no batches with replacement, and their grids no losses of
    // hundreds of nats.
    if (std::holds_alternative<FixedSizeWithReplacementGaussian>(mechanism) ||
        renyi.lower.value > largest_pld_epsilon)
        return found;
    const EpsilonBracket pld = pld_epsilon({&phase, 1}, adjacency, delta);
    if (pld.lower.value > found.lower.value) found.lower = pld.lower;
    if (pld.upper.value < found.upper.value) found.upper = pld.upper;
    return found;
}

LedgerEpsilon account(const EpochMechanism& mechanism, EpochLaws* laws, std::int64_t steps,
                      std::int64_t steps_per_epoch, double delta) {
    GapGoal goal;
    goal.negligible_delta = 0.5 * delta;
    const std::int64_t finished = steps / steps_per_epoch;
    const std::int64_t begun = (steps + steps_per_epoch - 1) / steps_per_epoch;
    const auto* shuffled = std::get_if<Shuffled>(&mechanism);
    LedgerEpsilon found = nothing();
    const auto after = [&](const EpochMechanism& released, std::int64_t epochs) {
        return epoch_epsilon(released, epochs, delta, goal, StandingFilter::any, laws);
    };
    // A permutation drawn beforehand is a mixture of fixed orders, and the divergence is convex.
    const EpochMechanism above =
        shuffled ? DeterministicBatches{shuffled->noise_multiplier, shuffled->steps} : mechanism;
    const EpochBracket upper = after(above, begun);
    found.upper = upper.upper;
    if (shuffled && finished > 0)  // one epoch is known: what later ones add only raises it
        found.lower = after(mechanism, 1).lower;
    else if (finished > 0)
        found.lower = finished == begun ? upper.lower : after(mechanism, finished).lower;
    found.note = shuffled
                     ? "shuffle: no upper side better than that of batches in a fixed order is "
                       "known"
                     : upper.note;
    return found;
}

/// With a sampling probability of 1 there is no subsampling to account for.
void require_subsampling(const BatchSampling& sampling) {
    const bool is_subsampled = sampling.scheme == SamplingScheme::poisson ||
                               sampling.scheme == SamplingScheme::fixed_size_without_replacement;
    if (is_subsampled && sampling.batch_size == sampling.dataset_size)
        throw DomainError("batch-size", fmt::format("{}", sampling.batch_size),
                          fmt::format("less than the {} examples with sampling {}: all of them in "
                                      "every step is sampling deterministic",
                                      sampling.dataset_size, to_string(sampling.scheme)));
}

}  // namespace

PrivacyLedger::PrivacyLedger(const BatchSampling& sampling, double noise_multiplier,
                             Adjacency adjacency)
    : sampling_(sampling),
      steps_per_epoch_(BatchSampler(sampling).steps_per_epoch()),
      noise_multiplier_(noise_multiplier),
      adjacency_(adjacency) {
    require(noise_multiplier >= 0.0 && std::isfinite(noise_multiplier), "noise multiplier",
            noise_multiplier, "a finite number >= 0");
    if (noise_multiplier == 0.0) return;
    require_subsampling(sampling);
    released_ = BatchSampler(sampling).released(noise_multiplier);
    if (const auto* epoch = std::get_if<EpochMechanism>(&*released_)) {
        validate(*epoch);
        require_theorem(*epoch, adjacency);
        laws_ = std::make_shared<EpochLaws>();
    } else {
        validate(std::get<Mechanism>(*released_));
        require_theorem(std::get<Mechanism>(*released_), adjacency);
    }
}

void PrivacyLedger::resume(std::int64_t steps) {
    require(steps >= 0, "steps", static_cast<double>(steps), "at least 0");
    steps_ = steps;
}

LedgerEpsilon PrivacyLedger::untruncated(double delta) const {
    if (steps_ == 0) return nothing();
    if (!released_)
        return {vacuous(Direction::lower, cite::attained),
                vacuous(Direction::upper, cite::attained),
                "trained without noise: no epsilon is finite"};
    if (const auto* mechanism = std::get_if<Mechanism>(&*released_))
        return account(*mechanism, adjacency_, steps_, delta);
    return account(std::get<EpochMechanism>(*released_), laws_.get(), steps_, steps_per_epoch_,
                   delta);
}

double PrivacyLedger::cut_share(double epsilon) const {
    // Under add-remove a neighbour has one record more, which makes a batch larger by one at most:
    // P(Bin(n+1, p) > B) <= P(Bin(n, p) > B-1). Otherwise both have n records.
    const std::int64_t maximum =
        *sampling_.maximum_batch_size - (adjacency_ == Adjacency::add_remove ? 1 : 0);
    if (!std::isfinite(epsilon) || maximum < sampling_.batch_size)
        return std::numeric_limits<double>::infinity();
    return truncation_delta(sampling_.dataset_size, sampling_.batch_size, steps_, epsilon, maximum)
        .value;
}

LedgerEpsilon PrivacyLedger::epsilon(double delta) const {
    require(delta > 0.0 && delta < 1.0, "delta", delta, "0 < delta < 1");
    LedgerEpsilon found = of_sampling(delta);
    require_ordered(found.lower.value, found.upper.value, [&] {
        return fmt::format("epsilon at delta = {} after {} steps of {}", delta, steps_, describe());
    });
    return found;
}

LedgerEpsilon PrivacyLedger::of_sampling(double delta) const {
    const bool cut = sampling_.maximum_batch_size.has_value() &&
                     (sampling_.scheme == SamplingScheme::poisson ||
                      sampling_.scheme == SamplingScheme::balls_and_bins);
    if (!cut || !released_ || steps_ == 0) return untruncated(delta);

    LedgerEpsilon found = untruncated((1.0 - for_truncation) * delta);
    const double share = cut_share(found.upper.value);
    // The two runs differ on an event alone: either delta is the other's within that share.
    if (!(share <= 0.999 * for_truncation * delta)) {
        found.lower = vacuous(Direction::lower, found.lower.theorem);
        found.upper = vacuous(Direction::upper, found.upper.theorem);
        found.note = fmt::format(
            "batches are cut at {} too often: that alone costs delta {:.2g}, more than {:.2g}",
            *sampling_.maximum_batch_size, share, for_truncation * delta);
    } else {
        found.lower = untruncated(std::min((1.0 + for_truncation) * delta, 0.9999)).lower;
        found.note = fmt::format("delta includes {:.2g} for batches cut at {}", share,
                                 *sampling_.maximum_batch_size);
    }
    return found;
}

std::string PrivacyLedger::describe() const {
    return fmt::format("{}, noise multiplier {}, {}", to_string(sampling_.scheme),
                       noise_multiplier_, to_string(adjacency_));
}

}  // namespace assay
