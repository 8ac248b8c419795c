#pragma once
#include "assay/numeric/enclosure.hpp"

namespace assay {

/// delta(epsilon) of the Gaussian mechanism and of its compositions, exactly.
///   Maths      Phi(c/2 - e/c) - e^e Phi(-c/2 - e/c), c^2 the sum of squared shifts over all steps
///   Source     balle2018 Theorem 8          Domain  shift_square >= 0, epsilon >= 0
///   Direction  enclosure
[[nodiscard]] Enclosure gaussian_delta(real shift_square, double epsilon);

/// The smallest epsilon >= 0 with delta(epsilon) <= delta, by bisection on that formula.
[[nodiscard]] Enclosure gaussian_epsilon(real shift_square, double delta);

}  // namespace assay
