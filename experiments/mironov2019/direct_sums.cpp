#include "experiments/mironov2019/direct_sums.hpp"

#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <numbers>

namespace assay::experiments::mironov2019 {

namespace {

/// Beyond this many standard deviations nothing of 1e-20 is left.
constexpr real reach = 14.0L;

real density(real z, const DirectPair& pair) {
    const real y = z / pair.sigma;
    return std::exp(-0.5L * y * y) / (pair.sigma * std::sqrt(2.0L * std::numbers::pi_v<real>));
}

real tail(real z, const DirectPair& pair) {
    return 0.5L * std::erfc(z / (pair.sigma * std::numbers::sqrt2_v<real>));
}

/// mu/mu_0 - 1 at z.
real excess(real z, const DirectPair& pair) {
    return pair.q * std::expm1((z - 0.5L) / (pair.sigma * pair.sigma));
}

/// Gauss-Legendre with 20 points on panels of at most this width.
template <class Function>
real integrate(real from, real to, real panel, const Function& f) {
    using Rule = boost::math::quadrature::gauss<real, 20>;
    const auto panels = static_cast<int>(std::ceil((to - from) / panel));
    const real width = (to - from) / static_cast<real>(panels);
    real sum = 0.0L;
    for (int i = 0; i < panels; ++i) {
        const real left = from + static_cast<real>(i) * width;
        sum += Rule::integrate(f, left, left + width);
    }
    return sum;
}

}  // namespace

real moment_less_one(const DirectPair& pair, Outputs outputs, real alpha) {
    const real step = pair.sigma / 24.0L;
    real sum = 0.0L;
    const real first = -reach * pair.sigma - 1.0L;
    const auto count = static_cast<int>((alpha + 2.0L + reach * pair.sigma - first) / step);
    for (int i = 0; i <= count; ++i) {
        const real z = first + static_cast<real>(i) * step;
        const real log_ratio = std::log1p(excess(z, pair));  // log mu/mu_0
        const bool mu = outputs == Outputs::from_mu;
        const real weight = density(z, pair) * (mu ? std::exp(log_ratio) : 1.0L);
        sum += weight * std::expm1(alpha * (mu ? log_ratio : -log_ratio));
    }
    return step * sum;
}

SplitMoment split_moment(const DirectPair& pair, real alpha) {
    const real z0 = 0.5L + pair.sigma * pair.sigma * std::log1p(1.0L / (pair.q * (alpha - 1.0L)));
    const real panel = pair.sigma;
    const real end = std::max(z0, alpha) + reach * pair.sigma;
    const real left_end = std::min(z0, alpha + reach * pair.sigma);
    // On the left (1+x)^alpha is taken without 1 + alpha x, whose integral is known.
    const real curved =
        integrate(std::min(-reach * pair.sigma, left_end - panel), left_end, panel, [&](real z) {
            const real x = excess(z, pair);
            return density(z, pair) * (std::expm1(alpha * std::log1p(x)) - alpha * x);
        });
    const real tail_0 = tail(z0, pair);
    const real tail_1 = tail(z0 - 1.0L, pair);
    return {.left_less_one = curved - tail_0 + alpha * pair.q * (tail_0 - tail_1),
            .right = integrate(z0, end, panel, [&](real z) {
                return density(z, pair) * std::exp(alpha * std::log1p(excess(z, pair)));
            })};
}

double series_in_double(double alpha, double sigma, double q) {
    const double z1 = 0.5 + sigma * sigma * std::log(1.0 / q - 1.0);
    const double scale = std::numbers::sqrt2 * sigma;
    double sum = 0.0;
    double binomial = 1.0;  // with its sign
    for (int k = 0; k < 1000; ++k) {
        const double j = alpha - k;
        const double left = std::pow(1.0 - q, j) * std::pow(q, k) *
                            std::exp((k * k - k) / (2.0 * sigma * sigma)) *
                            std::erfc((k - z1) / scale);
        const double right = std::pow(1.0 - q, k) * std::pow(q, j) *
                             std::exp((j * j - j) / (2.0 * sigma * sigma)) *
                             std::erfc((z1 - j) / scale);
        const double term = 0.5 * binomial * (left + right);
        sum += term;
        if (std::fabs(term) < 1e-30) break;
        binomial *= j / (k + 1.0);
    }
    return std::log(sum) / (alpha - 1.0);
}

}  // namespace assay::experiments::mironov2019
