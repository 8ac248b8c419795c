#include "assay/account/epoch_parts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "assay/numeric/errors.hpp"

namespace assay {

namespace {

struct AddTo {
    EpochParts& parts;
    const Phase& phase;

    void operator()(const BallsAndBins& m) const {
        if (m.batches_per_epoch == 1) return add_gaussian(parts.steps, m.noise_multiplier);
        parts.bins_above.push_back({m, phase.repetitions});
        parts.bins_below.push_back({m, phase.repetitions});
        add_gaussian(parts.in_order, m.noise_multiplier);
    }
    // Above, a batch of each of k parts of the epoch; below, one batch of the whole epoch
    // (docs/proofs.md, k of T batches).
    void operator()(const RandomAllocation& m) const {
        const std::int64_t k = m.allocations;
        const std::int64_t batches = m.batches_per_epoch / k;
        if (k == m.batches_per_epoch) return add_gaussian(parts.steps, m.noise_multiplier, k);
        parts.bins_below.push_back(
            {BallsAndBins{m.noise_multiplier, m.batches_per_epoch}, phase.repetitions});
        if (batches == 1) return add_gaussian(parts.above, m.noise_multiplier, k);
        parts.bins_above.push_back(
            {BallsAndBins{m.noise_multiplier, batches}, k * phase.repetitions});
        add_gaussian(parts.in_order, m.noise_multiplier, k);
    }
    void operator()(const Shuffled& m) const {
        if (m.batches_per_epoch == 1) return add_gaussian(parts.steps, m.noise_multiplier);
        parts.shuffled.emplace_back(m, phase.repetitions);
        add_gaussian(parts.above, m.noise_multiplier);
    }
    void operator()(const DeterministicBatches& m) const {
        add_gaussian(parts.steps, m.noise_multiplier);
    }
    void operator()(const auto&) const { parts.steps.push_back(phase); }

    void add_gaussian(std::vector<Phase>& phases, double noise, std::int64_t batches = 1) const {
        phases.push_back({Gaussian{noise}, batches * phase.repetitions});
    }
};

/// Parts of an epoch: a record's k batches count for so many epochs.
std::int64_t epochs_of(const Phase& phase) {
    const auto* several = std::get_if<RandomAllocation>(&phase.mechanism);
    const std::int64_t most = 100'000;
    if (phase.repetitions < 1 || phase.repetitions > most) return 0;
    return several == nullptr ? phase.repetitions
                              : phase.repetitions * std::min(several->allocations, most + 1);
}

}  // namespace

bool EpochParts::has_grids() const {
    constexpr double least_noise = 0.01;
    const auto has_grid = [](const EpochSequence::Epochs& part) {
        return part.mechanism.noise_multiplier >= least_noise;
    };
    return std::all_of(bins_above.begin(), bins_above.end(), has_grid) &&
           std::all_of(bins_below.begin(), bins_below.end(), has_grid) &&
           std::all_of(shuffled.begin(), shuffled.end(),
                       [](const auto& part) { return part.first.noise_multiplier >= least_noise; });
}

EpochParts epoch_parts(const Release& release) {
    EpochParts parts;
    for (const Phase& phase : release.phases) {
        validate(phase.mechanism);
        require_theorem(phase.mechanism, release.adjacency);
        if (is_epoch_sampler(phase.mechanism) &&
            (epochs_of(phase) < 1 || epochs_of(phase) > 100'000))
            throw DomainError("epochs", fmt::format("{}", phase.repetitions),
                              "1 .. 100000, for random-allocation divided by the allocations");
        std::visit(AddTo{parts, phase}, phase.mechanism);
    }
    return parts;
}

}  // namespace assay
