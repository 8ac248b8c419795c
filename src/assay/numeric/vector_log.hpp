#pragma once
#include <bit>
#include <cstdint>

#include "assay/numeric/vector_clones.hpp"

namespace assay {

/// ln x without a branch or a table, so that a loop over it is vectorised.
///   Maths      x = 2^n m, 1/sqrt2 <= m < sqrt2, f = m - 1, s = f/(2+f):
///              ln x = n ln2 + f - (f^2/2 - s (f^2/2 + s^2 R(s^2))), R interpolating
///              (2 atanh(s)/s - 2)/s^2 at seven Chebyshev nodes, to 2^-57 of ln m
///   Domain     normal positive numbers; anything else gives an unspecified number
///   Error      below 1 ulp; ln 1 = 0
///   Cost       about 2 ns a number with AVX2, 4 ns without; the same bits
ASSAY_INLINE double vector_log(double x) {
    constexpr double ln2_high = 0x1.62e42fefa38p-1;  // 43 bits: n * ln2_high is exact
    constexpr double ln2_low = 0x1.ef35793c7673p-45;
    constexpr std::uint64_t root_half = 0x3fe6a09e667f3bcdULL;
    constexpr std::uint64_t one = 0x3ff0000000000000ULL;
    constexpr std::uint64_t mantissa = 0x000fffffffffffffULL;
    constexpr std::uint64_t two_to_52 = 0x4330000000000000ULL;
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(x) + (one - root_half);
    const double n = std::bit_cast<double>((bits >> 52U) | two_to_52) - (0x1p52 + 1023.0);
    const double f = std::bit_cast<double>((bits & mantissa) + root_half) - 1.0;
    const double s = f / (2.0 + f);
    const double z = s * s;
    double r = 0x1.2b584aaef00b2p-3;
    r = r * z + 0x1.39fe606539350p-3;
    r = r * z + 0x1.7462b4ab2f411p-3;
    r = r * z + 0x1.c71c62e580090p-3;
    r = r * z + 0x1.2492492df148dp-2;
    r = r * z + 0x1.99999999952e2p-2;
    r = r * z + 0x1.5555555555558p-1;
    const double half_square = 0.5 * f * f;
    return n * ln2_high - ((half_square - (s * (half_square + z * r) + n * ln2_low)) - f);
}

}  // namespace assay
