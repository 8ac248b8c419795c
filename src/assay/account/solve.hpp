#pragma once
#include <cstdint>
#include <functional>
#include <string>

#include "assay/account/risk_target.hpp"

namespace assay {

/// The largest value of a parameter with which a release satisfies a target.
///   `allowed`   certainly satisfies it; 0: none was seen that does
///   `refused`   certainly does not; infinity: none was seen up to the end of the domain
///   `upper`     no larger value does: where `is_monotone` `refused`, of an integer `refused` - 1;
///               elsewhere, and where none was refused, the largest that the parameter can be
/// Where `is_monotone`, everything up to `allowed` satisfies the target and nothing from `refused`
/// on does; elsewhere the two are single values that say nothing of others.
struct LargestAllowed {
    double allowed = 0.0;
    double refused = 0.0;
    double upper = 0.0;
    Bracket risk;  // at `allowed`, or at the smallest value tried where there is none
    bool is_monotone = true;
    std::string note;
};

/// The values that a parameter may take; above `high` nothing is looked at.
struct ParameterDomain {
    double low = 1.0;
    double high = 1.0;
    bool is_integer = false;
};

/// The search behind the functions below, for any parameter with which the risk grows.
///   Direction  both ends are certified by brackets of the risk, whatever was interpolated
///   Errors     the ends are apart by more than `precision` where the brackets hide the threshold
///   Cost       10 to 20 brackets of the risk
[[nodiscard]] LargestAllowed largest_allowed(const std::function<Release(double)>& release_at,
                                             const RiskTarget& target,
                                             const ParameterDomain& domain, double precision = 1e-3,
                                             const Goal& goal = {});

/// The largest number of repetitions of a phase (steps, or epochs of an epoch sampler).
///   Maths      more repetitions release no less: dropping outputs is post-processing
///   Throws     DomainError, UnsupportedMechanism
[[nodiscard]] LargestAllowed largest_repetitions(const Release& release, std::size_t phase,
                                                 const RiskTarget& target, double precision = 1e-3,
                                                 const Goal& goal = {});

/// The largest sampling probability of a phase of SampledGaussian or FixedSizeGaussian.
///   Maths      every f-divergence of one step grows with it (docs/proofs.md A.6)
[[nodiscard]] LargestAllowed largest_sampling_probability(const Release& release, std::size_t phase,
                                                          const RiskTarget& target,
                                                          double precision = 1e-3,
                                                          const Goal& goal = {});

/// The largest batch size of a phase whose data set has that many records: q = |B|/|D|, the number
/// of draws with replacement, or floor(|D|/|B|) batches in an epoch. Expected sizes of truncated
/// Poisson batches are at most their maximum size.
///   `epochs`   of a step sampler: the steps then are ceil(epochs ceil(|D|/|B|)); 0: the phase's
///              steps, whatever the batch
///   Monotone   not with `epochs` > 0, of truncated Poisson batches, or shuffled: how the risk
///              depends on the batch size is not known there
///   Maths      A.6; E.4 with replacement; K.7 for balls-and-bins
[[nodiscard]] LargestAllowed largest_batch_size(const Release& release, std::size_t phase,
                                                std::int64_t dataset_size, double epochs,
                                                const RiskTarget& target, double precision = 1e-3,
                                                const Goal& goal = {});

}  // namespace assay
