#pragma once
#include <vector>

#include "verify/check.hpp"
#include "verify/checks/local_fixture.hpp"

namespace assay::verify {

/// The row at the edges of the cases of epsilon_2, where answers may be wide.
[[nodiscard]] Check edge_reference(Check row);

// The lists of local_privacy_rows(), one file each.
[[nodiscard]] std::vector<Check> local_utility_rows();
[[nodiscard]] std::vector<Check> local_posterior_rows();
[[nodiscard]] std::vector<Check> posterior_sampler_rows();
[[nodiscard]] std::vector<Check> response_distribution_rows();

}  // namespace assay::verify
