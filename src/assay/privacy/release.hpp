#pragma once
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "assay/privacy/adjacency.hpp"
#include "assay/privacy/epoch_mechanism.hpp"
#include "assay/privacy/mechanism.hpp"

namespace assay {

/// One part of a release: `repetitions` steps of a sampler that draws every batch anew, or epochs
/// of one whose batches of an epoch depend on each other.
struct ReleasePhase {
    std::variant<Mechanism, EpochMechanism> mechanism;
    std::int64_t repetitions = 1;
};

/// Everything that was released about one data set, the phases one after the other; later ones may
/// depend on what earlier ones gave.
struct Release {
    Adjacency adjacency = Adjacency::add_remove;
    std::vector<ReleasePhase> phases;
};

/// "N x <mechanism>; N x <mechanism>; <adjacency>".
[[nodiscard]] std::string describe(const Release& release);

}  // namespace assay
