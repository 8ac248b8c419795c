#include "experiments/aydin2024/aydin2024.hpp"
#include "experiments/aydin2024/total_variation.hpp"

namespace assay::experiments::aydin2024 {

FigureResult run_fig03_total_variation_share_0_8(const Params& params) {
    return run_total_variation(params);
}

}  // namespace assay::experiments::aydin2024
