#include "assay/numeric/expm1_minus_kernel.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>

#include "assay/numeric/vector_clones.hpp"

namespace assay {

namespace {

/// e^t - 1 - t, branch-free: t = n ln2 + r, |r| <= ln2/2, and with p = e^r - 1 - r
///   e^t - 1 - t = 2^n p + (2^n - 1) + (2^n r - t);   n = 0 leaves p alone, exactly.
inline double expm1_minus_fast(double t) {
    constexpr double inverse_ln2 = 0x1.71547652b82fep+0;
    constexpr double ln2_high = 0x1.62e42fefa38p-1;  // 43 bits: n * ln2_high is exact, |n| < 2^10
    constexpr double ln2_low = 0x1.ef35793c7673p-45;
    constexpr double shifter = 0x1.8p+52;  // adding it rounds to an integer, kept in the low bits
    const double shifted = t * inverse_ln2 + shifter;
    const double n = shifted - shifter;
    const double r = (t - n * ln2_high) - n * ln2_low;
    const auto bits = std::bit_cast<std::uint64_t>(shifted);
    const double power = std::bit_cast<double>((bits << 52U) + 0x3ff0000000000000ULL);
    // p / r^2 = sum r^k / (k+2)!, |r| <= 0.3466: the first dropped term is below 2^-60.
    double s = 1.0 / 87178291200.0;
    s = s * r + 1.0 / 6227020800.0;
    s = s * r + 1.0 / 479001600.0;
    s = s * r + 1.0 / 39916800.0;
    s = s * r + 1.0 / 3628800.0;
    s = s * r + 1.0 / 362880.0;
    s = s * r + 1.0 / 40320.0;
    s = s * r + 1.0 / 5040.0;
    s = s * r + 1.0 / 720.0;
    s = s * r + 1.0 / 120.0;
    s = s * r + 1.0 / 24.0;
    s = s * r + 1.0 / 6.0;
    s = s * r + 0.5;
    const double p = r * r * s;
    return power * p + ((power - 1.0) + (power * r - t));
}

ASSAY_VECTOR_CLONES void accumulate(std::size_t count, const double* __restrict rates, double loss,
                                    double weight, double* __restrict sums) {
    for (std::size_t j = 0; j < count; ++j) sums[j] += weight * expm1_minus_fast(rates[j] * loss);
}

}  // namespace

void add_expm1_minus(std::span<const double> rates, double loss, double weight,
                     std::span<double> sums) {
    accumulate(rates.size(), rates.data(), loss, weight, sums.data());
}

}  // namespace assay
