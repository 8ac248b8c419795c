#pragma once
#include "assay/numeric/enclosure.hpp"

namespace assay {

/// Logarithm of the absolute central moment of the likelihood ratio, birrell2024 (45), odd j.
///   Maths      log E|X - 1|^j,  X = e^{cz - c^2/2}, c = 2/sigma, z ~ N(0,1);
///              E|X-1|^j = M_j + 2 E[(1-X)^j 1{X < 1}] for odd j: both terms are >= 0. Where c is
///              above 256, between E[X^j - j X^{j-1}] and E X^j + 1, which is nearly one number
///   Domain     sigma > 0, odd j in 1..10001
///   Direction  enclosure (docs/error_bounds.md#panels)          Throws  DomainError
[[nodiscard]] Enclosure log_absolute_moment(double noise_multiplier, int j);

}  // namespace assay
