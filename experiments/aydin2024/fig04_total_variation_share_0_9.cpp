#include "experiments/aydin2024/aydin2024.hpp"
#include "experiments/aydin2024/total_variation.hpp"

namespace assay::experiments::aydin2024 {

FigureResult run_fig04_total_variation_share_0_9(const Params& params) {
    return run_total_variation(params);
}

}  // namespace assay::experiments::aydin2024
