#include "assay/rdp/rdp_to_epsilon_delta.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "assay/numeric/errors.hpp"

namespace assay {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

void check(double order, const Enclosure& rdp) {
    require(order > 1.0 && std::isfinite(order), "alpha", order, "1 < alpha < inf");
    require(rdp.lower >= 0.0 && rdp.lower <= rdp.upper, "rdp", rdp.lower, "rdp >= 0");
}

void check_delta(double delta) {
    require(delta > 0.0 && delta < 1.0, "delta", delta, "0 < delta < 1");
}

/// offset + rdp with the offset's rounding error given.
Enclosure shifted(const Enclosure& rdp, real offset, real error) {
    const auto end = [&](double value) {
        return value == infinity
                   ? Enclosure{infinity, infinity}
                   : enclose(value + offset, error + unit_roundoff * std::fabs(value));
    };
    return {end(rdp.lower).lower, end(rdp.upper).upper};
}

/// -(log delta + log a)/(a-1) + log((a-1)/a): the balle2020 formula without its rdp.
struct Offset {
    real value;
    real error;
};

Offset balle2020_offset(double order, double delta) {
    const real a = order;
    const real b = a - 1.0L;  // exact: at most 64 bits are needed for 1 < a <= 2^11; rounded beyond
    const real log_delta = std::log(static_cast<real>(delta));
    const real log_a = std::log(a);
    // log(b/a) = -log1p(1/b) keeps its digits for large and for small b.
    const real ratio = -std::log1p(1.0L / b);
    const real value = ratio - (log_delta + log_a) / b;
    const real size = (std::fabs(log_delta) + std::fabs(log_a)) / b + std::fabs(ratio);
    return {value, 8.0L * unit_roundoff * (size + std::fabs(value))};
}

}  // namespace

Enclosure mironov2017_epsilon(double order, const Enclosure& rdp, double delta) {
    check(order, rdp);
    check_delta(delta);
    const real offset = -std::log(static_cast<real>(delta)) / (static_cast<real>(order) - 1.0L);
    return shifted(rdp, offset, 6.0L * unit_roundoff * offset);
}

Enclosure balle2020_epsilon(double order, const Enclosure& rdp, double delta) {
    check(order, rdp);
    check_delta(delta);
    const Offset offset = balle2020_offset(order, delta);
    return shifted(rdp, offset.value, offset.error);
}

Enclosure canonne2020_epsilon(double order, const Enclosure& rdp, double delta) {
    const Enclosure formula = at_least(balle2020_epsilon(order, rdp, delta), 0.0);
    // delta^2 + expm1(-rdp) > 0 makes epsilon 0. The sum carries at most 8u of relative error.
    const auto guard = [&](double value) {
        const real square = static_cast<real>(delta) * static_cast<real>(delta);
        return square + std::expm1(-static_cast<real>(value));
    };
    const auto slack = 16.0L * unit_roundoff * static_cast<real>(delta) * static_cast<real>(delta);
    const bool certainly = guard(rdp.upper) > slack;
    const bool possibly = guard(rdp.lower) > -slack;
    if (certainly) return exactly(0.0);
    return possibly ? Enclosure{0.0, formula.upper} : formula;
}

Enclosure canonne2020_delta(double order, const Enclosure& rdp, double epsilon) {
    check(order, rdp);
    require(!std::isnan(epsilon), "eps", epsilon, "a number");
    const auto end = [&](double value, bool up) -> double {
        if (value == infinity) return 1.0;
        const real d = value;
        real best = std::sqrt(-std::expm1(-d));
        real relative = 16.0L * unit_roundoff;
        if (order > 1.01) {
            const real a = order;
            const real b = a - 1.0L;
            const real slope = std::log1p(-1.0L / a);
            const real exponent = b * (d - static_cast<real>(epsilon) + slope) - std::log(a);
            const real size = b * (d + std::fabs(static_cast<real>(epsilon)) + std::fabs(slope)) +
                              std::log(a) + 1.0L;
            if (exponent < 1.0L && std::exp(exponent) < best) {
                best = std::exp(exponent);
                relative = 16.0L * unit_roundoff * size;
            } else {
                // Near a tie either branch may be the smaller one: both are within this factor.
                relative =
                    std::max(relative, exponent < 1.0L ? 16.0L * unit_roundoff * size : 0.0L);
            }
        }
        const Enclosure result = enclose(best, relative * best);
        // A positive number below the range of `real` still has a positive upper bound.
        if (up && best == 0.0L && d > 0.0L) return std::numeric_limits<double>::denorm_min();
        return std::clamp(up ? result.upper : result.lower, 0.0, 1.0);
    };
    return {end(rdp.lower, false), end(rdp.upper, true)};
}

std::vector<double> opacus_orders() {
    std::vector<double> orders;
    for (int i = 11; i <= 109; ++i) orders.push_back(i / 10.0);
    for (int i = 12; i <= 63; ++i) orders.push_back(i);
    return orders;
}

}  // namespace assay
