#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "assay/numeric/bound.hpp"
#include "assay/numeric/enclosure.hpp"
#include "assay/pld/composition_plan.hpp"
#include "assay/pld/grid_search.hpp"
#include "assay/privacy/adjacency.hpp"
#include "assay/privacy/mechanism.hpp"

namespace assay {

/// The note where the sides are those of different pairs.
inline constexpr std::string_view not_attained =
    "the dominating pair is not attained by neighbouring data sets";

/// delta at one epsilon, the larger of both directions: the truth lies in [lower, upper].
struct DeltaBracket {
    double epsilon = 0.0;
    Bound lower;
    Bound upper;
    double removal_lower = 0.0;
    double removal_upper = 1.0;
    double addition_lower = 0.0;
    double addition_upper = 1.0;
};

struct DeltaCurve {
    std::vector<DeltaBracket> points;
    double relative_gap = 0.0;  // the worst one where upper >= smallest_delta
    std::string note;           // why the gap asked for was not reached; empty if it was
};

struct EpsilonBracket {
    Bound lower;
    Bound upper;
    double relative_gap = 0.0;
    std::string note;
};

/// Certified delta(epsilon) of the composition of all phases from privacy loss distributions.
///   Maths      sup over neighbours and orders of D_{e^epsilon}; composition of dominating pairs
///              (docs/proofs.md, F and the section on privacy loss distributions)
///   Method     a few steps on a geometric grid by doubling, then FFT on a uniform one; the grids
///              are refined until the gap is reached or memory ends
///   Direction  both sides, rounding included (docs/error_bounds.md#privacy-loss)
///   Domain     steps >= 1, epsilons finite and >= 0
///   Standing   a single factor (one step, Gaussian steps) has a closed form and the standing of
///              its theorem; grids and the distributions below are ours
///   Throws     DomainError, UnsupportedMechanism, InternalError
[[nodiscard]] DeltaCurve pld_delta(std::span<const Phase> phases, Adjacency adjacency,
                                   std::span<const double> epsilons,
                                   const PldOptions& options = {});

/// The smallest epsilon >= 0 with delta(epsilon) <= delta.       Domain  0 < delta < 1
[[nodiscard]] EpsilonBracket pld_epsilon(std::span<const Phase> phases, Adjacency adjacency,
                                         double delta, const PldOptions& options = {});

/// The same for a composition of given pairs, of which nothing is said but what they are: delta at
/// one epsilon, and epsilon at one delta.
[[nodiscard]] Enclosure pld_delta(const std::vector<RepeatedLossPair>& pairs, Adjacency adjacency,
                                  double epsilon, const PldOptions& options = {});
[[nodiscard]] Enclosure pld_epsilon(const std::vector<RepeatedLossPair>& pairs, Adjacency adjacency,
                                    double delta, const PldOptions& options = {});

}  // namespace assay
