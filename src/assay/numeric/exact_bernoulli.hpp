#pragma once
#include <cstdint>

namespace assay {

/// True with probability p, 0 <= p <= 1, whatever bits p has: `bits()` gives 64 fair bits, and a
/// uniform number is drawn as far as p decides it. A comparison with 53 bits would never see an
/// event of probability below 2^-53.
///   Maths      U < p, U = 0.u1 u2 .. in base 2^64: the first digit that differs decides
///   Errors     none: p 2^64 and its rest are exact          Cost  1 + 2^-64 + .. words
template <class Bits>
[[nodiscard]] bool exact_bernoulli(Bits&& bits, double p) {
    while (p > 0.0) {
        const double scaled = p * 0x1p64;
        if (scaled >= 0x1p64) return true;
        const auto digit = static_cast<std::uint64_t>(scaled);
        const std::uint64_t drawn = bits();
        if (drawn != digit) return drawn < digit;
        p = scaled - static_cast<double>(digit);
    }
    return false;
}

}  // namespace assay
