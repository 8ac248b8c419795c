#pragma once
#include "verify/judge.hpp"

namespace assay::verify {

/// A violation with the shortest decimals found at which the check is still violated: coordinates
/// are rounded to fewer digits and moved to round numbers, one at a time, until none gives way.
///   violation  judge(check, violation.point) is violated
///   Cost       at most `attempts` judgements
[[nodiscard]] Trial shrunk(const Check& check, Trial violation, int attempts = 200);

/// Values simpler than `value`, the simplest first: 1, 2, 1/2, 10, .. near it, then `value` rounded
/// to 1, 2, .. significant decimals (integers: towards small numbers by halving).
[[nodiscard]] std::vector<double> simpler_values(const Dimension& dimension, double value);

}  // namespace assay::verify
