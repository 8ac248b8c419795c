#include "assay/dpsgd/privacy_ledger.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "assay/account/account.hpp"
#include "assay/batch_sampling/truncation.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/privacy/citations.hpp"

namespace assay {

namespace {

constexpr double for_truncation = 1e-3;  // share of delta

/// Nothing was released.
LedgerEpsilon nothing() {
    return {{0.0, Direction::lower, cite::attained}, {0.0, Direction::upper, cite::attained}, ""};
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
      batches_per_epoch_(BatchSampler(sampling).batches_per_epoch()),
      noise_multiplier_(noise_multiplier),
      adjacency_(adjacency) {
    require(noise_multiplier >= 0.0 && std::isfinite(noise_multiplier), "noise multiplier",
            noise_multiplier, "a finite number >= 0");
    if (noise_multiplier == 0.0) return;
    require_subsampling(sampling);
    released_ = BatchSampler(sampling).released(noise_multiplier);
    validate(*released_);
    require_theorem(*released_, adjacency);
    if (is_epoch_sampler(*released_)) distributions_ = make_epoch_cache();
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
    const auto after = [&](std::int64_t repetitions) {
        return assay::epsilon({adjacency_, {{*released_, repetitions}}}, delta, {},
                              distributions_.get());
    };
    if (!is_epoch_sampler(*released_)) {
        const Bracket found = after(steps_);
        return {found.lower, found.upper, found.note};
    }
    const std::int64_t finished = steps_ / batches_per_epoch_;
    const std::int64_t begun = (steps_ + batches_per_epoch_ - 1) / batches_per_epoch_;
    const Bracket above = after(begun);
    if (finished == begun) return {above.lower, above.upper, above.note};
    const Bound below = finished > 0 ? after(finished).lower : nothing().lower;
    return {below, above.upper, above.note};
}

double PrivacyLedger::cut_share(double epsilon) const {
    if (!std::isfinite(epsilon)) return std::numeric_limits<double>::infinity();
    return truncation_delta(sampling_.dataset_size, sampling_.batch_size, steps_, epsilon,
                            *sampling_.maximum_batch_size)
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
                     sampling_.scheme == SamplingScheme::balls_and_bins;
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
