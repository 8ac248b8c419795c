#include "assay/monte_carlo/confidence.hpp"

#include <algorithm>
#include <cmath>

#include "assay/numeric/bisect.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/numeric/special_functions.hpp"

namespace assay {

namespace {

constexpr real u = unit_roundoff;

void check(double mean, std::int64_t samples, double beta) {
    require(mean >= 0.0 && mean <= 1.0, "q", mean, "0 <= q <= 1");
    require(samples >= 1, "m", static_cast<double>(samples), "at least one sample");
    require(beta > 0.0 && beta < 1.0, "beta", beta, "0 < beta < 1");
}

/// KL(q || q + d) for 0 < q + d < 1, both terms >= 0: the linear parts cancel exactly.
real divergence(real q, real d) {
    const real left = q > 0.0L ? q * log1p_deficit(d / q) : d;
    const real right = q < 1.0L ? (1.0L - q) * log1p_deficit(-d / (1.0L - q)) : -d;
    return left + right;
}

/// Its relative error: rounded arguments shift t - log(1+t) by 2u |t|^2/(1+t), at most 4u/(1+t)
/// of its size.
real divergence_error(real q, real d) {
    const real left = q > 0.0L ? q / (q + d) : 0.0L;
    const real right = q < 1.0L ? (1.0L - q) / (1.0L - q - d) : 0.0L;
    return u * (80.0L + 8.0L * (left + right));
}

/// Signed distance from q to the confidence bound, side = +1 above, -1 below.
Enclosure bound(double mean, std::int64_t samples, double beta, real side) {
    check(mean, samples, beta);
    const real q = mean;
    const real room = side > 0.0L ? 1.0L - q : q;
    const Enclosure all = side > 0.0L ? Enclosure{mean, 1.0} : Enclosure{0.0, mean};
    if (room == 0.0L) return exactly(mean);
    const real level = -std::log(static_cast<real>(beta)) / static_cast<real>(samples);
    const auto [low, high] =
        bisect(0.0L, room, 0.0L, [&](real d) { return !(divergence(q, side * d) < level); });
    const auto certain = [&](real d, bool above) {
        const real value = divergence(q, side * d);
        const real slack = divergence_error(q, side * d) + 24.0L * u;
        return above ? value * (1.0L - slack) >= level : value * (1.0L + slack) < level;
    };
    real width = 0x1p-62L;
    real inner = low;
    while (inner > 0.0L && !certain(inner, false)) {
        inner = width < 0.5L ? low * (1.0L - width) : 0.0L;
        width *= 2.0L;
    }
    width = 0x1p-62L;
    real outer = high;
    while (outer < room && !certain(outer, true)) {
        outer = std::min(room, high * (1.0L + width));
        width *= 2.0L;
    }
    const real one_less = 1.0L - 2.0L * u;
    const real one_more = 1.0L + 2.0L * u;
    const Enclosure result =
        side > 0.0L
            ? Enclosure{round_down((q + inner) * one_less), round_up((q + outer) * one_more)}
            : Enclosure{round_down((q - outer) * one_less), round_up((q - inner) * one_more)};
    return {std::clamp(result.lower, all.lower, all.upper),
            std::clamp(result.upper, all.lower, all.upper)};
}

void check_second_moment(double mean, double second_moment, std::int64_t samples, double beta) {
    check(mean, samples, beta);
    require(second_moment > 0.0 && second_moment <= 1.0, "v", second_moment, "0 < v <= 1");
}

}  // namespace

Enclosure kl_upper_confidence(double mean, std::int64_t samples, double beta) {
    return bound(mean, samples, beta, 1.0L);
}

Enclosure kl_lower_confidence(double mean, std::int64_t samples, double beta) {
    return bound(mean, samples, beta, -1.0L);
}

Enclosure bernstein_confidence(double mean, double sample_variance, std::int64_t samples,
                               double beta) {
    check(mean, samples, beta);
    require(samples >= 2, "m", static_cast<double>(samples), "at least two samples");
    require(sample_variance >= 0.0 && std::isfinite(sample_variance), "sample_variance",
            sample_variance, "a finite number >= 0");
    const auto m = static_cast<real>(samples);
    const real level = std::log(2.0L / static_cast<real>(beta));
    const real radius =
        (std::sqrt(2.0L * sample_variance * level / m) + 7.0L * level / (3.0L * (m - 1.0L))) *
        (1.0L + 64.0L * u);
    return {std::max(0.0, round_down(mean - radius)), std::min(1.0, round_up(mean + radius))};
}

double bennett_upper_confidence(double mean, double second_moment, std::int64_t samples,
                                double beta) {
    check_second_moment(mean, second_moment, samples, beta);
    const real q = mean;
    const real v = second_moment;
    const real without = kl_upper_confidence(mean, samples, beta).upper;
    const real cap = std::sqrt(v) * (1.0L + 2.0L * u);  // E x <= sqrt(E x^2)
    if (without <= v) return static_cast<double>(without);
    if (q >= cap) return round_up(cap);
    const real level = -std::log(static_cast<real>(beta)) / static_cast<real>(samples);
    const auto certain = [&](real p) {
        const real kept = p > v ? q * (p / v) : q;
        const real more = p > v ? (p - q) * (p / v) : p - q;
        const real room = 1.0L - kept - more;
        if (room < 0x1p-20L) return false;
        const real slack = divergence_error(kept, more) + u * (96.0L + 96.0L / room);
        return divergence(kept, more) * (1.0L - slack) >= level;
    };
    const real high = std::min(cap, without);
    if (!certain(high * (1.0L - 0x1p-18L))) return round_up(high);
    return round_up(bisect(q, high, 0.0L, certain).high);
}

double bennett_lower_confidence(double mean, double second_moment, std::int64_t samples,
                                double beta) {
    check_second_moment(mean, second_moment, samples, beta);
    const real q = mean;
    const real v = second_moment;
    const real level =
        -std::log(static_cast<real>(beta)) / static_cast<real>(samples) / v * (1.0L + 32.0L * u);
    // h(t) = t log(1+t) + (log(1+t) - t): the parts are at most 3 h together.
    const auto certain = [&](real t) {
        return (t * std::log1p(t) - log1p_deficit(t)) * (1.0L - 512.0L * u) >= level;
    };
    if (!certain(q / v)) return 0.0;
    const real high = bisect(0.0L, q / v, 0.0L, certain).high;
    return std::clamp(round_down(q - v * high * (1.0L + 2.0L * u)), 0.0, 1.0);
}

double shared_error_probability(double beta, std::int64_t statements) {
    require(beta > 0.0 && beta < 1.0, "beta", beta, "0 < beta < 1");
    require(statements >= 1, "statements", static_cast<double>(statements), "at least one");
    return round_down(static_cast<real>(beta) / static_cast<real>(statements) * (1.0L - 2.0L * u));
}

}  // namespace assay
