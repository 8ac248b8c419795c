#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "assay/epochs/epoch_composition.hpp"
#include "assay/privacy/release.hpp"

namespace assay {

/// A release by what its phases are to the accountants: what bounds it above and what it tells at
/// least, the same but for shuffled batches and records in several batches of an epoch.
struct EpochParts {
    std::vector<EpochSequence::Epochs> bins_above;  // two batches an epoch at least
    std::vector<EpochSequence::Epochs> bins_below;
    std::vector<std::pair<Shuffled, std::int64_t>> shuffled;  // likewise
    std::vector<Phase> steps;     // and epochs in a fixed order or of one batch, as Gaussian steps
    std::vector<Phase> above;     // Gaussian steps that some epochs are no worse than
    std::vector<Phase> in_order;  // what bins would be in a fixed order

    /// Every epoch as Gaussian steps: batches in a fixed order.
    [[nodiscard]] std::vector<Phase> in_fixed_order() const {
        std::vector<Phase> phases = steps;
        phases.insert(phases.end(), above.begin(), above.end());
        phases.insert(phases.end(), in_order.begin(), in_order.end());
        return phases;
    }
    [[nodiscard]] bool has_random_order() const {
        return !bins_above.empty() || !bins_below.empty() || !shuffled.empty();
    }
    /// Whether the sums of every epoch in a random order lie on a grid: not with little noise.
    [[nodiscard]] bool has_grids() const;
};

/// Throws  DomainError, UnsupportedMechanism
[[nodiscard]] EpochParts epoch_parts(const Release& release);

}  // namespace assay
