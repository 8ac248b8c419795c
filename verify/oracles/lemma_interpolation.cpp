#include "verify/oracles/lemma_interpolation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "verify/oracles/lemma_lattice.hpp"

namespace assay::verify::lemma {

namespace {

constexpr real infinity = std::numeric_limits<real>::infinity();

/// w <= (1-q)^{1-a} (1-q + q X_u^a), as P^a is convex in X_u and Q >= 1-q.
real log_majorant(real a, real q, real square) {
    return (1 - a) * std::log1p(-q) + std::log(1 + q * std::exp(a * (a - 1) / 2 * square)) + 1e-12L;
}

}  // namespace

Range operator-(const Range& a, const Range& b) {
    return {a.lower - b.upper, a.upper - b.lower};
}
Range operator+(const Range& a, const Range& b) {
    return {a.lower + b.lower, a.upper + b.upper};
}
Range operator*(real c, const Range& a) {
    return c >= 0 ? Range{c * a.lower, c * a.upper} : Range{c * a.upper, c * a.lower};
}

Brackets interpolation_brackets(double order, double q, real u1, real u2, real v1, real v2) {
    const Range line{-infinity, infinity};
    const real a = order;
    const real weight = q;
    const real uu = u1 * u1 + u2 * u2;
    const real vv = v1 * v1 + v2 * v2;
    const MomentAttack pair{order, shifted(q, u1, u2), shifted(q, v1, v2)};
    // The integrands q^2 X_u^i X_v^j P^k Q^l have k >= order - 2 and l >= -1 - order.
    const real majorant = log_majorant(a, weight, uu);
    const real tail = majorant - 2 * std::log(weight) + 36;
    const auto lattice =
        lattice_for({pair, std::max<real>(0, 2 - a), 1 + a, std::max<real>(1, a), 1e-16L, tail});
    if (!lattice || !std::isfinite(majorant)) return {line, line, line};
    const real h = lattice->step;
    real pp = 0;
    real ps = 0;
    real ss = 0;
    real nodes = 0;
    for (long k = lattice->first_y; k <= lattice->last_y; ++k)
        for (long j = lattice->first_x; j <= lattice->last_x; ++j) {
            const real z1 = h * static_cast<real>(j);
            const real z2 = h * static_cast<real>(k);
            const real x = weight * std::exp(u1 * z1 + u2 * z2 - uu / 2);
            const real y = weight * std::exp(v1 * z1 + v2 * z2 - vv / 2);
            const real density_p = 1 - weight + x;
            const real density_q = 1 - weight + y;
            const real p = x / density_p;
            const real s = y / density_q;
            const real w = density_q * std::pow(density_p / density_q, a) *
                           std::exp(-0.5L * (z1 * z1 + z2 * z2));
            pp += w * p * p;
            ps += w * p * s;
            ss += w * s * s;
            ++nodes;
        }
    const real root = h / std::sqrt(2 * std::numbers::pi_v<real>);
    const real area = lattice->is_line ? root : root * root;
    // Exponents up to some hundred and the power `a` lose a few thousand units of 2^-64.
    const real relative = lattice->relative_error + (4096 * (1 + a) + nodes) * 0x1p-64L;
    const real m = lattice->margin;
    const real outside = 4 * std::exp(majorant - m * m / 2) * (1 / m + h);  // p, s <= 1
    const auto range = [&](real sum) {
        return Range{sum * area * (1 - relative), (sum * area + outside) * (1 + 2 * relative)};
    };
    if (!std::isfinite(pp) || !std::isfinite(ss)) return {line, line, line};
    return {range(pp), range(ps), range(ss)};
}

}  // namespace assay::verify::lemma
