#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "assay/numeric/bound.hpp"
#include "assay/privacy/adjacency.hpp"
#include "assay/privacy/mechanism.hpp"

namespace assay {

/// Which theorems a side may rest on; `published` leaves a side vacuous that only ours give.
enum class StandingFilter { any, published };

/// An (epsilon, delta) answer: the truth lies in [lower, upper].
struct PrivacyBracket {
    Bound lower;
    Bound upper;             // by the best order and theorem
    double upper_order = 0;  // the order at which `upper` is attained
    Bound published_upper;   // from published theorems alone
    double published_order = 0;
};

/// epsilon at a given delta of the composition of all phases.
///   Maths      min over orders (continuous) of the canonne2020/balle2020 conversion of
///              sum_i steps_i rdp_i(order), clipped at 0; below: tilted Berry-Esseen bound for the
///              explicit worst pair (docs/proofs.md)
///   Domain     0 < delta < 1, steps >= 1
///   Throws     DomainError, UnsupportedMechanism, InternalError
[[nodiscard]] PrivacyBracket epsilon_bracket(std::span<const Phase> phases, Adjacency adjacency,
                                             double delta,
                                             StandingFilter filter = StandingFilter::any);

/// The same with the minimum over the given orders only (a paper's or a library's grid).
[[nodiscard]] PrivacyBracket epsilon_bracket_on_grid(std::span<const Phase> phases,
                                                     Adjacency adjacency, double delta,
                                                     std::span<const double> orders,
                                                     StandingFilter filter = StandingFilter::any);

/// delta at a given epsilon >= 0.
[[nodiscard]] PrivacyBracket delta_bracket(std::span<const Phase> phases, Adjacency adjacency,
                                           double epsilon,
                                           StandingFilter filter = StandingFilter::any);

}  // namespace assay
