#include "assay/pld/entropic_tail.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "assay/numeric/errors.hpp"

namespace assay {

namespace {

constexpr double u = 0x1p-53;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::size_t most_nodes = std::size_t{1} << 15U;
constexpr double largest_node = 600.0;

/// One moment's bounds of E (W - e^y)_+ and of D(y): their logarithms are straight lines in y.
struct ChernoffLine {
    explicit ChernoffLine(const MomentBound& moment)
        : slope(moment.order - 1.0),
          log_moment(moment.log_moment),
          log_slope(std::log(slope)),
          constant(slope * log_slope - (1.0 + slope) * std::log1p(slope)),
          size(std::fabs(log_moment) +
               8.0 * (1.0 + slope) * (std::fabs(log_slope) + std::log1p(slope)) + 32.0) {}

    [[nodiscard]] double at(double y, bool integrated) const {
        const double exponent = log_moment - slope * y + constant - (integrated ? log_slope : 0.0);
        return exponent + 16.0 * u * (size + slope * std::fabs(y));
    }

    double slope;  // b: a = 1 + b is the order
    double log_moment;
    double log_slope;
    double constant;  // log of (1/a)(1 - 1/a)^{a-1}
    double size;      // of what is added up
};

std::vector<ChernoffLine> chernoff_lines(std::span<const MomentBound> moments) {
    std::vector<ChernoffLine> lines;
    for (const MomentBound& moment : moments)
        if (moment.order > 1.0 && std::isfinite(moment.log_moment)) lines.emplace_back(moment);
    return lines;
}

/// log of E (W - e^y)_+, or of D(y) where it is integrated, from above by the moments.
double chernoff(std::span<const ChernoffLine> lines, double y, bool integrated) {
    double best = infinity;
    for (const ChernoffLine& line : lines) best = std::min(best, line.at(y, integrated));
    return best;
}

double exp_above(double x) {
    return std::exp(x) * (1.0 + 8.0 * u) + std::numeric_limits<double>::denorm_min();
}

}  // namespace

EntropicTail::EntropicTail(std::span<const HockeyStick> distributions,
                           std::span<const MomentBound> moments, double first, double step,
                           double negligible)
    : first_(std::clamp(first, -largest_node, largest_node)), step_(step) {
    require(std::isfinite(first), "first", first, "a finite number");
    require(step > 0.0 && step <= 1.0, "step", step, "0 < step <= 1");
    require(negligible > 0.0, "negligible", negligible, "a positive number");
    for (const HockeyStick& distribution : distributions)
        if (distribution.direction() != Direction::upper)
            throw DirectionError("an integral from above needs upper distributions");
    const std::vector<ChernoffLine> lines = chernoff_lines(moments);
    // No more nodes than the table may have.
    const auto is_negligible = [&](double y) {
        return exp_above(chernoff(lines, y, true)) <= negligible;
    };
    double reach = step;
    while (first_ + reach < largest_node && !is_negligible(first_ + reach)) reach *= 1.5;
    step_ = std::max(step, std::min(reach / static_cast<double>(most_nodes - 2), 1.0));
    step = step_;
    // The question is moved down by more than the rounding of the nodes.
    std::vector<double> deltas;
    double previous = infinity;
    double tail = infinity;
    for (std::size_t k = 0;; ++k) {
        const double y = first_ + step * static_cast<double>(k);
        const double asked = y - 4.0 * u * (std::fabs(y) + std::fabs(first_) + 1.0);
        double value = std::min(previous, exp_above(chernoff(lines, asked, false)));
        for (const HockeyStick& distribution : distributions)
            value = std::min(value, distribution.removal(asked));
        deltas.push_back(value);
        previous = value;
        tail = exp_above(chernoff(lines, asked, true));
        if (tail <= negligible || k + 1 == most_nodes || y + step > largest_node) break;
    }
    values_.assign(deltas.size(), tail);
    // The mean of (e^t - 1)/(e^h - 1) over [0, h] is at least 1/2 - h/12.
    const double share = 0.5 - step / 12.0 - 4.0 * u;
    for (std::size_t k = deltas.size() - 1; k-- > 0;)
        values_[k] =
            values_[k + 1] + step * (deltas[k + 1] + (1.0 - share) * (deltas[k] - deltas[k + 1]));
    const double roundings = 1.0 + (static_cast<double>(deltas.size()) + 16.0) * 4.0 * u;
    for (double& value : values_) value *= roundings;
}

double EntropicTail::operator()(double y) const {
    const double place = (y - first_) / step_;
    if (!(place >= 0.0)) return infinity;
    const auto end = static_cast<double>(values_.size() - 1);
    if (place >= end) return values_.back();
    const double floor = std::floor(place);
    const auto k = static_cast<std::size_t>(floor);
    if (!std::isfinite(values_[k])) return infinity;
    // Falling: a place rounded down by a little is on the safe side.
    const double part = std::max(0.0, place - floor - 8.0 * u * (place + 1.0));
    return (values_[k] + part * (values_[k + 1] - values_[k])) * (1.0 + 4.0 * u);
}

}  // namespace assay
