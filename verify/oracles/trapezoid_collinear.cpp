#include "verify/oracles/trapezoid_collinear.hpp"

#include <algorithm>
#include <cmath>

#include "verify/oracles/trapezoid_line.hpp"
#include "verify/oracles/trapezoid_refine.hpp"

namespace assay::verify::trapezoid {

namespace {

// 1 - q + q X_shift, or the constant 1 where the shift is 0.
Density density(double q, const Length& shift) {
    return [q, shift](long bits) {
        const Interval length = shift(bits);
        return ShiftMixture(length.is_zero() ? 0 : 1, Interval(q, bits), length);
    };
}

}  // namespace

double rough_excess(double order, double q, double uu, double vv, double uv) {
    const double spread =
        std::max(uu + vv - 2 * uv, std::expm1(uu) + std::expm1(vv) - 2 * std::expm1(uv));
    return order * (order - 1) / 2 * q * q * spread;
}

Interval collinear_rdp(double order, double q, const Length& a, const Length& b, long bits) {
    if (q == 0.0 || (a(bits) - b(bits)).is_zero()) return Interval(0.0, bits);
    const LineMoment moment{order, density(q, a), density(q, b)};
    const double u = a(bits).upper_double();
    const double v = b(bits).upper_double();
    return divergence_from([&](long working) { return log_moment(moment, working); }, order,
                           rough_excess(order, q, u * u, v * v, u * v), bits);
}

}  // namespace assay::verify::trapezoid
