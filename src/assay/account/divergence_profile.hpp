#pragma once
#include <limits>
#include <optional>
#include <string>

#include "assay/account/bracket.hpp"
#include "assay/account/trade_off_curve.hpp"
#include "assay/privacy/release.hpp"

namespace assay {

/// A shift between two normal distributions, in units of their deviation.
struct GaussianShift {
    real lower = 0.0L;
    real upper = 0.0L;
};

/// What is known of both hockey-stick divergences of a release, at every epsilon, of one ordered
/// pair of neighbours on the lower sides and of all of them on the upper ones.
struct DivergenceProfile {
    DivergenceSource at;
    double reach = 1.0;  // an epsilon beyond which both are below what matters, about
    /// From there the divergence of the direction addition is 0, before it is not.
    double addition_ends = std::numeric_limits<double>::infinity();
    bool symmetric = false;  // both directions have the same divergence
    std::size_t most_samples = 20000;
    std::optional<GaussianShift> gaussian;  // where both distributions are normal
    /// The release is no more distinguishable than two normal distributions at this distance.
    real unamplified_shift = 0.0L;
    /// No normal distributions at a smaller distance are as distinguishable as the release is at
    /// all levels: docs/proofs.md, smallest mu.
    real tail_shift = 0.0L;
    Theorem lower_theorem;
    Theorem upper_theorem;
    std::string note;
};

/// Those two shifts alone.         Throws  DomainError, UnsupportedMechanism
[[nodiscard]] GaussianShift shifts_of(const Release& release);  // tail, unamplified

/// What the two sides are refined for.
struct ProfileGoal {
    Goal goal;
    double absolute_gap = 1e-6;     // of each divergence, as far as the effort allows
    double smallest_level = 1e-12;  // of a test that matters
    double largest_level = 1.0;     // likewise
};

/// The tightest profile that the accountants of the library give.
///   Throws     DomainError, UnsupportedMechanism
[[nodiscard]] DivergenceProfile divergence_profile(const Release& release, const ProfileGoal& goal);

}  // namespace assay
