#include "assay/dpsgd/clipping.hpp"

#include <cmath>
#include <limits>

#include "assay/numeric/errors.hpp"

namespace assay {

Clipping clip(long double squared_norm, double clip_norm, double budget) {
    require_clip_norm(clip_norm);
    // The four roundings below are less than 2^-61 together.
    const long double norm =
        std::sqrt(squared_norm) * (1.0L + static_cast<long double>(budget) + 0x1p-60L);
    // A comparison with a NaN is false.
    if (!(norm <= static_cast<long double>(std::numeric_limits<double>::max())))
        return {.factor = 0.0L, .refused = true};
    const auto reported = static_cast<double>(norm);
    if (norm <= static_cast<long double>(clip_norm)) return {.norm = reported};
    return {.factor = clip_norm / norm, .norm = reported, .clipped = true};
}

void require_clip_norm(double clip_norm) {
    require(clip_norm >= 1e-20 && clip_norm <= 1e20, "clip_norm", clip_norm, "[1e-20, 1e20]");
}

}  // namespace assay
