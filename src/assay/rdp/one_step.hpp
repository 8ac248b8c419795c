#pragma once
#include <span>
#include <vector>

#include "assay/numeric/bound.hpp"
#include "assay/numeric/enclosure.hpp"
#include "assay/privacy/adjacency.hpp"
#include "assay/privacy/mechanism.hpp"

namespace assay {

/// What is known of the Rényi divergence of one step, worst case over all neighbours.
struct OneStep {
    Bound lower;            // attained by an explicit pair
    Bound upper;            // the best theorem
    Bound published_upper;  // the best peer-reviewed theorem; equal to upper where that is one
};

/// The theorem behind the exact curve of this sampler and adjacency.
[[nodiscard]] Theorem exact_theorem(const Mechanism& mechanism, Adjacency adjacency);

/// The exact worst-case divergence of one step, an enclosure; the unsampled Gaussian caps it.
///   Domain     order > 1          Units  nats          Throws  DomainError, UnsupportedMechanism
[[nodiscard]] Enclosure exact_rdp(const Mechanism& mechanism, Adjacency adjacency, double order);
[[nodiscard]] std::vector<Enclosure> exact_rdp(const Mechanism& mechanism, Adjacency adjacency,
                                               std::span<const double> orders);

/// The smallest upper bound that peer-reviewed theorems give: the exact curve where that is one,
/// else birrell2024 Theorem 3.4 (m = 3..6) and wang2019 Theorem 9 (replace-one, without
/// replacement), Theorem C.9 at m = 3 (Poisson, replace-one; its proof is sound there), Theorem 3.6
/// (with replacement), each capped by the unsampled Gaussian.
/// Orders above 512 get the unsampled cap only where a Taylor bound would be needed.
[[nodiscard]] std::vector<Bound> published_rdp(const Mechanism& mechanism, Adjacency adjacency,
                                               std::span<const double> orders);

/// All three at once; lower <= truth <= upper <= published_upper, rounding included.
///   Throws     DomainError, UnsupportedMechanism, InternalError
[[nodiscard]] OneStep one_step_rdp(const Mechanism& mechanism, Adjacency adjacency, double order);
[[nodiscard]] std::vector<OneStep> one_step_rdp(const Mechanism& mechanism, Adjacency adjacency,
                                                std::span<const double> orders);

}  // namespace assay
