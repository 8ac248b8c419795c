#include "assay/monte_carlo/conditional_monte_carlo.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <utility>

#include "assay/monte_carlo/sampling_tables.hpp"
#include "assay/numeric/bisect.hpp"
#include "assay/numeric/errors.hpp"

namespace assay {

namespace {

constexpr std::size_t chunk = 512;

double tail_of_normal(double z) {
    return 0.5 * std::erfc(z / std::numbers::sqrt2);
}

/// E[e^{-theta Y}] and E[Y e^{-theta Y}] by the trapezoid rule in z, Y = e^{z/s - 1/(2s^2)}.
std::array<double, 2> laplace(double noise_multiplier, double theta) {
    const double c = 1.0 / noise_multiplier;
    const double step = std::min(0.02, 0.02 * noise_multiplier);
    double mass = 0.0;
    double mean = 0.0;
    double total = 0.0;
    const auto nodes = static_cast<int>((24.0 + 2.0 * c) / step) + 1;
    for (int i = 0; i < nodes; ++i) {
        const double z = -12.0 + step * i;
        const double density = std::exp(-0.5 * z * z);
        const double y = std::exp(c * (z - 0.5 * c));
        const double weight = density * std::exp(-theta * y);
        total += density;
        mass += weight;
        mean += y * weight;
    }
    return {mass / total, mean / total};
}

}  // namespace

ConditionalSampler::ConditionalSampler(ConditionalPlan plan)
    : plan_(std::move(plan)), table_(lognormal_table(plan_.mechanism.noise_multiplier, 22)) {
    validate(Mechanism(plan_.mechanism));
    if (plan_.epsilons.empty())
        throw DomainError("epsilon", std::string("none"), "at least one epsilon");
    for (const double epsilon : plan_.epsilons) {
        require(std::fabs(epsilon) <= 600.0, "epsilon", epsilon, "-600 .. 600");
        if (plan_.direction == LossDirection::addition) tilts_.push_back(tilt(epsilon));
    }
}

/// theta >= 0 with tilted mean e^-eps; none is needed where that is the mean or more.
ConditionalSampler::Tilt ConditionalSampler::tilt(double epsilon) const {
    const double target = std::exp(-epsilon);
    const double s = plan_.mechanism.noise_multiplier;
    if (target >= 1.0) return {};
    const auto tilted_mean = [&](double theta) {
        const std::array<double, 2> moments = laplace(s, theta);
        return moments[1] / moments[0];
    };
    double high = 1.0;
    // Rejection costs 1 / E[e^{-theta Y}]: not below 1 %.
    while (tilted_mean(high) > target && laplace(s, 2.0 * high)[0] > 0.01) high *= 2.0;
    const auto is_enough = [&](double theta) { return !(tilted_mean(theta) > target); };
    const double theta = bisect(0.0, high, 0.0, is_enough, 40).high;
    return {theta, static_cast<double>(plan_.mechanism.batches_per_epoch) *
                       std::log(laplace(s, theta)[0])};
}

std::int64_t ConditionalSampler::trials_per_block() const {
    return std::clamp<std::int64_t>((std::int64_t{1} << 20U) / plan_.mechanism.batches_per_epoch, 1,
                                    4096);
}

void ConditionalSampler::removal_trial(RandomStream& stream, std::span<double> sums) const {
    std::array<double, chunk> tails;
    const double s = plan_.mechanism.noise_multiplier;
    const auto batches = static_cast<double>(plan_.mechanism.batches_per_epoch);
    double sum = 0.0;
    double least = 1.0;  // tail of the largest
    for (std::int64_t left = plan_.mechanism.batches_per_epoch - 1; left > 0;) {
        const auto size = static_cast<std::size_t>(std::min<std::int64_t>(left, chunk));
        const auto part = std::span(tails).first(size);
        fill_signed_tails(stream, part);
        for (const double tail : part) {
            const double p = tail < 0.0 ? 1.0 + tail : tail;
            least = p < least ? p : least;
        }
        table_.evaluate(part);
        double partial = 0.0;
        for (const double y : part) partial += y;
        sum += partial;
        left -= static_cast<std::int64_t>(size);
    }
    const double largest =
        plan_.mechanism.batches_per_epoch == 1
            ? -std::numeric_limits<double>::infinity()
            : s * std::log(table_.at(least < 0.5 ? least : least - 1.0)) + 0.5 / s;
    for (std::size_t i = 0; i < plan_.epsilons.size(); ++i) {
        const double missing = batches * std::exp(plan_.epsilons[i]) - sum;
        const double z =
            missing > 0.0 ? std::max(largest, s * std::log(missing) + 0.5 / s) : largest;
        const double x = std::max(0.0, tail_of_normal(z - 1.0 / s) - missing * tail_of_normal(z));
        sums[2 * i] += x;
        sums[2 * i + 1] += x * x;
    }
}

void ConditionalSampler::addition_trial(RandomStream& stream, std::span<double> sums) const {
    std::array<double, chunk> values;
    std::array<double, chunk> uniforms;
    const auto batches = static_cast<double>(plan_.mechanism.batches_per_epoch);
    for (std::size_t i = 0; i < plan_.epsilons.size(); ++i) {
        const Tilt& tilt = tilts_[i];
        double sum = 0.0;
        for (std::int64_t left = plan_.mechanism.batches_per_epoch; left > 0;) {
            const auto size = static_cast<std::size_t>(std::min<std::int64_t>(left, chunk));
            const auto part = std::span(values).first(size);
            fill_signed_tails(stream, part);
            table_.evaluate(part);
            if (tilt.theta > 0.0) stream.fill_uniform(std::span(uniforms).first(size));
            for (std::size_t k = 0; k < size; ++k) {
                if (tilt.theta > 0.0 && uniforms[k] > std::exp(-tilt.theta * part[k])) continue;
                sum += part[k];
                --left;
            }
        }
        const double loss = 1.0 - std::exp(plan_.epsilons[i]) * (sum / batches);
        if (loss <= 0.0) continue;
        const double x = loss * std::exp(tilt.theta * sum + tilt.log_weight);
        sums[2 * i] += x;
        sums[2 * i + 1] += x * x;
    }
}

void ConditionalSampler::run_block(std::uint64_t block, std::span<double> sums) const {
    require(sums.size() == number_of_sums(), "sums", static_cast<double>(sums.size()),
            "two for each epsilon");
    std::fill(sums.begin(), sums.end(), 0.0);
    const bool removal = plan_.direction == LossDirection::removal;
    RandomStream stream(plan_.seed,
                        removal ? Purpose::conditional_monte_carlo : Purpose::tilted_monte_carlo,
                        block);
    for (std::int64_t trial = 0; trial < trials_per_block(); ++trial) {
        if (removal)
            removal_trial(stream, sums);
        else
            addition_trial(stream, sums);
    }
}

std::vector<MeanEstimate> conditional_estimate(std::span<const double> sums, std::int64_t samples) {
    require(samples >= 2, "m", static_cast<double>(samples), "at least two samples");
    const auto m = static_cast<double>(samples);
    std::vector<MeanEstimate> estimates;
    for (std::size_t i = 0; i + 1 < sums.size(); i += 2) {
        const double mean = sums[i] / m;
        const double variance = std::max(0.0, (sums[i + 1] - m * mean * mean) / (m - 1.0));
        estimates.push_back({mean, std::sqrt(variance / m)});
    }
    return estimates;
}

}  // namespace assay
