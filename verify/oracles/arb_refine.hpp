#pragma once
#include <functional>
#include <vector>

#include "verify/oracles/arb_numbers.hpp"

namespace assay::verify::arb {

/// The largest value of g on [low, high], roughly; where it is goes to the end of `places`.
[[nodiscard]] double approximate_peak(const std::function<double(double)>& g, double low,
                                      double high, std::vector<double>& places);

/// Repeats `attempt` (goal -> enclosure) with a higher goal until its answer is known to `bits`
/// relatively, or until that is too expensive.
[[nodiscard]] Real refine(long bits, long goal,
                          const std::function<Real(long goal, bool& exhausted)>& attempt);

/// log(F)/(alpha-1).
[[nodiscard]] Real divergence_of(const Real& moment, double alpha, long precision);

}  // namespace assay::verify::arb
