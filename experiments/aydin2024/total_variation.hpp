#pragma once
#include "experiments/figure.hpp"

namespace assay::experiments::aydin2024 {

/// Figures 3 and 4: the error (20) of every method, box plots by setting, and what Section 7 says
/// of them; the budget share is in the parameters.
[[nodiscard]] FigureResult run_total_variation(const Params& params);

}  // namespace assay::experiments::aydin2024
