#pragma once
#include <span>

#include "assay/numeric/enclosure.hpp"

namespace assay {

/// Variance of the Poisson-subsampled average (1/B) sum_i a_i J_i, J_i ~ Bernoulli(B/D), D = size.
///   Maths      birrell2024 (143): (1/B - 1/D) (1/D) sum a_i^2
///   Domain     finite a, 1 <= batch <= D        Direction  enclosure, >= 0
///   Throws     DomainError (a, B)
[[nodiscard]] Enclosure variance_poisson(std::span<const double> a, int batch);

/// Variance of the average over a fixed-size batch drawn with replacement.
///   Maths      birrell2024 (143): (1/(B D)) sum (a_i - mean)^2
///   Domain, direction, errors  as variance_poisson
[[nodiscard]] Enclosure variance_with_replacement(std::span<const double> a, int batch);

/// Variance of the average over a fixed-size batch drawn without replacement.
///   Maths      birrell2024 (144): (1/B - 1/D) (1/(D-1)) sum (a_i - mean)^2
///   Domain, direction, errors  as variance_poisson
[[nodiscard]] Enclosure variance_without_replacement(std::span<const double> a, int batch);

}  // namespace assay
