#include "assay/numeric/directed.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "assay/numeric/errors.hpp"

namespace assay {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();

/// Doubles in order are consecutive integers: +0 and -0 are both 0, the next double is one more.
std::int64_t ordinal(double x) {
    const auto bits = std::bit_cast<std::int64_t>(x);
    return bits >= 0 ? bits : lowest - bits;
}

double from_ordinal(std::int64_t n) {
    return std::bit_cast<double>(n >= 0 ? n : lowest - n);
}

}  // namespace

double widen_up(double x, int ulps) {
    require(!std::isnan(x), "x", x, "a number");
    if (!std::isfinite(x)) return x;
    return from_ordinal(std::min(ordinal(x) + ulps, ordinal(infinity)));
}

double widen_down(double x, int ulps) {
    require(!std::isnan(x), "x", x, "a number");
    if (!std::isfinite(x)) return x;
    return from_ordinal(std::max(ordinal(x) - ulps, ordinal(-infinity)));
}

double round_up(real x) {
    const auto nearest = static_cast<double>(x);
    require(!std::isnan(nearest), "x", nearest, "a number");
    return static_cast<real>(nearest) < x ? std::nextafter(nearest, infinity) : nearest;
}

double round_down(real x) {
    const auto nearest = static_cast<double>(x);
    require(!std::isnan(nearest), "x", nearest, "a number");
    return static_cast<real>(nearest) > x ? std::nextafter(nearest, -infinity) : nearest;
}

}  // namespace assay
