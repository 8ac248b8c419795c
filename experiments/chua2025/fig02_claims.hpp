#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "experiments/chua2025/delta_by_sampler.hpp"
#include "experiments/claims.hpp"

namespace assay::experiments::chua2025 {

/// What Figure 2 and the text around it say, decided by the certified curves of its panels.
[[nodiscard]] std::vector<Claim> sampler_claims(std::span<const SamplerCurves> panels,
                                                const MonteCarloEffort& effort);

/// Appendix D: KL(P_B || Q_B) > KL(P_P || Q_P), for the settings of the panels.
[[nodiscard]] Claim kl_claim(std::span<const SamplerCurves> panels, std::int64_t cells, double gap);

/// By how much the order statistics of Appendix C make delta too large.
[[nodiscard]] Claim inflation_claim(const Params& params, double confidence_error,
                                    std::uint64_t seed);

}  // namespace assay::experiments::chua2025
