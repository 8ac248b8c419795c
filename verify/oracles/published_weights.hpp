#pragma once
#include <vector>

#include "verify/oracles/interval.hpp"

namespace assay::verify {

/// a_n = C(B,n) D^{-n} (1-1/D)^{B-n}, n = 0..last, with p bits: birrell2024 (105). Throws
/// Unaffordable when there are too many.
[[nodiscard]] std::vector<Interval> copy_weights(long B, long D, long last, long p);

/// a_n for one n.
[[nodiscard]] Interval copy_weight(long B, long D, long n, long p);

}  // namespace assay::verify
