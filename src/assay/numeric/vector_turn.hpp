#pragma once
#include <bit>
#include <cstdint>

#include "assay/numeric/vector_clones.hpp"

namespace assay {

struct CosineAndSine {
    double cosine;
    double sine;
};

/// cos 2 pi u and sin 2 pi u without a branch or a table, so that a loop over it is vectorised.
///   Maths      4 u = q + r exactly, q an integer and |r| <= 1/2; Taylor's sums of the sine and
///              cosine of (pi/2) r, truncated below 2^-62 and 2^-58 of them, turned by q quarters
///   Domain     0 <= u <= 1; anything else gives unspecified numbers
///   Error      below 2 ulp of each; exact where 4 u is an integer
///   Cost       about 2 ns a pair with AVX2; the same bits without
ASSAY_INLINE CosineAndSine vector_turn(double u) {
    constexpr double rounder = 0x1.8p52;  // the last bits of a sum with it are an integer
    const double sum = 4.0 * u + rounder;
    const double r = 4.0 * u - (sum - rounder);
    const double z = r * r;
    double sine = 0x1.aaec32af93359p-38;
    sine = sine * z - 0x1.6fadb9f155744p-31;
    sine = sine * z + 0x1.e8f434d018d63p-25;
    sine = sine * z - 0x1.e3074fde8871fp-19;
    sine = sine * z + 0x1.50783487ee782p-13;
    sine = sine * z - 0x1.32d2cce62bd86p-8;
    sine = sine * z + 0x1.466bc6775aae2p-4;
    sine = sine * z - 0x1.4abbce625be53p-1;
    sine = r * (sine * z + 0x1.921fb54442d18p+0);
    double cosine = 0x1.20c62c2f2d7f5p-34;
    cosine = cosine * z - 0x1.b6e24f44b128fp-28;
    cosine = cosine * z + 0x1.f9d38a3763cc3p-22;
    cosine = cosine * z - 0x1.a6d1f2a204a8cp-16;
    cosine = cosine * z + 0x1.e1f506891babbp-11;
    cosine = cosine * z - 0x1.55d3c7e3cbffap-6;
    cosine = cosine * z + 0x1.03c1f081b5ac4p-2;
    cosine = cosine * z - 0x1.3bd3cc9be45dep+0;
    cosine = cosine * z + 1.0;
    const auto q = std::bit_cast<std::uint64_t>(sum);
    const auto s = std::bit_cast<std::uint64_t>(sine);
    const auto c = std::bit_cast<std::uint64_t>(cosine);
    const std::uint64_t change = (s ^ c) & (0 - (q & 1U));  // odd quarters change places
    return {std::bit_cast<double>(c ^ change ^ ((q + 1) & 2U) << 62U),
            std::bit_cast<double>(s ^ change ^ (q & 2U) << 62U)};
}

}  // namespace assay
