#pragma once
#include <cstdint>
#include <optional>
#include <span>

#include "assay/datasets/dataset.hpp"
#include "assay/dpsgd/gradient_sum.hpp"
#include "assay/dpsgd/model.hpp"

namespace assay {

/// GradientEngine::clipped_sum the plain way, as common frameworks do it: every example's whole
/// gradient is formed and held (live_bytes counts them), then clipped by its norm and added.
///   Cost       the parameters times the batch, in memory too; one thread
///   Direction, errors  as GradientEngine::clipped_sum
template <class Real>
void reference_clipped_sum(const Model<Real>& model, const Dataset& data,
                           std::span<const std::uint32_t> indices, std::optional<double> clip_norm,
                           GradientSum<Real>& result);

}  // namespace assay
