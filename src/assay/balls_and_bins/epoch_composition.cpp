#include "assay/balls_and_bins/epoch_composition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "assay/numeric/errors.hpp"

namespace assay {

namespace {

constexpr double unit = 0x1p-53;
constexpr std::int64_t most_epochs = 100'000;

double log_step(const BallsAndBins& m, const Resolution& resolution) {
    return resolution.step * std::min(1.0, 2.0 * typical_deviation(m));
}

/// Below it the law of W counts for nothing: E[W; W < e^{log floor}] is about 1e-20.
double log_floor(const SumPayoffs& sum, double steps, double deviation) {
    double depth = 0.0;
    while (depth < 60.0 && sum.put(steps * std::exp(-depth)) > 1e-21 * steps)
        depth += std::min(0.05, deviation);
    return -depth;
}

LogLaw power(const LogProducts& products, const LogLaw& one, std::int64_t epochs) {
    LogLaw result = one;
    int bit = 0;
    while ((epochs >> (bit + 1)) > 0) ++bit;
    for (--bit; bit >= 0; --bit) {
        result = products.product(result, result);
        if (((epochs >> bit) & 1) != 0) result = products.product(result, one);
    }
    return result;
}

}  // namespace

EpochComposition::EpochComposition(const BallsAndBins& mechanism, LossDirection direction,
                                   std::int64_t epochs, const Resolution& resolution)
    : direction_(direction),
      resolution_(resolution),
      below_products_(ConvexSide::below, log_step(mechanism, resolution)),
      above_products_(ConvexSide::above, log_step(mechanism, resolution)) {
    if (epochs < 1 || epochs > most_epochs)
        throw DomainError("epochs", fmt::format("{}", epochs), fmt::format("1 .. {}", most_epochs));
    // All of W matters, whatever the epsilon: another epoch may take back what one exceeds.
    const double largest = std::min(negligible_beyond(mechanism), LogProducts::largest_log);
    const ConvexOrderBracket one(mechanism, LossDirection::remove, largest, resolution);
    const auto steps = static_cast<double>(mechanism.steps);
    for (const ConvexSide which : {ConvexSide::below, ConvexSide::above}) {
        const bool above = which == ConvexSide::above;
        const ConvexOrderBracket::Side& side = one.side(which);
        // Rounded positions move to the safe side: up for calls that count from above and puts that
        // count from below.
        const double p = 1.01 * side.rounding.position + 16.0 * unit;
        const bool up = above == (direction == LossDirection::remove);
        const LogProducts& products = above ? above_products_ : below_products_;
        LogLaw law =
            products.of_sum(*side.payoffs, 1.0 / steps, {up ? p : -p, side.level},
                            log_floor(*side.payoffs, steps, typical_deviation(mechanism)), largest);
        law.rounding.mass += side.rounding.mass;
        (above ? above_ : below_) = power(products, law, epochs);
    }
}

Enclosure EpochComposition::delta(double epsilon) const {
    require(epsilon >= 0.0 && std::isfinite(epsilon), "epsilon", epsilon, "0 <= epsilon < inf");
    const bool remove = direction_ == LossDirection::remove;
    const double x = std::min(epsilon, 700.0);
    const double strike = std::exp(remove ? x : -x);
    const double scale = remove ? 1.0 : std::exp(x);
    const auto value = [&](const LogProducts& products, const LogLaw& law, bool upper) {
        const double p = 1.01 * law.rounding.position + 16.0 * unit;
        const double m =
            law.rounding.mass + p + (static_cast<double>(law.mass.size()) + 64.0) * unit;
        const double moved = strike * (upper == remove ? 1.0 - p : 1.0 + p);
        const double payoff = remove ? products.call(law, moved) : products.put(law, moved);
        return payoff * scale * (upper ? std::exp(m) : std::exp(-m));
    };
    // Products whose mass underflows hold less than this of any payoff.
    constexpr double underflow = 1e-30;
    const double upper = std::min(1.0, value(above_products_, above_, true) + underflow);
    const double lower = epsilon > x ? 0.0 : value(below_products_, below_, false) - underflow;
    return {lower > 0.0 ? std::min(lower, upper) : 0.0, upper};  // nothing where it is NaN
}

EpochComposition composition_within(const BallsAndBins& mechanism, LossDirection direction,
                                    std::int64_t epochs, double epsilon, const GapGoal& goal) {
    validate(mechanism);
    Resolution resolution = coarse_resolution(mechanism);
    EpochComposition best(mechanism, direction, epochs, resolution);
    const auto gap = [&](const EpochComposition& composition) {
        const Enclosure delta = composition.delta(epsilon);
        return delta.upper < goal.negligible_delta ? 0.0
                                                   : (delta.upper - delta.lower) / delta.upper;
    };
    double reached = gap(best);
    for (int attempt = 0; attempt < 5 && reached > goal.tolerance; ++attempt) {
        const double step =
            resolution.step * std::max(0.25, 0.85 * std::sqrt(goal.tolerance / reached));
        if (step < 5e-4) break;
        resolution.step = step;
        EpochComposition next(mechanism, direction, epochs, resolution);
        const double now = gap(next);
        if (now >= reached) break;
        best = std::move(next);
        reached = now;
    }
    return best;
}

Enclosure composed_delta(const BallsAndBins& mechanism, std::int64_t epochs, double epsilon,
                         const GapGoal& goal) {
    const Enclosure remove =
        composition_within(mechanism, LossDirection::remove, epochs, epsilon, goal).delta(epsilon);
    GapGoal beside = goal;
    beside.negligible_delta = std::max(goal.negligible_delta, remove.lower);
    const Enclosure add =
        composition_within(mechanism, LossDirection::add, epochs, epsilon, beside).delta(epsilon);
    return {std::max(remove.lower, add.lower), std::max(remove.upper, add.upper)};
}

Enclosure composed_epsilon(const BallsAndBins& mechanism, std::int64_t epochs, double delta,
                           const GapGoal& goal) {
    require(delta > 0.0 && delta < 1.0, "delta", delta, "0 < delta < 1");
    Resolution resolution = coarse_resolution(mechanism);
    Enclosure answer{0.0, std::numeric_limits<double>::infinity()};
    double reached = std::numeric_limits<double>::infinity();
    for (int attempt = 0; attempt < 4; ++attempt) {
        const EpochComposition remove(mechanism, LossDirection::remove, epochs, resolution);
        const EpochComposition add(mechanism, LossDirection::add, epochs, resolution);
        const auto at = [&](double epsilon) {
            const Enclosure a = remove.delta(epsilon);
            const Enclosure b = add.delta(epsilon);
            return Enclosure{std::max(a.lower, b.lower), std::max(a.upper, b.upper)};
        };
        double far = 1.0;
        while (far < 512.0 && at(far).upper > delta) far *= 2.0;
        // Both sides fall in epsilon: a bisection keeps what it has certified.
        double low = 0.0;
        double high = far;
        if (at(far).upper <= delta) {
            while (high - low > 1e-10 * high) {
                const double middle = 0.5 * (low + high);
                (at(middle).upper <= delta ? high : low) = middle;
            }
            answer.upper = std::min(answer.upper, at(0.0).upper <= delta ? 0.0 : high);
        }
        low = 0.0;
        high = far;
        if (at(0.0).lower > delta) {
            while (high - low > 1e-10 * high) {
                const double middle = 0.5 * (low + high);
                (at(middle).lower > delta ? low : high) = middle;
            }
            answer.lower = std::max(answer.lower, low);
        }
        const Enclosure there = at(std::min(answer.upper, far));
        const double gap = there.upper > 0.0 ? (there.upper - there.lower) / there.upper : 0.0;
        if (gap <= goal.tolerance || there.upper < goal.negligible_delta) break;
        if (gap >= reached) break;  // what is left is rounding, and finer grids round more often
        reached = gap;
        resolution.step *= std::max(0.25, 0.85 * std::sqrt(goal.tolerance / gap));
        if (resolution.step < 5e-4) break;
    }
    return answer;
}

}  // namespace assay
