#pragma once
#include <span>
#include <string>
#include <vector>

#include "assay/numeric/enclosure.hpp"
#include "assay/pld/composition_plan.hpp"
#include "assay/pld/grid_search.hpp"
#include "assay/pld/tilted_bracket.hpp"

namespace assay {

// Which method answers for a list of pairs: the closed form of a single factor, grids, sums of
// losses, or fewer steps than asked. True bounds are combined; the order only decides the work.

/// Both sides of delta at every epsilon.    Sets  the worst relative gap, and why it was not closed
[[nodiscard]] std::vector<DeltaSides> search_deltas(const std::vector<RepeatedLossPair>& pairs,
                                                    Adjacency adjacency,
                                                    std::span<const double> epsilons,
                                                    const PldOptions& options, std::string& note,
                                                    double& worst_gap);

/// Both sides of epsilon at delta.    Sets  why the gap was not closed
[[nodiscard]] Enclosure search_epsilon(const std::vector<RepeatedLossPair>& pairs,
                                       Adjacency adjacency, double delta, const PldOptions& options,
                                       std::string& note);

}  // namespace assay
