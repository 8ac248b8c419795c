#pragma once
#include <algorithm>
#include <cmath>
#include <utility>

#include "verify/oracles/interval.hpp"

namespace assay::verify {

/// Thrown by a kernel whose number of operations at this precision is out of reach.
struct Unaffordable {};

/// Working precisions end here.
inline constexpr long largest_precision = 20000;

/// MPFR starts with exponents below 2^30, e^{7e8}; moments here reach e^{1e11} and more.
inline void widen_exponents() {
    mpfr_set_emin(mpfr_get_emin_min());
    mpfr_set_emax(mpfr_get_emax_max());
}

/// `at(p)` is an enclosure computed with p bits. Asks again with a larger p until the answer is
/// narrower than 2^-bits of its size, p is too large, or `at` throws Unaffordable; then the
/// narrowest answer so far is given. When even the first p is unaffordable, smaller ones are tried,
/// and the whole line is the answer if none works.
template <class At>
[[nodiscard]] Interval refined(long bits, At at) {
    widen_exponents();
    const double wanted = std::ldexp(1.0, static_cast<int>(-bits));
    Interval best = Interval::whole_line(bits);
    double width = best.relative_width();
    bool shrinking = false;
    for (long p = bits + 64; p >= 64 && p <= largest_precision;) {
        try {
            Interval next = at(p);
            const double next_width = next.relative_width();
            if (next_width <= width) {
                best = std::move(next);
                width = next_width;
            }
        } catch (const Unaffordable&) {
            if (p > bits + 64) return best;
            shrinking = true;
            p /= 2;
            continue;
        }
        if (shrinking || width <= wanted) return best;
        // Once some digits are right the number of missing ones is known; before that, double.
        const long missing = width < 0.25 ? static_cast<long>(std::log2(width / wanted)) + 32 : p;
        p += std::min(missing, p);
    }
    return best;
}

/// {n} with few bits: products with it, and quotients by it, keep the other operand's precision.
[[nodiscard]] inline Interval whole(long n) {
    return Interval::integer(n, 64);
}

[[nodiscard]] inline bool is_integer(double x) {
    return x == std::floor(x) && std::abs(x) < 0x1p53;
}

/// The part >= 0, for quantities that cannot be negative.
[[nodiscard]] inline Interval nonnegative(const Interval& x) {
    return max(x, Interval(0.0, x.bits()));
}

}  // namespace assay::verify
