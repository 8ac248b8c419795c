#pragma once
#include <vector>

#include "verify/check.hpp"

namespace assay::verify {

// Lists of pld_neighbour_rows(), one file each.
[[nodiscard]] std::vector<Check> random_allocation_rows();

}  // namespace assay::verify
