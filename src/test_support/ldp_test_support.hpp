#pragma once
#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

#include "assay/ldp/grid_posterior.hpp"
#include "assay/ldp/response_history.hpp"

/// What several tests of local privacy begin with.
namespace assay::test_support {

/// 0, 1, .., size - 1
inline std::vector<int> first_categories(int size) {
    std::vector<int> members(static_cast<std::size_t>(size));
    std::iota(members.begin(), members.end(), 0);
    return members;
}

/// The weights as probabilities, the largest first.
inline std::vector<double> falling(std::vector<double> weights) {
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    for (double& weight : weights) weight /= sum;
    std::sort(weights.rbegin(), weights.rend());
    return weights;
}

inline ResponseHistory history_of(const RestrictedResponse& mechanism,
                                  const std::vector<KeptAnswer>& answers) {
    ResponseHistory history(mechanism);
    for (const auto& [subset, response] : answers) history.add(subset, response);
    return history;
}

}  // namespace assay::test_support
