#include "verify/checks/argument_block.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace assay::verify {

namespace {

/// Uniform in (0, 1) with all the digits of a `real`.
real uniform(Draws& draws) {
    return static_cast<real>(draws.uniform()) + 0x1p-52L * (draws.uniform() - 0.5L);
}

bool coin(Draws& draws) {
    return draws.uniform() < 0.5;
}

/// A sign that the range admits.
real signed_size(const ArgumentRange& range, real size, Draws& draws) {
    const bool negative = range.high <= 0.0L || (range.low < 0.0L && coin(draws));
    return negative ? -size : size;
}

real largest_size(const ArgumentRange& range) {
    return std::max(std::fabs(range.low), std::fabs(range.high));
}

/// 2^e m, e and m uniform: every binade is as likely.
real of_any_size(const ArgumentRange& range, Draws& draws) {
    const real least = std::floor(std::log2(range.smallest));
    const real most = std::ceil(std::log2(largest_size(range)));
    const auto exponent = static_cast<int>(std::floor(least + (most - least) * uniform(draws)));
    return signed_size(range, std::ldexp(1.0L + uniform(draws), exponent), draws);
}

real near_power_of_two(const ArgumentRange& range, Draws& draws) {
    const real least = std::log2(range.smallest);
    const real most = std::log2(largest_size(range));
    const auto exponent = static_cast<int>(std::round(least + (most - least) * uniform(draws)));
    const real steps = std::floor(9.0L * uniform(draws)) - 4.0L;
    return signed_size(
        range, std::ldexp(1.0L + steps * std::numeric_limits<real>::epsilon(), exponent), draws);
}

real near_place(const ArgumentRange& range, Draws& draws) {
    const real place = range.places[draws.below(range.places.size())];
    const auto exponent = -static_cast<int>(draws.below(70));
    const real scale = place == 0.0L ? 1.0L : place;
    const real distance = exponent < -66 ? 0.0L : std::ldexp(uniform(draws), exponent) * scale;
    return coin(draws) ? place + distance : place - distance;
}

}  // namespace

real draw_argument(const ArgumentRange& range, Draws& draws) {
    real x = 0.0L;
    switch (draws.below(range.places.empty() ? 3 : 4)) {
        case 0: x = of_any_size(range, draws); break;
        case 1: x = range.low + (range.high - range.low) * uniform(draws); break;
        case 2: x = near_power_of_two(range, draws); break;
        default: x = near_place(range, draws);
    }
    x = std::clamp(x, range.low, range.high);
    return range.whole ? std::round(x) : x;
}

}  // namespace assay::verify
