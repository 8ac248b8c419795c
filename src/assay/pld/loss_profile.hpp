#pragma once
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "assay/numeric/bound.hpp"
#include "assay/pld/tilted_bracket.hpp"
#include "assay/privacy/mechanism.hpp"

namespace assay {

/// How close the two sides of a profile should be, in both directions.
struct ProfileAim {
    double relative_gap = 1e-3;     // of the power of the test where the profile is used
    double absolute_gap = 1.0;      // of each divergence, everywhere
    double smallest_level = 1e-12;  // of a test that matters
    double largest_level = 1.0;     // likewise
    double most_products = 1e9;     // of masses: finer grids are not made
};

/// Both hockey-stick divergences of a composition, each between two sides at every epsilon, from
/// one pair of grids. Unlike pld_delta, it is accurate in both directions, also where one of them
/// is far below the other.
///   Maths      docs/proofs.md R; a single factor (one step, Gaussian steps) by its closed form
///   Direction  both sides, rounding included; [0, total variation] where grids say nothing
///   Throws     DomainError, UnsupportedMechanism
///   Cost       like an answer of pld_delta, and no more than a WorkLimit leaves; then about 1 us
///              an epsilon
class LossProfile {
public:
    LossProfile(std::span<const Phase> phases, Adjacency adjacency, const ProfileAim& aim);

    /// Domain  epsilon >= 0
    [[nodiscard]] DeltaSides at(double epsilon) const;

    /// The epsilon beyond which tests have levels below `smallest_level`, about.
    [[nodiscard]] double reach() const { return reach_; }
    /// No loss of the direction addition is larger: its divergence is 0 from there; inf: unbounded.
    [[nodiscard]] double largest_addition_loss() const { return largest_addition_loss_; }
    /// Whether both directions have the same divergence.
    [[nodiscard]] bool symmetric() const { return symmetric_; }
    /// Whether the sides of the dominating pairs are far apart where they matter: losses that are
    /// too large for a grid, or more than the work allows.
    [[nodiscard]] bool has_no_grid() const;
    [[nodiscard]] const std::string& note() const { return note_; }
    [[nodiscard]] Theorem lower_theorem() const { return lower_theorem_; }
    [[nodiscard]] Theorem upper_theorem() const { return upper_theorem_; }

private:
    struct Composition;
    void refine(Composition& composition, const ProfileAim& aim);
    [[nodiscard]] static DeltaSides sides_of(const Composition& composition, double epsilon);

    std::shared_ptr<const Composition> dominating_;
    std::shared_ptr<const Composition> attained_;  // null where the dominating pairs are
    double reach_ = 0.0;
    double largest_addition_loss_ = std::numeric_limits<double>::infinity();
    bool symmetric_ = false;
    std::string note_;
    Theorem lower_theorem_;
    Theorem upper_theorem_;
};

}  // namespace assay
