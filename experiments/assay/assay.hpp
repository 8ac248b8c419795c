#pragma once
#include "experiments/figure.hpp"

/// Figures of this library's own brackets, which no paper has.
namespace assay::experiments::brackets {

[[nodiscard]] FigureResult run_brackets(const Params& params);
[[nodiscard]] FigureResult run_fixed_size(const Params& params);
[[nodiscard]] FigureResult run_with_replacement(const Params& params);

}  // namespace assay::experiments::brackets
