#pragma once
#include <vector>

#include "experiments/claims.hpp"
#include "experiments/params.hpp"

namespace assay::experiments::mironov2019 {

/// What Sections 3.2 and the abstract say of the closed-form bound, decided on a grid that reaches
/// the boundary of its conditions.
[[nodiscard]] std::vector<Claim> theorem_11_claims(const Params& params);

}  // namespace assay::experiments::mironov2019
