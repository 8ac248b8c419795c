#include "assay/rdp/equilateral_pair.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "assay/numeric/interruption.hpp"
#include "assay/numeric/special_functions.hpp"
#include "assay/numeric/trapezoid.hpp"
#include "assay/rdp/collinear_pair.hpp"

namespace assay {

namespace {

constexpr real log_root_two_pi = 0.918938533204672741780329736405617639861L;
constexpr real most_nodes = 4e6L;

/// log(1 - q + q e^x) without overflow.
real log_mixture(real q, real log_q, real x) {
    const real scaled = log_q + x;
    if (scaled > 1.0L) return scaled + std::log1p((1.0L - q) / q * std::exp(-x));
    const real rise = q * std::expm1(x);
    return rise > -0.5L ? std::log1p(rise) : std::log((1.0L - q) + q * std::exp(x));
}

struct Axis {
    TrapezoidRule rule;
    real left;
    real right;
    [[nodiscard]] real count() const { return (right - left) / rule.step; }
};

/// h sum + integral of the normal density beyond t > 0 from its mean.
real tail(real t, real step) {
    return 1.01L * (normal_tail(t) + step * std::exp(-0.5L * t * t - log_root_two_pi));
}

}  // namespace

ExcessMoment equilateral_excess_moment(real order, real q, real side) {
    ExcessMoment result;
    result.certified = false;
    const real beta = order - 1.0L;
    const real log_q = std::log(q);
    if (q >= 1.0L) return result;
    const real u = side;
    const real v1 = 0.5L * side;
    const real v2 = 0.5L * std::sqrt(3.0L) * side;
    const real strip = std::numbers::pi_v<real> / side * (1.0L - 0x1p-40L);

    // The one-mixture moment of the same shift sets the scale: E[P^a] = 1 + excess.
    const ExcessMoment scale = excess_moment(CollinearPair(q, u, 0.0L), order);
    if (!scale.certified) return result;
    const real log_excess = scale.lower.log();
    const real log_moment = scale.upper.log1p();
    const real floor_gain = -beta * std::log1p(-q);  // Q^{1-a} <= (1-q)^{1-a}
    const real smallness = std::max(0.0L, -log_excess) + 3.0L;
    const real digits = 40.0L + std::log(3.0L + 2.0L * order) + smallness;
    const real reach = std::sqrt(2.0L * (44.0L + smallness + floor_gain + log_moment)) + 1.0L;
    const Axis first{TrapezoidRule::for_accuracy(digits, strip, v1, beta), -reach,
                     order * u + std::max(reach, v1 + 12.0L)};
    const Axis second{TrapezoidRule::for_accuracy(digits, strip, v2, beta), -reach, v2 + reach};
    const real h1 = first.rule.step;
    const real h2 = second.rule.step;
    if (!(h1 > 0.0L && h2 > 0.0L) || first.count() * second.count() > most_nodes) return result;

    ScaledReal sum;
    ScaledReal error;
    for (real k1 = std::ceil(first.left / h1); k1 * h1 <= first.right; k1 += 1.0L) {
        allow_interruption(static_cast<std::uint64_t>(200.0L * second.count()));
        const real z1 = k1 * h1;
        const real x = u * (z1 - 0.5L * u);
        const real log_p = log_mixture(q, log_q, x);
        for (real k2 = std::ceil(second.left / h2); k2 * h2 <= second.right; k2 += 1.0L) {
            const real z2 = k2 * h2;
            const real y = v1 * (z1 - 0.5L * v1) + v2 * (z2 - 0.5L * v2);
            const real log_r = log_mixture(q, log_q, y);
            const real d = x - y;
            const real excess =
                d > 60.0L ? std::exp(log_q + x - log_r) : q * std::expm1(d) * std::exp(y - log_r);
            const real loss = std::fabs(excess) < 0.5L ? std::log1p(excess) : log_p - log_r;
            const real t = beta * loss;
            const real half_square = 0.5L * (z1 * z1 + z2 * z2);
            const ScaledReal rise = scaled_expm1_minus(t);
            const ScaledReal term =
                loss > 100.0L ? ScaledReal::exp_of(log_p - half_square) *
                                    (rise + ScaledReal(beta * (loss - 1)))
                              : ScaledReal::exp_of(log_r - half_square) *
                                        (beta * std::max(0.0L, entropy_excess(excess, loss))) +
                                    ScaledReal::exp_of(log_p - half_square) * rise;
            const real size = std::fabs(x) + std::fabs(y) + std::fabs(log_q) + std::fabs(log_p) +
                              u * (std::fabs(z1) + std::fabs(z2) + 2.0L * u);
            const real relative =
                std::min(1.0L, 8.0L * unit_roundoff *
                                   (3.0L +
                                    (d == 0.0L ? 1.0L : (1.0L + std::fabs(d)) / std::fabs(d)) *
                                        (u * (std::fabs(z1) + std::fabs(z2) + u)) +
                                    size));
            sum += term;
            error += term * (2.0L * (std::fabs(t) + std::fabs(loss) + 3.0L) * relative +
                             unit_roundoff * (16.0L * size + 4.0L * half_square + 64.0L));
            ++result.nodes;
        }
    }
    const real scale_factor = h1 * h2 * std::exp(-2.0L * log_root_two_pi);
    sum *= scale_factor;
    error *= scale_factor;
    error += sum * (4.0L * unit_roundoff * static_cast<real>(result.nodes));

    // Outside the box, g <= (P^a (1-q)^{1-a} + a Q) phi phi; each side on its own.
    const real z = first.right;
    const real log_edge = order * log_mixture(q, log_q, u * (z - 0.5L * u)) - 0.5L * z * z;
    const ScaledReal gain = ScaledReal::exp_of(floor_gain);
    const ScaledReal beyond_right =
        gain * ScaledReal::exp_of(log_edge) * (1.01L * (1.0L / (z - order * u) + h1));
    const ScaledReal beyond_left = gain * tail(-first.left, h1);  // P <= 1 there
    const real t2 = std::min(-second.left, second.right);
    const ScaledReal beyond_second = gain * ScaledReal::exp_of(log_moment) * (2.0L * tail(t2, h2));
    const real q_reach = std::min({-first.left, -second.left, first.right - v1, second.right - v2});
    const ScaledReal omitted = beyond_right * 2.0L + beyond_left * 2.0L + beyond_second * 2.0L +
                               ScaledReal(order * 8.0L * tail(q_reach, std::max(h1, h2)));
    const real k = 1.01L * (first.rule.relative_error + second.rule.relative_error);
    const ScaledReal rule = (sum + error + omitted + ScaledReal(2.0L * order)) * (k / (1.0L - k));
    result.upper = sum + error + omitted + rule;
    const ScaledReal below = error + rule;
    result.lower = below < sum ? difference(sum, below) : ScaledReal();
    result.certified = true;
    return result;
}

}  // namespace assay
