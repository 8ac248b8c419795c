#include "verify/oracles/lemma_lattice.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace assay::verify::lemma {

namespace {

constexpr real pi = std::numbers::pi_v<real>;
constexpr long most_nodes = 400000;

// By Poisson summation the lattice error is the sum of the Fourier coefficients at 2 pi k / h, k a
// nonzero integer pair. Moving the contour by y = y0 k/|k| bounds each by
// e^{-2 pi y0 |k| / h} growth(y0) times the integral. With |k| >= max(|k1|,|k2|) and 8m pairs at
// maximum m, the sum over k of e^{-a |k|} is at most 8 e^{-a} / (1 - e^{-a})^2.
real dual_sum(real a) {
    const real e = std::exp(-a);
    return 8.0L * e / ((1.0L - e) * (1.0L - e));
}

real log_growth(const LatticeNeed& need, real d_p, real d_q, real y) {
    return 0.5L * y * y - need.p_power * std::log(std::cos(0.5L * d_p * y)) -
           need.q_power * std::log(std::cos(0.5L * d_q * y));
}

struct Box {
    real left = 0, right = 0, low = 0, high = 0;

    void hold(real x, real y) {
        left = std::min(left, x);
        right = std::max(right, x);
        low = std::min(low, y);
        high = std::max(high, y);
    }
};

}  // namespace

real diameter(const Mixture& mixture) {
    real widest = 0;
    for (std::size_t i = 0; i < mixture.size(); ++i) {
        widest = std::max(widest, std::hypot(mixture[i].x, mixture[i].y));
        for (std::size_t j = 0; j < i; ++j)
            widest = std::max(widest,
                              std::hypot(mixture[i].x - mixture[j].x, mixture[i].y - mixture[j].y));
    }
    return widest * (1.0L + 1e-15L);
}

std::optional<Lattice> lattice_for(const LatticeNeed& need) {
    const real d_p = diameter(need.pair.p);
    const real d_q = diameter(need.pair.q);
    // Mixtures have no zero, and the cosines are positive, for d |y| < pi.
    const real widest = std::max(d_p, d_q);
    const real most = widest > 0 ? std::min<real>(12.0L, 0.98L * pi / widest) : 12.0L;
    const real nats = std::log(8.0L / need.error);
    Lattice lattice;
    real best_y = 0;
    constexpr int trials = 60;
    for (int i = 1; i <= trials; ++i) {
        const real y = most * i / trials;
        const real step = 2.0L * pi * y / (nats + log_growth(need, d_p, d_q, y) + 0.1L);
        if (step > lattice.step) {
            lattice.step = step;
            best_y = y;
        }
    }
    // Normal densities of weight up to 2 order + 1 are summed along: e^{-2 pi^2/h^2}, see below.
    const real normal_nats = nats + std::log(2.0L * need.pair.order + 1.0L);
    lattice.step = std::min(lattice.step, pi * std::sqrt(2.0L / normal_nats));
    // A step with few digits: its multiples are exact.
    lattice.step = std::ldexp(std::floor(std::ldexp(lattice.step, 10)), -10);
    if (!(lattice.step > 0)) return std::nullopt;
    const real h = lattice.step;
    lattice.relative_error =
        dual_sum(2.0L * pi * best_y / h) * std::exp(log_growth(need, d_p, d_q, best_y)) * 1.001L;
    // For normal densities y0 = 2 pi / h: e^{-a} e^{y0^2/2} = e^{-2 pi^2/h^2} at |k| = 1, and
    // further pairs are smaller still.
    lattice.normal_error =
        std::exp(-2.0L * pi * pi / (h * h)) * 8.0L * 1.01L + std::numeric_limits<real>::min();
    if (!(lattice.relative_error < 0.1L) || h > 2.0L) return std::nullopt;
    Box box;
    for (const Mixture* mixture : {&need.pair.p, &need.pair.q})
        for (const Component& c : *mixture) {
            box.hold(c.x, c.y);
            box.hold(need.reach * c.x, need.reach * c.y);
        }
    lattice.is_line = box.low == 0 && box.high == 0;
    lattice.margin = std::sqrt(2.0L * need.tail) + 1.0L;
    lattice.first_x = std::lround(std::floor((box.left - lattice.margin) / h));
    lattice.last_x = std::lround(std::ceil((box.right + lattice.margin) / h));
    if (!lattice.is_line) {
        lattice.first_y = std::lround(std::floor((box.low - lattice.margin) / h));
        lattice.last_y = std::lround(std::ceil((box.high + lattice.margin) / h));
    }
    const real nodes = static_cast<real>(lattice.last_x - lattice.first_x + 1) *
                       static_cast<real>(lattice.last_y - lattice.first_y + 1);
    if (nodes > most_nodes) return std::nullopt;
    return lattice;
}

}  // namespace assay::verify::lemma
