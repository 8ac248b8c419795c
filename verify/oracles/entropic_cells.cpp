#include "verify/oracles/entropic_cells.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace assay::verify::lemma {

namespace {

constexpr real rounding = 1e-15L;

real f(real t, real s) {
    return t > s ? t * std::log(t / s) - t + s : 0;
}

/// Adds q f_s(p/q), and to `size` what its rounding is relative to.
void add(real p, real q, real s, real& sum, real& size) {
    if (p <= s * q || !(q > 0)) return;
    const real part = p * std::log(p / (q * s));
    sum += part - p + s * q;
    size += part + p + s * q;
}

}  // namespace

real entropic_lower(const std::vector<real>& p, const std::vector<real>& q, real s) {
    real sum = 0;
    real size = 0;
    for (std::size_t i = 0; i < p.size(); ++i) add(p[i], q[i], s, sum, size);
    return sum - rounding * (1 + s + size);
}

real entropic_lower(const PlaneDistribution& p, const PlaneDistribution& q, real s) {
    const auto at = [](const PlaneDistribution& distribution, std::size_t i, std::size_t j) {
        real value = 0;
        for (const ProductTerm& term : distribution)
            value += term.weight * term.row[i] * term.column[j];
        return value;
    };
    real sum = 0;
    real size = 0;
    for (std::size_t i = 0; i < p.front().row.size(); ++i)
        for (std::size_t j = 0; j < p.front().column.size(); ++j)
            add(at(p, i, j), at(q, i, j), s, sum, size);
    return sum - rounding * (1 + s + size);
}

real entropic_one_sided_upper(real c, real q, real s) {
    constexpr int count = 3000;
    constexpr real beyond = 12;
    constexpr real infinity = std::numeric_limits<real>::infinity();
    const auto ratio = [=](real z) { return 1 + q * std::expm1(c * z - c * c / 2); };
    const real last = c + beyond;
    // f vanishes up to W = s.
    const real start = s > 1 - q ? std::log1p((s - 1) / q) / c + c / 2 : -infinity;
    const real first = std::max(start, -beyond);
    real sum = 0;
    real left = start;
    real w_left = std::isinf(start) ? 1 - q : std::max<real>(s, 1 - q);
    for (int i = first > start ? 0 : 1; i <= count && first < last; ++i) {
        const real right = first + (last - first) * static_cast<real>(i) / count;
        const real w_right = ratio(right);
        const real mass = normal_probability(left, right);
        const real moment = (1 - q) * mass + q * normal_probability(left - c, right - c);
        const real width = w_right - w_left;
        const real place =
            width > 0 ? std::clamp<real>((moment - w_left * mass) / width, 0, mass) : mass;
        sum += f(w_left, s) * (mass - place) + f(w_right, s) * place;
        left = right;
        w_left = w_right;
    }
    // Beyond, f_s(W) <= W log(W/s) and log W <= cz: the mean under P, at most that under N_c.
    const real end = std::max(first, last) - c;
    const real far = normal_probability(end, infinity);
    const real density = std::exp(-end * end / 2) / std::sqrt(2 * std::numbers::pi_v<real>);
    return sum + (c * c + std::fabs(std::log(s))) * far + c * density + rounding * (1 + s + sum);
}

}  // namespace assay::verify::lemma
