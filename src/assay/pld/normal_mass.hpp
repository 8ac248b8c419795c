#pragma once
#include <array>

#include "assay/numeric/directed.hpp"

namespace assay {

/// P(a < Z + mean < b), relative error below 4e-15 for boundaries within 45 of the mean; b - a is
/// formed once, not from boundaries that were shifted and rounded
/// (docs/error_bounds.md#privacy-loss).
[[nodiscard]] real normal_mass(real a, real b, real mean = 0.0L);

/// Nodes of a < z < b and their weights of dz, for positive sums of shifted normal densities all of
/// which have (b - a)(|z - shift| + 4) < 0.1.
struct ShortRule {
    std::array<real, 4> node;
    std::array<real, 4> weight;
    ShortRule(real a, real b);
};

/// Whether the rule serves a density whose mean is up to `far` away from either end.
[[nodiscard]] inline bool is_short(real width, real far) {
    return width * (far + 4.0L) < 0.1L;
}

/// The normal density.
[[nodiscard]] real normal_density(real z);

}  // namespace assay
