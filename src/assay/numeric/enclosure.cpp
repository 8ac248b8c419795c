#include "assay/numeric/enclosure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "assay/numeric/errors.hpp"

namespace assay {

namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();
}

double Enclosure::relative_width() const {
    if (lower == upper) return 0.0;
    const double magnitude = std::max(std::fabs(lower), std::fabs(upper));
    return std::isfinite(magnitude) ? (upper - lower) / magnitude : infinity;
}

double Enclosure::midpoint() const {
    if (lower == upper) return lower;
    if (!std::isfinite(lower)) return std::isfinite(upper) ? upper : 0.0;
    if (!std::isfinite(upper)) return lower;
    return lower + 0.5 * (upper - lower);
}

Enclosure exactly(double x) {
    require(!std::isnan(x), "x", x, "a number");
    return {x, x};
}

Enclosure enclose(real value, real absolute_error) {
    if (!std::isfinite(value) || !(absolute_error < std::numeric_limits<real>::infinity()))
        return {-infinity, infinity};
    // One more unit roundoff covers the two additions themselves.
    const real slack = absolute_error + unit_roundoff * std::fabs(value);
    return {round_down(value - slack), round_up(value + slack)};
}

Enclosure enclose_between(real lower, real upper) {
    if (!(lower <= upper)) throw Error("an interval's lower end lies above its upper end");
    return {round_down(lower), round_up(upper)};
}

Enclosure hull(const Enclosure& a, const Enclosure& b) {
    return {std::min(a.lower, b.lower), std::max(a.upper, b.upper)};
}

Enclosure intersect(const Enclosure& a, const Enclosure& b) {
    const Enclosure common{std::max(a.lower, b.lower), std::min(a.upper, b.upper)};
    if (common.lower > common.upper)
        throw InternalError(
            fmt::format("internal error: disjoint enclosures [{:.17g}, {:.17g}] and [{:.17g}, "
                        "{:.17g}] of one number; please report this question",
                        a.lower, a.upper, b.lower, b.upper));
    return common;
}

Enclosure at_least(const Enclosure& a, double floor) {
    return {std::max(a.lower, floor), std::max(a.upper, floor)};
}

}  // namespace assay
