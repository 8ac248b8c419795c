#include "assay/rdp/epsilon_lower_bound.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numbers>
#include <optional>
#include <utility>
#include <vector>

#include "assay/numeric/bisect.hpp"
#include "assay/numeric/directed.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/numeric/special_functions.hpp"
#include "assay/rdp/loss_moments.hpp"

namespace assay {

namespace {

/// Berry-Esseen constant for independent summands (Shevtsova 2010), identical or not.
constexpr real berry_esseen = 0.56L;

/// The tilted loss of the whole composition, ready for Proposition 6b.
struct TiltedSum {
    real tilt = 0.0L;
    real log_mgf = 0.0L;
    real mean = 0.0L;
    real deviation = 0.0L;
    real distance = 0.0L;  // Kolmogorov distance of L from N(mean, deviation^2)
};

/// One sampler a part, shared by all tilts.
struct Part {
    LossSampler sampler;
    real steps;
};

std::vector<Part> make_parts(std::span<const RepeatedPair> pairs) {
    std::vector<Part> parts;
    for (const RepeatedPair& pair : pairs)
        if (pair.pair) parts.push_back({LossSampler(*pair.pair), static_cast<real>(pair.steps)});
    return parts;
}

std::optional<TiltedSum> tilted_sum(std::vector<Part>& parts, real tilt) {
    TiltedSum sum;
    sum.tilt = tilt;
    real variance = 0.0L;
    real third = 0.0L;
    real mean_error = 0.0L;
    real variance_error = 0.0L;
    for (Part& part : parts) {
        const auto moments = part.sampler.moments(tilt);
        if (!moments) return std::nullopt;
        sum.log_mgf += part.steps * moments->log_mgf;
        sum.mean += part.steps * moments->mean;
        variance += part.steps * moments->variance;
        // E|X|^3 <= sqrt(E X^2 E X^4).
        third += part.steps * std::sqrt(moments->variance * moments->fourth) * (1.0L + 1e-6L);
        mean_error += part.steps * moments->mean_error;
        variance_error = std::max(variance_error, moments->variance_error);
    }
    if (!(variance > 0.0L)) return std::nullopt;
    sum.deviation = std::sqrt(variance);
    // Moments known only nearly: |m-m'|/(s' sqrt(2 pi)) + |log(s/s')|/sqrt(2 pi e) more.
    sum.distance = berry_esseen * third / (variance * sum.deviation) * (1.0L + 1e-6L) +
                   0.4L * mean_error / sum.deviation + 0.25L * variance_error;
    return sum;
}

/// log of the bound of Proposition 6b, -inf when it is not positive.
real log_delta_bound(const TiltedSum& sum, real epsilon) {
    const real t = sum.tilt;
    const real s = sum.deviation;
    const real m = sum.mean;
    const auto piece = [&](real k) {  // log E[e^{-kY}; Y > epsilon], Y ~ N(m, s^2)
        return -k * m + 0.5L * k * k * s * s + log_normal_tail(k * s - (m - epsilon) / s);
    };
    const real first = piece(t);
    const real second = epsilon + piece(t + 1.0L);
    // log of theta^theta/(theta+1)^(theta+1), the height of G over e^{-theta epsilon}.
    const real height = t > 0.0L ? t * std::log(t / (t + 1.0L)) - std::log(t + 1.0L) : 0.0L;
    const real jumps = (t > 0.0L ? 2.0L : 1.0L) * sum.distance;
    const real loss = std::log(jumps) + height - t * epsilon;
    const real scale = std::max({first, second, loss});
    const real size =
        std::fabs(first) + std::fabs(second) + std::fabs(t * m) + t * t * s * s + 64.0L;
    const real rounding = 64.0L * unit_roundoff * size;
    const real value = std::exp(first - scale) * (1.0L - rounding) -
                       std::exp(second - scale) * (1.0L + rounding) -
                       std::exp(loss - scale) * (1.0L + rounding);
    if (!(value > 0.0L)) return -std::numeric_limits<real>::infinity();
    return sum.log_mgf + scale + std::log(value) -
           64.0L * unit_roundoff * (std::fabs(sum.log_mgf) + std::fabs(scale) + 1.0L);
}

/// The largest epsilon (by bisection; any value found is certified) with bound > delta.
real epsilon_for(const TiltedSum& sum, real log_delta) {
    const auto exceeds = [&](real epsilon) { return log_delta_bound(sum, epsilon) > log_delta; };
    // The bound is largest around the tilted mean; walk down from there to a certified place.
    const real s = sum.deviation;
    real low = -1.0L;
    for (int i = 0; i < 64; ++i) {
        const real epsilon = sum.mean + (4.0L - 0.25L * static_cast<real>(i)) * s;
        if (epsilon > 0.0L && exceeds(epsilon)) {
            low = epsilon;
            break;
        }
    }
    if (low < 0.0L) return exceeds(0.0L) ? 0.0L : -1.0L;
    return bisect(low, low + 0.25L * s, 0.0L, std::not_fn(exceeds), 30).low;
}

/// P and Q probabilities that some step's output exceeds z.
struct Event {
    real under_p;  // from below
    real under_q;  // from above
};

Event some_output_beyond(std::span<const RepeatedPair> parts, real z) {
    real log_none_p = 0.0L;
    real log_none_q = 0.0L;
    for (const RepeatedPair& part : parts) {
        if (!part.pair) continue;
        const TailPair tails = part.pair->tails(z);
        const auto steps = static_cast<real>(part.steps);
        log_none_p += steps * std::log1p(-tails.under_p);
        log_none_q += steps * std::log1p(-std::min(tails.under_q, 1.0L));
    }
    return {-std::expm1(log_none_p) * (1.0L - 0x1p-40L),
            std::min(1.0L, -std::expm1(log_none_q) * (1.0L + 0x1p-40L))};
}

/// Smaller probabilities lose the digits that TailPair promises.
constexpr real least_probability = 1e-4900L;

/// Where events are looked for: beyond 150 the probability under Q is smaller than that.
real farthest_event(std::span<const RepeatedPair> parts) {
    real shift = 0.0L;
    for (const RepeatedPair& part : parts)
        if (part.pair) shift = std::max(shift, part.pair->shape().p_slope_max);
    return std::min(std::max(shift + 8.0L, 12.0L), 150.0L);
}

/// Maximises score(event at z) over z >= -4: a scan, then ever finer around the best.
template <class EventAt, class Score>
real best_event(std::span<const RepeatedPair> parts, const EventAt& event_at, const Score& score) {
    constexpr real nearest = -4.0L;
    real best = -std::numeric_limits<real>::infinity();
    real width = 0.5L * (farthest_event(parts) - nearest);
    real centre = nearest + width;
    while (width > 1e-2L) {
        real best_z = centre;
        for (int i = -16; i <= 16; ++i) {
            const real z = centre + width * static_cast<real>(i) / 16.0L;
            const real value = score(event_at(z));
            if (value > best) {
                best = value;
                best_z = z;
            }
        }
        centre = best_z;
        width /= 8.0L;
    }
    return best;
}

/// Maximises score_of(tilted sum) over tilts: a coarse geometric scan, then golden section around
/// the best. Sums that deviate widely are also tried untilted, and at tilts down to where the mean
/// moves by a twentieth of the deviation.
template <class SumAt, class ScoreOf>
real best_tilt(const SumAt& sum_at, const ScoreOf& score_of) {
    const auto score = [&](real tilt) -> std::optional<real> {
        const std::optional<TiltedSum> sum = sum_at(tilt);
        if (!sum) return std::nullopt;
        return score_of(*sum);
    };
    const std::optional<TiltedSum> plain = sum_at(0.0L);
    const real log_smallest = plain ? std::log(0.05L / plain->deviation) : 0.0L;
    real best = -std::numeric_limits<real>::infinity();
    real best_log = 0.0L;
    constexpr real step = 0.5L;
    constexpr real log_first = -4.0L;
    const bool is_wide = log_smallest < log_first;
    const real none = -std::numeric_limits<real>::infinity();
    const real untilted = is_wide ? score_of(*plain) : none;
    const int smaller =
        static_cast<int>(std::clamp((log_first - log_smallest) / step, 0.0L, 100.0L));
    for (int i = 1; i <= smaller; ++i) {
        const real log_tilt = log_first - step * static_cast<real>(i);
        const std::optional<real> value = score(std::exp(log_tilt));
        if (!value) break;
        if (*value > best) {
            best = *value;
            best_log = log_tilt;
        }
    }
    int falling = 0;
    for (real log_tilt = log_first; log_tilt <= 9.0L && falling < 3; log_tilt += step) {
        const std::optional<real> value = score(std::exp(log_tilt));
        if (!value) break;
        if (*value > best) {
            best = *value;
            best_log = log_tilt;
            falling = 0;
        } else if (std::isfinite(best) && best != 0.0L) {
            ++falling;
        }
    }
    if (!std::isfinite(best)) return std::max(best, untilted);
    real left = best_log - step;
    real right = best_log + step;
    constexpr real golden = 0.6180339887498949L;
    real a = right - golden * (right - left);
    real b = left + golden * (right - left);
    real at_a = score(std::exp(a)).value_or(none);
    real at_b = score(std::exp(b)).value_or(none);
    for (int i = 0; i < 10; ++i) {
        best = std::max({best, at_a, at_b});
        if (at_a > at_b) {
            right = std::exchange(b, a);
            at_b = at_a;
            a = right - golden * (right - left);
            at_a = score(std::exp(a)).value_or(none);
        } else {
            left = std::exchange(a, b);
            at_a = at_b;
            b = left + golden * (right - left);
            at_b = score(std::exp(b)).value_or(none);
        }
    }
    return std::max({best, at_a, at_b, untilted});
}

}  // namespace

double tilted_delta_bound(std::span<const RepeatedPair> parts, double tilt, double epsilon) {
    require(epsilon >= 0.0 && std::isfinite(epsilon), "epsilon", epsilon, "epsilon >= 0");
    std::vector<Part> samplers = make_parts(parts);
    const auto sum = tilted_sum(samplers, tilt);
    if (!sum) return 0.0;
    return std::min(1.0, round_down(std::exp(log_delta_bound(*sum, epsilon)) * (1.0L - 1e-15L)));
}

/// Sums and events are kept from one epsilon to the next.
struct DeltaLowerBound::Known {
    std::vector<RepeatedPair> pairs;
    std::vector<Part> parts;
    std::map<real, std::optional<TiltedSum>> sums;
    std::map<real, Event> events;
};

DeltaLowerBound::DeltaLowerBound(std::span<const RepeatedPair> parts)
    : known_(std::make_unique<Known>()) {
    known_->pairs.assign(parts.begin(), parts.end());
    known_->parts = make_parts(known_->pairs);
}
DeltaLowerBound::~DeltaLowerBound() = default;

double DeltaLowerBound::at(double epsilon) {
    require(epsilon >= 0.0 && std::isfinite(epsilon), "epsilon", epsilon, "epsilon >= 0");
    const auto of = [](auto& all, real key, const auto& make) {
        const auto place = all.find(key);
        return place != all.end() ? place->second : all.emplace(key, make()).first->second;
    };
    const real log_delta = best_tilt(
        [&](real tilt) {
            return of(known_->sums, tilt, [&] { return tilted_sum(known_->parts, tilt); });
        },
        [&](const TiltedSum& sum) { return log_delta_bound(sum, epsilon); });
    const real growth = std::exp(static_cast<real>(epsilon)) * (1.0L + 0x1p-40L);
    const real event = best_event(
        known_->pairs,
        [&](real z) {
            return of(known_->events, z, [&] { return some_output_beyond(known_->pairs, z); });
        },
        [&](const Event& e) {
            const real value = e.under_p - growth * e.under_q;
            return value > 0.0L ? value : 0.0L;
        });
    const real best = std::max({0.0L, event, std::exp(log_delta) * (1.0L - 1e-15L)});
    return std::min(1.0, round_down(best * (1.0L - 0x1p-40L)));
}

double delta_lower_bound(std::span<const RepeatedPair> parts, double epsilon) {
    return DeltaLowerBound(parts).at(epsilon);
}

double epsilon_lower_bound(std::span<const RepeatedPair> parts, double delta) {
    require(delta > 0.0 && delta < 1.0, "delta", delta, "0 < delta < 1");
    const real log_delta = std::log(static_cast<real>(delta)) * (1.0L - 1e-17L);
    std::vector<Part> samplers = make_parts(parts);
    const real tilted =
        best_tilt([&](real tilt) { return tilted_sum(samplers, tilt); },
                  [&](const TiltedSum& sum) { return epsilon_for(sum, log_delta); });
    // P(E) - e^epsilon Q(E) > delta for epsilon below log((P(E) - delta)/Q(E)).
    const auto event_at = [&](real z) { return some_output_beyond(parts, z); };
    const real event = best_event(parts, event_at, [&](const Event& e) {
        const real gap = e.under_p - static_cast<real>(delta) * (1.0L + 0x1p-40L);
        return gap > 0.0L && e.under_q > least_probability
                   ? std::log(gap) - std::log(e.under_q) - 0x1p-36L
                   : -1.0L;
    });
    const real best = std::max({0.0L, tilted, event});
    return std::isfinite(best) ? round_down(best) : 0.0;
}

}  // namespace assay
