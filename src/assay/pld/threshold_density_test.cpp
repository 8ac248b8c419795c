#include "assay/pld/threshold_density.hpp"

#include <cmath>

#include "test_support/chain_link_payoff.hpp"
#include "test_support/test_support.hpp"

namespace assay {
namespace {

constexpr double h = 0.05;
constexpr double rise = 0.2;  // the probability of a loss h under Q

/// `steps` of a pair whose losses are h, 0 and -h, of which both sums are 1.
PrivacyLossPmf walk(int steps) {
    const double fall = rise * std::exp(h);
    std::vector<double> masses{1.0};
    for (int n = 0; n < steps; ++n) {
        std::vector<double> next(masses.size() + 2, 0.0);
        for (std::size_t i = 0; i < masses.size(); ++i) {
            next[i] += fall * masses[i];
            next[i + 1] += (1.0 - rise - fall) * masses[i];
            next[i + 2] += rise * masses[i];
        }
        masses = next;
    }
    PrivacyLossPmf distribution;
    distribution.step = h;
    distribution.first = -steps;
    distribution.masses = masses;
    return distribution;
}

/// E (x e^loss - 1)_+
double payoff(const PrivacyLossPmf& distribution, double x) {
    double sum = distribution.infinity_mass * x;
    for (std::size_t i = 0; i < distribution.masses.size(); ++i)
        sum += distribution.masses[i] * std::max(0.0, x * std::exp(distribution.loss(i)) - 1.0);
    return sum;
}

ChainMoments moments_of(int steps) {
    const PrivacyLossPmf one = walk(1);
    const auto log_moment = [&](double order) {
        double sum = 0.0;
        for (std::size_t i = 0; i < one.masses.size(); ++i)
            sum += one.masses[i] * std::exp(order * one.loss(i));
        return std::log(sum) * (1.0 + 1e-6);
    };
    ChainMoments moments;
    moments.epsilon = 2.0;
    moments.delta = payoff(walk(steps), std::exp(-moments.epsilon));
    double forward = 0.0;
    double backward = 0.0;
    for (std::size_t i = 0; i < one.masses.size(); ++i) {
        forward += one.masses[i] * std::exp(one.loss(i)) * one.loss(i);
        backward -= one.masses[i] * one.loss(i);
    }
    moments.divergence = 1.0001 * std::max(forward, backward);
    double least = test_support::infinity;
    for (double excess = 0.05; excess < 100.0; excess *= 1.2) {
        moments.moments.push_back({1.0 + excess, log_moment(1.0 + excess)});
        const double exponent =
            steps * moments.moments.back().log_moment - excess * moments.epsilon;
        if (exponent >= least) continue;
        least = exponent;
        moments.order = 1.0 + excess;
    }
    moments.log_reach = least - std::log(moments.delta);
    return moments;
}

constexpr int behind = 60;

struct Window {
    std::int64_t origin;
    std::size_t cells;
};
constexpr Window wide{-90, 180};
constexpr Window narrow{-25, 50};

ThresholdDensity density_of(const ChainMoments& moments, const Window& window = wide) {
    return {moments, h * static_cast<double>(window.origin) - 0.5 * h - h * h / 24.0 - 1e-14, h,
            window.cells};
}

/// Losses 3h, 0 and -h, of which both sums are 1: turned about, it is another pair.
PrivacyLossPmf skew_pair() {
    const double up = 0.02;
    const double down = up * std::expm1(3.0 * h) / -std::expm1(-h);
    PrivacyLossPmf distribution;
    distribution.step = h;
    distribution.first = -1;
    distribution.masses = {down, 1.0 - up - down, 0.0, 0.0, up};
    return distribution;
}

template <class F>
double mean(const PrivacyLossPmf& pair, const F& f) {
    double sum = 0.0;
    for (std::size_t i = 0; i < pair.masses.size(); ++i) sum += pair.masses[i] * f(pair.loss(i));
    return sum;
}

/// The payoff of the density itself, not of its running maximum.
double payoff(const ChainLink& link, double x) {
    const double moved = x * std::exp(link.thresholds.loss_error);
    double sum = link.thresholds.infinity_mass * x;
    for (std::size_t i = 0; i < link.density.size(); ++i) {
        const double from = link.first + link.step * static_cast<double>(i);
        const double to = std::min(from + link.step, std::log(moved));
        if (to > from)
            sum += link.density[i] * (moved * (to - from) - std::exp(to) + std::exp(from));
    }
    return std::exp(link.thresholds.mass_error + link.thresholds.loss_error) * sum +
           std::exp(link.log_power + link.order * std::log(x));
}

}  // namespace

TEST_CASE("a loss kernel has the masses under P", "[threshold_density]") {
    PrivacyLossPmf distribution = walk(2);
    distribution.infinity_mass = 0.125;
    const LossKernel kernel(distribution);
    CHECK(kernel.first == -2);
    CHECK(kernel.last() == 2);
    CHECK(kernel.infinity_mass == 0.125);
    CHECK(kernel.masses[4] == Approx(rise * rise * std::exp(2.0 * h)).epsilon(1e-14));
    CHECK(kernel.masses[0] == Approx(rise * rise).epsilon(1e-14));
    CHECK(kernel.mass_error > 0.0);
}

// Every payoff of the last steps is summed from the losses' distribution. Catches thresholds that
// move to the wrong side, mass that leaves the window and what rises beyond the mode.
TEST_CASE("thresholds lie above every payoff, group by group", "[threshold_density]") {
    const ChainMoments moments = moments_of(2 * behind);
    for (const Window& window : {wide, narrow}) {
        ThresholdDensity density = density_of(moments, window);
        density.start(walk(behind), behind);
        const LossKernel kernel(walk(1));
        for (int steps = behind;; ++steps) {
            const ChainLink link = density.link(steps);
            CHECK(link.steps == steps);
            const PrivacyLossPmf exact = walk(steps);
            for (double x = 0.01; x < 50.0; x *= 1.2) {
                CAPTURE(window.cells, steps, x);
                CHECK(test_support::chain_link_payoff(link, x) >= payoff(exact, x));
                if (window.cells == wide.cells && x > 0.2 && x < 0.7)
                    CHECK(test_support::chain_link_payoff(link, x) <= 1.2 * payoff(exact, x));
            }
            if (steps == 2 * behind || !density.add(kernel, 1)) break;
        }
    }
}

// What (M) and (P) are for: the pair in the other order, whose payoff is not that of the group.
TEST_CASE("a group covers the pair in both orders", "[threshold_density]") {
    const PrivacyLossPmf pair = skew_pair();
    ChainMoments moments;
    moments.epsilon = 1.0;
    moments.delta = payoff(walk(behind), std::exp(-moments.epsilon));
    const auto log_moment = [&](double order) {
        return std::log(mean(pair, [&](double loss) { return std::exp(order * loss); }));
    };
    moments.divergence =
        (1.0 + 1e-9) * std::max(mean(pair, [](double loss) { return loss * std::exp(loss); }),
                                mean(pair, [](double loss) { return -loss; }));
    for (double excess = 0.05; excess < 60.0; excess *= 1.2)
        moments.moments.push_back({1.0 + excess, log_moment(1.0 + excess) * (1.0 + 1e-9)});
    // An order whose power is small where the payoff is looked at.
    const MomentBound& far = moments.moments[29];
    moments.order = far.order;
    moments.log_reach = (behind + 10) * far.log_moment - (far.order - 1.0) * moments.epsilon -
                        std::log(moments.delta);
    ThresholdDensity density = density_of(moments, wide);
    density.start(walk(behind), behind);
    const LossKernel kernel(pair);
    for (int steps = behind; steps < behind + 10; ++steps) {
        const ChainLink before = density.link(steps);
        REQUIRE(density.add(kernel, 1));
        const ChainLink after = density.link(steps + 1);
        CHECK(after.log_power >= before.log_power + far.log_moment);
        for (double x = 0.3; x < 6.0; x *= 1.04) {
            const double group =
                mean(pair, [&](double loss) { return payoff(before, x * std::exp(loss)); });
            const double turned = mean(pair, [&](double loss) {
                return std::exp(loss) * payoff(before, x * std::exp(-loss));
            });
            CAPTURE(steps, x);
            CHECK(payoff(after, x) >= group);
            CHECK(payoff(after, x) >= turned);
        }
    }
}

TEST_CASE("what is infinite stays so", "[threshold_density]") {
    const ChainMoments moments = moments_of(2 * behind);
    PrivacyLossPmf start = walk(behind);
    start.infinity_mass = 1e-3;
    PrivacyLossPmf group = walk(1);
    group.infinity_mass = 1e-5;
    ThresholdDensity density = density_of(moments);
    density.start(start, behind);
    CHECK(density.link(behind).thresholds.infinity_mass >= 1e-3);
    REQUIRE(density.add(LossKernel(group), 1));
    const ChainLink link = density.link(behind + 1);
    // All of the old, and the new part of what the steps behind it pay at most.
    CHECK(link.thresholds.infinity_mass >= 1e-3 + 0.99e-5);
    CHECK(link.thresholds.infinity_mass <= 1e-2);
}

TEST_CASE("nothing is added to no density", "[threshold_density]") {
    const ChainMoments moments = moments_of(2 * behind);
    ThresholdDensity density = density_of(moments);
    CHECK_FALSE(density.add(LossKernel(walk(1)), 1));
}

}  // namespace assay
