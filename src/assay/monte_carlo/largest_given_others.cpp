#include "assay/monte_carlo/largest_given_others.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>

#include "assay/numeric/normal_quantile.hpp"

namespace assay {

namespace {

constexpr std::size_t chunk = 512;
constexpr double slack = 0x1p-36;  // of normal tails in double precision, |z| <= 64

double tail_of_normal(double z) {
    return 0.5 * std::erfc(z / std::numbers::sqrt2);
}

double normal_of_tail(double tail) {
    if (tail == 1.0) return WithoutLargest{}.normal;
    return static_cast<double>(tail < 0.0 ? -normal_upper_quantile(-static_cast<real>(tail))
                                          : normal_upper_quantile(tail));
}

/// Without a branch on the side, which is a coin.
double unsigned_tail(double tail) {
    return tail + static_cast<double>(std::bit_cast<std::uint64_t>(tail) >> 63U);
}

/// The two largest of all lognormals seen: their signed tails, and the value of the first.
struct TwoLargest {
    double first = 1.0;
    double second = 1.0;
    double largest = 0.0;

    void add(double tail, double y) {
        if (unsigned_tail(tail) >= unsigned_tail(second)) return;
        if (unsigned_tail(tail) < unsigned_tail(first)) {
            second = first;
            first = tail;
            largest = y;
        } else {
            second = tail;
        }
    }
};

}  // namespace

LargestGivenOthers::LargestGivenOthers(const BallsAndBins& mechanism, LossDirection direction,
                                       double margin)
    : noise_multiplier_(mechanism.noise_multiplier),
      shift_(1.0 / mechanism.noise_multiplier),
      steps_(static_cast<double>(mechanism.batches_per_epoch)),
      removal_(direction == LossDirection::removal),
      margin_(margin) {
    validate(mechanism);
}

WithoutLargest LargestGivenOthers::draw(RandomStream& stream, const TailTable& table) const {
    std::array<double, chunk> tails;
    std::array<double, chunk> values;
    TwoLargest top;
    double total = 0.0;
    for (auto left = static_cast<std::int64_t>(steps_) - (removal_ ? 1 : 0); left > 0;) {
        const auto size = static_cast<std::size_t>(std::min<std::int64_t>(left, chunk));
        const auto part = std::span(tails).first(size);
        fill_signed_tails(stream, part);
        std::copy(part.begin(), part.end(), values.begin());
        table.evaluate(std::span(values).first(size));
        std::array<double, 4> sums{};
        double least = unsigned_tail(top.second);
        for (std::size_t i = 0; i < size; ++i) {
            sums[i % 4] += values[i];
            if (unsigned_tail(tails[i]) >= least) continue;
            top.add(tails[i], values[i]);
            least = unsigned_tail(top.second);
        }
        total += (sums[0] + sums[1]) + (sums[2] + sums[3]);
        left -= static_cast<std::int64_t>(size);
    }
    if (removal_) {  // x_1 ~ N(1, s^2) under P_1
        const double tail = signed_tail(stream);
        const double z = normal_of_tail(tail) + shift_;
        const double y = std::exp(shift_ * shift_) * table.at(tail);
        // Above 1/2 its tail is written from the other side.
        top.add(z < 0.0 ? -tail_of_normal(-z) : std::max(tail_of_normal(z), 1e-300), y);
        total += y;
    }
    const double rest = std::max(0.0, total - top.largest);
    return {rest, margin_ * rest + 0x1p-40 * total, top.second, normal_of_tail(top.second)};
}

Enclosure LargestGivenOthers::expectation(const WithoutLargest& others, double exp_epsilon) const {
    return removal_ ? of_removal(others, exp_epsilon) : of_addition(others, exp_epsilon);
}

Enclosure LargestGivenOthers::of_removal(const WithoutLargest& others, double exp_epsilon) const {
    const double z_others = others.normal;
    const double tau = unsigned_tail(others.tail);
    const double psi = tail_of_normal(z_others - shift_);
    const double level = steps_ * exp_epsilon;
    const auto side = [&](double sum, double of_sum, double sign) {
        const double missing = level - sum;
        const double z =
            missing > 0.0 ? std::max(z_others, noise_multiplier_ * std::log(missing) + 0.5 * shift_)
                          : z_others;
        const double above = z == z_others ? tau : tail_of_normal(z);
        const double mean = tail_of_normal(z - shift_);
        // Moving the level by its rounding moves the expectation by at most that times `above`.
        const double error = slack * (mean + std::fabs(missing) * above) + 0x1p-48 * level * above;
        const double value = mean - missing * above + sign * error;
        const double weight = (of_sum * tau + psi) * (1.0 - sign * slack);
        return std::clamp(value / weight, 0.0, 1.0);
    };
    const double low = std::max(0.0, others.sum - others.error);
    const double high = others.sum + others.error;
    return {side(low, high, -1.0), side(high, low, 1.0)};
}

Enclosure LargestGivenOthers::of_addition(const WithoutLargest& others, double exp_epsilon) const {
    const double z_others = others.normal;
    const double tau = unsigned_tail(others.tail);
    const double psi = tail_of_normal(z_others - shift_);
    const double level = steps_ / exp_epsilon;
    const auto side = [&](double sum, double sign) {
        const double missing = level * (1.0 + sign * 0x1p-48) - sum;
        if (missing <= 0.0) return 0.0;
        const double z = noise_multiplier_ * std::log(missing) + 0.5 * shift_;
        const bool is_near = z > z_others - 1e-9 * (1.0 + std::fabs(z_others));
        if (!is_near) return 0.0;
        const double error = slack * (missing * tau + psi);
        const double value = z <= z_others ? 0.0
                                           : missing * (tau - tail_of_normal(z)) -
                                                 (psi - tail_of_normal(z - shift_));
        return std::clamp((value + sign * error) / (level * tau) * (1.0 + sign * slack), 0.0, 1.0);
    };
    return {side(others.sum + others.error, -1.0),
            side(std::max(0.0, others.sum - others.error), 1.0)};
}

}  // namespace assay
