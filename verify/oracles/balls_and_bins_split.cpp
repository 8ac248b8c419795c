#include "verify/oracles/balls_and_bins_split.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "verify/oracles/integer_order_refine.hpp"

namespace assay::verify {

namespace {

constexpr double most_nodes = 2e5;

/// log(u) + w^2/2.
Interval centred_log(const Interval& log_u, const Interval& sigma) {
    return log_u + 1.0 / (2.0 * square(sigma));
}

Interval peak(const Interval& sigma) {
    return sigma / sqrt(2.0 * Interval::pi(sigma.bits()));
}

Interval density(const Interval& log_u, const Interval& sigma) {
    return peak(sigma) * exp(-(square(sigma * centred_log(log_u, sigma)) / 2.0));
}

/// [0, bound].
Interval up_to(const Interval& bound) {
    return hull(Interval(0.0, bound.bits()), nonnegative(bound));
}

/// Where the nodes lie, chosen without proof.
struct Plan {
    double from;
    double to;
    double step;
    double strip;
};

Plan plan(double log_k, double sigma, double growth, long goal) {
    const double nats = static_cast<double>(goal) * std::numbers::ln2 + 3.0;
    const double width = 1.0 / sigma;
    const double reach = width * std::sqrt(2.0 * nats);
    const double centre = log_k + width * width / 2.0;
    Plan chosen{};
    chosen.from = -centre - reach;
    chosen.to = std::min(nats / 2.0, centre + reach);
    chosen.strip = std::min(std::numbers::pi / 2.0, std::sqrt(2.0 * nats / growth) * width);
    const double cost = nats + growth * sigma * sigma * chosen.strip * chosen.strip / 2.0;
    chosen.step = 2.0 * std::numbers::pi * chosen.strip / cost;
    return chosen;
}

}  // namespace

Interval one_shortfall(const Interval& k, const Interval& sigma) {
    const Interval z = sigma * centred_log(log(k), sigma);
    return k * normal_cdf(z) - normal_cdf(z - 1.0 / sigma);
}

Interval split_integral(const Interval& k, const Interval& sigma, const Interval& scale,
                        double growth, const Rest& rest, long goal) {
    const long p = k.bits();
    const Interval log_k = log(k);
    const Plan chosen = plan(log_k.upper_double(), sigma.lower_double(), growth, goal);
    const double first = std::floor(chosen.from / chosen.step);
    const double last = std::ceil(chosen.to / chosen.step);
    if (!(last - first < most_nodes)) throw Unaffordable();
    const Interval step(chosen.step, p);
    Interval sum(0.0, p);
    for (double j = first; j <= last; j += 1.0) {
        const Interval e = exp(step * j);
        const Interval share = e / (1.0 + e);
        const Interval other = 1.0 / (1.0 + e);
        sum += density(log_k + log(share), sigma) * other * rest(share, other);
    }
    sum *= step;
    // The whole sum against the integral.
    const Interval strip(chosen.strip, p);
    const Interval modulus =
        scale * exp(growth * square(sigma * strip) / 2.0) * (2.0 + peak(sigma));
    const Interval error = 2.0 * modulus / expm1(2.0 * Interval::pi(p) * strip / step);
    // Nodes left of `first`: g(k p) <= g(k e^a), which increases there; right of `last`:
    // g <= peak, 1-p <= e^-a.
    const Interval left = centred_log(log_k + step * first, sigma);
    if (mpfr_sgn(left.upper()) > 0) return Interval::whole_line(p);
    const Interval left_tail = scale * normal_cdf(sigma * left);
    const Interval right = step * last;
    const Interval right_tail = scale * peak(sigma) * exp(-(2.0 * right)) / 2.0 *
                                normal_cdf(sigma * centred_log(log_k - right, sigma));
    return nonnegative(sum + up_to(left_tail) + up_to(right_tail) + up_to(error) - up_to(error));
}

}  // namespace assay::verify
