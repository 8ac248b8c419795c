#pragma once
#include <span>
#include <vector>

#include "experiments/birrell2024/curves.hpp"

namespace assay::experiments::birrell2024 {

/// The statements of Section 4.1 and Appendix F on the variance of a batch average, decided by
/// listing every batch of a small population (at most 8 values).
[[nodiscard]] std::vector<Claim> variance_claims(std::span<const double> population,
                                                 const Setting& setting);

}  // namespace assay::experiments::birrell2024
