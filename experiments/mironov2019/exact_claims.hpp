#pragma once
#include <vector>

#include "experiments/claims.hpp"
#include "experiments/params.hpp"

namespace assay::experiments::mironov2019 {

/// Corollary 7, the procedures of Section 3.3, and how the cost falls with q.
[[nodiscard]] std::vector<Claim> exact_claims(const Params& params);

}  // namespace assay::experiments::mironov2019
