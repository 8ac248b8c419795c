#pragma once
#include <vector>

#include "verify/oracles/oracle.hpp"

namespace assay::verify {

/// convert.mironov2017_prop_3, balle2020_thm_21, canonne2020 and canonne2020_delta.
[[nodiscard]] std::vector<Oracle> published_conversion_oracles();

}  // namespace assay::verify
