#pragma once
#include <vector>

#include "verify/oracles/interval.hpp"
#include "verify/oracles/oracle.hpp"

namespace assay::verify {

/// wang2019.upper and lower as birrell2024 (127)-(133) state them; mironov2019.thm_11 with the
/// right sides of its conditions (4) and (5) as mironov2019.thm_11.rhs4 and .rhs5.
[[nodiscard]] std::vector<Oracle> published_general_oracles();

}  // namespace assay::verify
