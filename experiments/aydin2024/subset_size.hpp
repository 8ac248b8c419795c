#pragma once
#include "experiments/figure.hpp"

namespace assay::experiments::aydin2024 {

/// Figures 5 and 6: the mean size of the sets that every method chose, and what Section 7 says of
/// it.
[[nodiscard]] FigureResult run_subset_size(const Params& params);

}  // namespace assay::experiments::aydin2024
