#include "verify/oracles/lemma_plane.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "verify/oracles/lemma_lattice.hpp"

namespace assay::verify::lemma {

namespace {

constexpr real unit = 0x1p-64L;
constexpr real infinity = std::numeric_limits<real>::infinity();
constexpr real accuracy = 1e-13L;  // of F - 1, where nothing else limits it

enum class Side { lower, upper };

/// The numbers of a component that every node needs.
struct Term {
    real weight, x, y, half_square;
};

std::vector<Term> terms_of(const Mixture& mixture) {
    std::vector<Term> terms;
    for (const Component& c : mixture)
        terms.push_back({c.weight, c.x, c.y, 0.5L * (c.x * c.x + c.y * c.y)});
    return terms;
}

real at_origin(const Mixture& mixture) {
    real rest = 1;
    for (const Component& c : mixture) rest -= c.weight;
    return std::max<real>(rest, 0);
}

/// A mixture at one node: M, M - 1, and a bound of the rounding error of M - 1. The C library's
/// exp and expm1 are within a few units; t carries at most 4 units of the sum of its parts.
struct Value {
    real density;
    real minus_one;
    real error;
};

Value value_at(const std::vector<Term>& terms, real rest, real z1, real z2) {
    Value v{rest, 0, 0};
    for (const Term& c : terms) {
        const real a = c.x * z1;
        const real b = c.y * z2;
        const real t = a + b - c.half_square;
        const real parts = std::fabs(a) + std::fabs(b) + c.half_square;
        real less = 0;
        real whole = 0;
        if (t < -0.5L) {
            whole = std::exp(t);
            less = whole - 1;
        } else {
            less = std::expm1(t);
            whole = less + 1;
        }
        v.density += c.weight * whole;
        v.minus_one += c.weight * less;
        v.error += c.weight * (std::fabs(less) + parts * whole);
    }
    v.error *= 32 * unit;
    return v;
}

/// (1+d)^a - 1 - a d >= 0, relative error at most 1e-15 (1 + a/(a-1)) + 40 units times the
/// exponent.
real bregman(real a, real d) {
    if (d <= -1) return a - 1;
    if (std::fabs(d) * std::max<real>(a, 2) < 0.02L) {
        // 13 terms of the binomial series, each at most 0.02 times the one before.
        real term = a * (a - 1) / 2 * d * d;
        real sum = term;
        for (int k = 3; k <= 14; ++k) {
            term *= (a - k + 1) / k * d;
            sum += term;
        }
        return sum;
    }
    return std::expm1(a * std::log1p(d)) - a * d;
}

/// The second-order part of F - 1, kept away from 0: how accurate the lattice has to be.
real rough_excess(const MomentAttack& attack) {
    real x = 0;
    real y = 0;
    for (const Component& c : attack.p) x += c.weight * c.x, y += c.weight * c.y;
    for (const Component& c : attack.q) x -= c.weight * c.x, y -= c.weight * c.y;
    return std::clamp<real>(attack.order * (attack.order - 1) / 2 * (x * x + y * y), 1e-15L, 1);
}

/// log of a bound of (P^a Q^{1-a} phi)'s mass in units of e^{-margin^2/2}: by convexity P^a is at
/// most the mixture of X^a = e^{a(a-1)|u|^2/2} dN_{au}/dN_0, and Q is at least its part at 0.
real log_majorant(const MomentAttack& attack) {
    const real a = attack.order;
    const real rest = at_origin(attack.q);
    if (!(rest > 0)) return infinity;
    real sum = 1;
    for (const Component& c : attack.p)
        sum += c.weight * std::exp(a * (a - 1) / 2 * (c.x * c.x + c.y * c.y));
    return (1 - a) * std::log(rest) + std::log(sum) + 1e-12L;
}

/// At most the sum over nodes outside the box of a normal density whose centre is `margin` inside:
/// four half-planes, each at most (1/m + h) phi(m).
real outside(const Lattice& lattice) {
    const real m = lattice.margin;
    return 4 * std::exp(-m * m / 2) / std::sqrt(2 * std::numbers::pi_v<real>) *
           (1 / m + lattice.step) * 1.01L;
}

struct Sum {
    real value = 0;
    real nodes = 0;
};

/// Sum over the box of Q g(P/Q - 1) phi h^2. d is moved by its rounding error towards 0 (lower) or
/// away from it (upper): g falls up to 0 and rises from there.
Sum sum_over(const MomentAttack& attack, const Lattice& lattice, Side side) {
    const std::vector<Term> p_terms = terms_of(attack.p);
    const std::vector<Term> q_terms = terms_of(attack.q);
    const real p_rest = at_origin(attack.p);
    const real q_rest = at_origin(attack.q);
    const real h = lattice.step;
    Sum sum;
    for (long k = lattice.first_y; k <= lattice.last_y; ++k) {
        const real z2 = h * static_cast<real>(k);
        real row = 0;
        for (long j = lattice.first_x; j <= lattice.last_x; ++j) {
            const real z1 = h * static_cast<real>(j);
            const Value p = value_at(p_terms, p_rest, z1, z2);
            const Value q = value_at(q_terms, q_rest, z1, z2);
            const real d = (p.minus_one - q.minus_one) / q.density;
            const real error = (p.error + q.error) / q.density + 8 * unit * std::fabs(d);
            const real size = side == Side::lower ? std::max<real>(0, std::fabs(d) - error)
                                                  : std::fabs(d) + error;
            row += q.density * bregman(attack.order, std::copysign(size, d)) *
                   std::exp(-0.5L * (z1 * z1 + z2 * z2));
        }
        sum.value += row;
        sum.nodes += static_cast<real>(lattice.last_x - lattice.first_x + 1);
    }
    const real root = h / std::sqrt(2 * std::numbers::pi_v<real>);
    sum.value *= lattice.is_line ? root : root * root;
    return sum;
}

/// Relative error of the sum as computed: bregman, the densities, and one unit per addition.
real relative_rounding(const MomentAttack& attack, const Sum& sum) {
    const real a = attack.order;
    return 2e-15L * (1 + a / (a - 1)) + 1e-15L * a * unit * 0x1p52L + sum.nodes * unit;
}

LatticeNeed need_for(const MomentAttack& attack, real tail) {
    return {attack, 0, attack.order - 1, attack.order, accuracy * rough_excess(attack), tail};
}

}  // namespace

Mixture shifted(double q, real x, real y) {
    return {{static_cast<real>(q), x, y}};
}

real excess_lower(const MomentAttack& attack) {
    constexpr real tail = 38;
    const auto lattice = lattice_for(need_for(attack, tail));
    if (!lattice) return -1;
    const Sum sum = sum_over(attack, *lattice, Side::lower);
    if (!std::isfinite(sum.value)) return -1;
    // Sum over all nodes = F (1+e1) - 1 (1+e2) - a ((1+e3) - (1+e2)), and the box has less.
    const real e1 = lattice->relative_error;
    const real e2 = lattice->normal_error;
    const real s = sum.value * (1 - relative_rounding(attack, sum));
    return (s - e1 - (1 + 2 * attack.order) * e2) / (1 + e1) * (1 - 1e-18L);
}

real excess_upper(const MomentAttack& attack) {
    const real majorant = log_majorant(attack);
    if (!std::isfinite(majorant)) return infinity;
    const real tail =
        majorant + std::max<real>(0, std::log(attack.order)) + 32 - std::log(rough_excess(attack));
    const auto lattice = lattice_for(need_for(attack, tail));
    if (!lattice) return infinity;
    const Sum sum = sum_over(attack, *lattice, Side::upper);
    if (!std::isfinite(sum.value)) return infinity;
    // Outside the box the summand is at most f + (a-1) Q.
    const real omitted = (std::exp(majorant) + attack.order) * outside(*lattice);
    const real e1 = lattice->relative_error;
    const real e2 = lattice->normal_error;
    const real s = sum.value * (1 + relative_rounding(attack, sum)) + omitted;
    return (s + e1 + (1 + 2 * attack.order) * e2) / (1 - e1) * (1 + 1e-18L);
}

double divergence_at_least(const MomentAttack& attack) {
    const real excess = excess_lower(attack);
    if (!(excess > 0)) return 0.0;
    const real divergence = std::log1p(excess) / (attack.order - 1.0L) * (1 - 1e-17L);
    const double nearest = static_cast<double>(divergence);
    return static_cast<real>(nearest) > divergence ? std::nextafter(nearest, 0.0) : nearest;
}

}  // namespace assay::verify::lemma
