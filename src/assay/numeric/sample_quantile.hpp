#pragma once
#include <span>

namespace assay {

/// The p-quantile of a sample, linear between its order statistics.
///   Domain     `sorted` in rising order, at least one number; 0 <= p <= 1
[[nodiscard]] double sample_quantile(std::span<const double> sorted, double p);

}  // namespace assay
