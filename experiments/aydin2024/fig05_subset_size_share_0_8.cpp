#include "experiments/aydin2024/aydin2024.hpp"
#include "experiments/aydin2024/subset_size.hpp"

namespace assay::experiments::aydin2024 {

FigureResult run_fig05_subset_size_share_0_8(const Params& params) {
    return run_subset_size(params);
}

}  // namespace assay::experiments::aydin2024
