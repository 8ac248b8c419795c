#pragma once
#include <memory>
#include <span>
#include <vector>

#include "assay/account/bracket.hpp"
#include "assay/privacy/release.hpp"

namespace assay {

// The front door: the tightest certified answer that any accountant of the library can give.

/// Distributions of one epoch of balls-and-bins, from earlier answers. For one thread at a time.
class EpochCache;
[[nodiscard]] std::shared_ptr<EpochCache> make_epoch_cache();

/// The smallest epsilon >= 0 with delta(epsilon) <= delta.
///   Maths      steps that draw every batch anew: on each side the better of Renyi divergences and
///              privacy loss distributions. Epochs of balls-and-bins: sums in convex order,
///              composed; of deterministic batches: one Gaussian step an epoch; of shuffled ones:
///              between the largest coordinate and deterministic batches, which bound
///              balls-and-bins too (joint convexity). Phases of all kinds compose
///   Domain     0 < delta < 1; at least one phase, repetitions >= 1 (epochs <= 10^5)
///   Direction  both sides, rounding included; a side that nothing is known of is vacuous
///   Throws     DomainError; UnsupportedMechanism where no theorem covers sampler and adjacency;
///              InternalError where bounds contradict each other
///   Cost       10 ms to 1 s, some seconds at noise 0.1 and below; `cache` holds distributions of
///              one epoch for the next answer (nearly all that an answer about balls-and-bins
///              costs). The bits do not depend on it
[[nodiscard]] Bracket epsilon(const Release& release, double delta, const Goal& goal = {},
                              EpochCache* cache = nullptr);

/// delta at epsilon >= 0, likewise.
///   `negligible`  answers below it need not be close
[[nodiscard]] Bracket delta(const Release& release, double epsilon, const Goal& goal = {},
                            double negligible = 1e-300);

/// delta at each epsilon >= 0, as `delta` answers it.
[[nodiscard]] std::vector<Bracket> delta_curve(const Release& release,
                                               std::span<const double> epsilons,
                                               const Goal& goal = {});

}  // namespace assay
