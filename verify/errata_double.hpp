#pragma once

namespace assay::verify {

/// (44) of birrell2024, M_k = sum_l (-1)^{k-l} C(k,l) e^{2l(l-1)/sigma^2}, from the highest term
/// down as the paper advises, every operation rounded to the 53 bits of a double: what double
/// precision gives, on any machine.
[[nodiscard]] double moment_in_double(double sigma, long k);

}  // namespace assay::verify
