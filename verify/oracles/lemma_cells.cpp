#include "verify/oracles/lemma_cells.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace assay::verify::lemma {

namespace {

constexpr real half_root = 1.0L / std::numbers::sqrt2_v<real>;
constexpr real rounding = 1e-16L;

real tail(real x) {
    return 0.5L * std::erfc(x * half_root);
}

real value_at(const PlaneDistribution& distribution, std::size_t i, std::size_t j) {
    real sum = 0;
    for (const ProductTerm& term : distribution) sum += term.weight * term.row[i] * term.column[j];
    return sum;
}

}  // namespace

real normal_probability(real a, real b) {
    if (a > 0) return tail(a) - tail(b);
    if (b < 0) return tail(-b) - tail(-a);
    return 1 - tail(-a) - tail(b);
}

Cells::Cells(real first, real last, int count) {
    constexpr real infinity = std::numeric_limits<real>::infinity();
    ends_.push_back(-infinity);
    for (int i = 0; i <= count; ++i)
        ends_.push_back(first + (last - first) * static_cast<real>(i) / static_cast<real>(count));
    ends_.push_back(infinity);
}

std::vector<real> Cells::of(real mean) const {
    std::vector<real> distribution;
    for (std::size_t i = 0; i + 1 < ends_.size(); ++i)
        distribution.push_back(normal_probability(ends_[i] - mean, ends_[i + 1] - mean));
    return distribution;
}

real hockey_stick_lower(const PlaneDistribution& p, const PlaneDistribution& q, real t) {
    real sum = 0;
    for (std::size_t i = 0; i < p.front().row.size(); ++i)
        for (std::size_t j = 0; j < p.front().column.size(); ++j)
            sum += std::max<real>(0, value_at(p, i, j) - t * value_at(q, i, j));
    return sum - rounding * (1 + t);
}

real hockey_stick_lower(const std::vector<real>& p, const std::vector<real>& q, real t) {
    real sum = 0;
    for (std::size_t i = 0; i < p.size(); ++i) sum += std::max<real>(0, p[i] - t * q[i]);
    return sum - rounding * (1 + t);
}

real mixture_power_lower(double order, double q, real u1, real u2, real v1, real v2) {
    constexpr int count = 120;
    constexpr real beyond = 8;
    const real a = order;
    const Cells across(std::min<real>({0, u1, v1}) - beyond,
                       std::max<real>({0, v1, a * u1}) + beyond, count);
    const Cells up(std::min<real>({0, u2, v2, a * u2}) - beyond,
                   std::max<real>({0, u2, v2, a * u2}) + beyond, count);
    const std::vector<real> x0 = across.of(0), xu = across.of(u1), xv = across.of(v1);
    const std::vector<real> y0 = up.of(0), yu = up.of(u2), yv = up.of(v2);
    real sum = 0;
    for (std::size_t i = 0; i < x0.size(); ++i)
        for (std::size_t j = 0; j < y0.size(); ++j) {
            const real mass = x0[i] * y0[j];
            const real ratio = 1 + q * (xu[i] * yu[j] - xv[i] * yv[j]) / mass;
            if (mass > 0 && ratio > 0) sum += mass * std::pow(ratio, a);
        }
    // Cell probabilities are right to 1e-16 or so of themselves (cells are not much thinner than
    // 1/20), and so are their ratios.
    return sum * (1 - 1e-15L * (4 + a));
}

real dominating_profile(real c, real q, real t) {
    if (t < 1) return t > 0 ? 1 - t + t * dominating_profile(c, q, 1 / t) : 1;
    // W > t iff z > log(1 + (t-1)/q)/c + c/2.
    const real z = std::log1p((t - 1) / q) / c + c / 2;
    return q * (tail(z - c) - tail(z)) - (t - 1) * tail(z);
}

real dominating_profile_of_two(real c, real q, real t) {
    constexpr int count = 3000;
    constexpr real beyond = 10;
    const auto gamma = [=](real x) { return x * dominating_profile(c, q, t / x); };
    const auto ratio = [=](real z) { return 1 + q * std::expm1(c * z - c * c / 2); };
    const real first = c / 2;  // W = 1
    const real last = c + beyond;
    real sum = (1 - q) * (1 - 2 * tail(first)) * gamma(1);
    real left = first;
    real w_left = 1;
    real gamma_left = gamma(w_left);
    real gamma_inverse_left = gamma_left;
    for (int i = 1; i <= count; ++i) {
        const real right = first + (last - first) * static_cast<real>(i) / count;
        const real w_right = ratio(right);
        const real gamma_right = gamma(w_right);
        const real gamma_inverse_right = gamma(1 / w_right);
        // N_0- and W dN_0-mass of the cell: the chord through the ends, at the mean.
        const real mass = normal_probability(left, right);
        const real moment = (1 - q) * mass + q * normal_probability(left - c, right - c);
        const real place = std::clamp<real>((moment - w_left * mass) / (w_right - w_left), 0, mass);
        sum += gamma_left * (mass - place) + gamma_right * place;
        const real inverse_place =
            std::clamp<real>((mass - moment / w_left) / (1 / w_right - 1 / w_left), 0, moment);
        sum += gamma_inverse_left * (moment - inverse_place) + gamma_inverse_right * inverse_place;
        left = right;
        w_left = w_right;
        gamma_left = gamma_right;
        gamma_inverse_left = gamma_inverse_right;
    }
    // gamma(x) <= x: what lies beyond.
    sum += (1 - q) * tail(last) + q * tail(last - c) + tail(last);
    return sum + 1e-15L * (1 + t);
}

}  // namespace assay::verify::lemma
