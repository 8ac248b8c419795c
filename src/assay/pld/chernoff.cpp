#include "assay/pld/chernoff.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "assay/numeric/errors.hpp"
#include "assay/numeric/interruption.hpp"
#include "assay/numeric/vector_clones.hpp"
#include "assay/pld/ratio_atoms.hpp"

namespace assay {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

constexpr double u = 0x1p-53;

/// A logarithm, and a bound of its error.
struct LogMoment {
    double value = 0.0;
    double error = 0.0;
};

constexpr std::size_t block = 64;
using Powers = std::array<double, block>;

/// sum_{j < count} masses[-+j] power[j] in four lanes, and what is left in the first.
template <bool descending>
ASSAY_INLINE double sum_of_block(const double* masses, const Powers& power, std::size_t count) {
    const auto mass = [&](std::size_t j) {
        const auto place = static_cast<std::ptrdiff_t>(j);
        return masses[descending ? -place : place];
    };
    std::array<double, 4> part{};
    std::size_t j = 0;
    for (; j + 4 <= count; j += 4)
        for (std::size_t lane = 0; lane < 4; ++lane) part[lane] += mass(j + lane) * power[j + lane];
    for (; j < count; ++j) part[0] += mass(j) * power[j];
    return part[0] + part[1] + part[2] + part[3];
}

/// sum_i masses[i] e^{rate i}, masses counted from the last one where `descending`.
template <bool descending>
ASSAY_INLINE double sum_of_blocks(std::span<const double> masses, const Powers& power,
                                  double rate) {
    const std::size_t n = masses.size();
    double sum = 0.0;
    for (std::size_t i = 0; i < n; i += block) {
        const double start = std::exp(rate * static_cast<double>(i));
        if (start == 0.0) break;
        const double* const first = masses.data() + (descending ? n - 1 - i : i);
        const double blocks = i + block <= n ? sum_of_block<descending>(first, power, block)
                                             : sum_of_block<descending>(first, power, n - i);
        sum += blocks * start;
    }
    return sum;
}

ASSAY_VECTOR_CLONES double sum_of_rising(std::span<const double> masses, const Powers& power,
                                         double rate) {
    return sum_of_blocks<true>(masses, power, rate);
}
ASSAY_VECTOR_CLONES double sum_of_falling(std::span<const double> masses, const Powers& power,
                                          double rate) {
    return sum_of_blocks<false>(masses, power, rate);
}

/// log sum_i masses[i] e^{order loss_i}, from the end where the exponent is largest; blocks of 64
/// share one exponential.
LogMoment log_moment(const PrivacyLossPmf& pmf, double order) {
    allow_interruption(pmf.masses.size() / 4);
    const double rate = -std::fabs(order) * pmf.step;
    Powers power{};
    for (std::size_t j = 0; j < block; ++j) power[j] = std::exp(rate * static_cast<double>(j));
    const std::size_t n = pmf.masses.size();
    const bool rising = order > 0.0;
    const double sum =
        rising ? sum_of_rising(pmf.masses, power, rate) : sum_of_falling(pmf.masses, power, rate);
    if (!(sum >= least_mass)) return {infinity, infinity};
    const double value = std::log(sum) + order * pmf.loss(rising ? n - 1 : 0);
    const double largest = std::max(std::fabs(pmf.loss(0)), std::fabs(pmf.loss(n - 1)));
    return {value, (static_cast<double>(n) / 64.0 + 64.0 + 8.0 * std::fabs(order) * largest +
                    3.0 * std::fabs(value)) *
                       u};
}

LogMoment log_moment_of(std::span<const RepeatedLoss> parts, double order) {
    LogMoment sum;
    for (const RepeatedLoss& part : parts) {
        const LogMoment one = log_moment(*part.pmf, order);
        const auto count = static_cast<double>(part.count);
        sum.value += count * one.value;
        sum.error += 1.001 * count * one.error +
                     2.0 * u * (count * std::fabs(one.value) + std::fabs(sum.value));
    }
    return sum;
}

/// Standard deviation of the loss under Q: the scale on which orders of moments matter.
double spread(std::span<const RepeatedLoss> parts) {
    double variance = 0.0;
    for (const RepeatedLoss& part : parts) {
        const PrivacyLossPmf& pmf = *part.pmf;
        double mass = 0.0;
        double mean = 0.0;
        for (std::size_t i = 0; i < pmf.masses.size(); ++i) {
            mass += pmf.masses[i];
            mean += pmf.masses[i] * pmf.loss(i);
        }
        mean /= mass;
        double square = 0.0;
        for (std::size_t i = 0; i < pmf.masses.size(); ++i)
            square += pmf.masses[i] * (pmf.loss(i) - mean) * (pmf.loss(i) - mean);
        variance += static_cast<double>(part.count) * square / mass;
    }
    return std::max(1e-9, std::sqrt(variance));
}

}  // namespace

void require_composable(std::span<const RepeatedLoss> parts) {
    require(!parts.empty(), "parts", 0.0, "at least one privacy loss distribution");
    for (const RepeatedLoss& part : parts) {
        require(part.count >= 1, "count", static_cast<double>(part.count), "at least 1");
        require(!part.pmf->masses.empty(), "masses", 0.0, "at least one grid point");
        require_composable(*parts.front().pmf, *part.pmf);
    }
}

double log_moment(std::span<const RepeatedLoss> parts, double order) {
    return log_moment_of(parts, order).value;
}

double log_moment_above(std::span<const RepeatedLoss> parts, double order) {
    const LogMoment moment = log_moment_of(parts, order);
    const double above = moment.value + moment.error * (1.0 + 4.0 * u);
    return std::isnan(above) ? infinity : above + 2.0 * u * std::fabs(above);
}

bool are_wide(std::span<const RepeatedLoss> parts) {
    return spread(parts) > 25.0;
}

double tilt_for(std::span<const RepeatedLoss> parts, double epsilon, PayoffSide side,
                double slack) {
    require_composable(parts);
    // E (W - K)_+ <= E W^t K^{1-t} and E (1 - KW)_+ <= E W^{1-t} K^{1-t} for t >= 1: the logarithm
    // is convex in t; golden section in log t.
    const bool removal = side == PayoffSide::removal;
    const auto exponent = [&](double log_order) {
        const double t = std::exp2(log_order);
        const double value = log_moment(parts, removal ? t : 1.0 - t) - (t - 1.0) * epsilon;
        if (std::isnan(value)) return infinity;
        return value;
    };
    constexpr double golden = 0.6180339887498949;
    const double scale = spread(parts);
    if (scale > 25.0) {  // golden section in log (t - 1)
        double left = -20.0;
        double right = 4.0;
        const auto at = [&](double x) { return exponent(std::log2(1.0 + std::exp2(x))); };
        for (int i = 0; i < 24; ++i) {
            const double a = right - golden * (right - left);
            const double b = left + golden * (right - left);
            (at(a) <= at(b) ? right : left) = at(a) <= at(b) ? b : a;
        }
        const double order = 1.0 + std::exp2(0.5 * (left + right));
        return removal ? order : 1.0 - order;
    }
    double left = 0.0;
    double right =
        std::clamp(2.0 + std::log2(1.0 + (1.0 + std::fabs(epsilon) / scale) / scale), 4.0, 24.0);
    double least = infinity;
    for (int i = 0; i < 10; ++i) {
        const double a = right - golden * (right - left);
        const double b = left + golden * (right - left);
        const double at_a = exponent(a);
        const double at_b = exponent(b);
        least = std::min({least, at_a, at_b});
        (at_a <= at_b ? right : left) = at_a <= at_b ? b : a;
    }
    double low = 0.0;
    double high = 0.5 * (left + right);
    for (int i = 0; i < 6 && exponent(low) > least + slack; ++i) {
        const double middle = 0.5 * (low + high);
        (exponent(middle) <= least + slack ? high : low) = middle;
        if (i == 5) low = high;
    }
    return removal ? std::exp2(low) : 1.0 - std::exp2(low);
}

TiltedTails::TiltedTails(std::span<const RepeatedLoss> parts, double tilt) : tilt_(tilt) {
    centre_ = log_moment(parts, tilt);
    const double scale = spread(parts);
    const double farthest = 16.0 / scale;
    const auto add = [&](double order) {
        moments_.push_back({order, log_moment_above(parts, order)});
    };
    double distance = 0.1 / 1.6;
    while (scale > 25.0 && distance > 0.1 / scale) {
        add(tilt - distance);
        add(tilt + distance);
        distance /= 1.6;
    }
    distance = 0.1;
    while (distance <= farthest + 64.0) {
        add(tilt - distance);
        add(tilt + distance);
        distance *= 1.6;
    }
    for (const double order : {-8.0, -4.0, -2.0, -1.0, -0.5, 1.5, 2.0, 3.0, 5.0, 9.0}) add(order);
}

double TiltedTails::log_mass(double base, double loss, bool above) const {
    double best = infinity;
    for (const Moment& m : moments_) {
        if (above ? m.order <= base : m.order >= base) continue;
        const double shift = (m.order - base) * loss;
        best = std::min(best, m.value - shift + 4.0 * u * (std::fabs(m.value) + std::fabs(shift)));
    }
    return best;
}

double TiltedTails::reach(double nats, bool above) const {
    double best = above ? infinity : -infinity;
    for (const Moment& m : moments_) {
        if (above ? m.order <= tilt_ : m.order >= tilt_) continue;
        const double loss = (m.value - centre_ + nats) / (m.order - tilt_);
        if (std::isfinite(loss)) best = above ? std::min(best, loss) : std::max(best, loss);
    }
    return best;
}

}  // namespace assay
