#pragma once
#include <vector>

#include "experiments/claims.hpp"
#include "experiments/params.hpp"

namespace assay::experiments::mironov2019 {

/// Section 4: the moments identity (14), and which of RDP, tCDP and zCDP the mechanism satisfies.
[[nodiscard]] std::vector<Claim> discussion_claims(const Params& params);

}  // namespace assay::experiments::mironov2019
