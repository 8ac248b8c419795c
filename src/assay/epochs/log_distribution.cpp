#include "assay/epochs/log_distribution.hpp"

#include <algorithm>
#include <cmath>

#include "assay/numeric/errors.hpp"
#include "assay/numeric/interruption.hpp"

namespace assay {

namespace {

constexpr double unit = 0x1p-53;

/// Builds one distribution; the grid's points and the side are fixed.
class Builder {
public:
    Builder(const LogGrid& grid, ConvexSide side) : grid_(grid), side_(side), step_(grid.step) {
        require(step_ > 0.0 && step_ <= 0.25, "log-step", step_, "0 < step <= 1/4");
    }
    [[nodiscard]] LogDistribution of_sum(const SumPayoffs& sum, double scale,
                                         const PositionShift& shift) const;

private:
    [[nodiscard]] double point(std::int64_t index) const {
        return std::exp(step_ * static_cast<double>(index));
    }
    /// Cells at either end that hold a negligible part, merged; then spread on the side `above`.
    void trim(LogDistribution& distribution) const;

    LogGrid grid_;
    ConvexSide side_;
    double step_;
};

LogDistribution Builder::of_sum(const SumPayoffs& sum, double scale,
                                const PositionShift& shift) const {
    LogDistribution distribution;
    distribution.first = static_cast<std::int64_t>(std::floor(grid_.log_floor / step_));
    const auto end =
        static_cast<std::int64_t>(std::ceil(std::min(grid_.log_top, largest_log_ratio) / step_));
    const auto count = static_cast<std::size_t>(end - distribution.first);
    // excess: what positions exceed the left end of the cell by.
    std::vector<double> mass(count, 0.0);
    std::vector<double> excess(count, 0.0);
    std::vector<std::size_t> terms_in(count + 1, 0);  // the last: outside of the cells
    std::vector<double> edges(count + 1);
    for (std::size_t k = 0; k <= count; ++k)
        edges[k] = point(distribution.first + static_cast<std::int64_t>(k));
    const AtomicDistribution& a = sum.first();
    const AtomicDistribution& b = sum.second();
    MassMoment top;
    const auto moved = [&](double y) {
        return scale * std::max(0.0, y + shift.relative * (y + shift.level));
    };
    for (std::size_t i = 0; i < a.positions.size(); ++i) {
        std::size_t k = 0;
        std::size_t first = 0;
        for (std::size_t j = 0; j < b.positions.size(); ++j) {
            const double w = moved(a.positions[i] + b.positions[j]);
            const double weight = a.masses[i] * b.masses[j];
            if (w < edges[0]) {
                distribution.low.mass += weight;
                distribution.low.moment += weight * w;
                ++terms_in[count];
                continue;
            }
            if (j == 0)
                first = k = static_cast<std::size_t>(
                    std::upper_bound(edges.begin(), edges.end(), w) - edges.begin() - 1);
            while (k < count && w >= edges[k + 1]) ++k;
            ++terms_in[k];
            if (k >= count) {
                top.mass += weight;
                top.moment += weight * w;
            } else {
                mass[k] += weight;
                excess[k] += weight * (w - edges[k]);
            }
        }
        allow_interruption(4 * b.positions.size() + (k - first));
    }
    // What the two summands keep above their own grids.
    MassMoment total_a;
    MassMoment total_b;
    for (std::size_t i = 0; i < a.masses.size(); ++i) {
        total_a.mass += a.masses[i];
        total_a.moment += a.masses[i] * a.positions[i];
    }
    for (std::size_t i = 0; i < b.masses.size(); ++i) {
        total_b.mass += b.masses[i];
        total_b.moment += b.masses[i] * b.positions[i];
    }
    const double factor = scale * (1.0 + shift.relative);
    const double above_mass =
        a.above.mass * (total_b.mass + b.above.mass) + total_a.mass * b.above.mass;
    top.mass += above_mass;
    top.moment += factor * (a.above.moment * (total_b.mass + b.above.mass) +
                            a.above.mass * (total_b.moment + b.above.moment) +
                            total_a.mass * b.above.moment + total_a.moment * b.above.mass) +
                  scale * shift.relative * shift.level * above_mass;
    top.moment = std::max(top.moment, top.mass * edges[count]);

    // Recursive summation: one unit for each term of the fullest cell, or of the totals.
    const std::size_t fullest = std::max(*std::max_element(terms_in.begin(), terms_in.end()),
                                         std::max(a.masses.size(), b.masses.size()));
    const double terms = static_cast<double>(fullest) + 32.0;
    distribution.rounding = {terms * unit, 2.0 * terms * unit};
    distribution.mass.assign(count + 1, 0.0);
    distribution.moment.assign(count + 1, 0.0);
    if (side_ == ConvexSide::above) {
        const double slack = 4.0 * terms * unit;
        for (std::size_t k = 0; k < count; ++k) {
            const double right = std::clamp(excess[k] / (edges[k + 1] - edges[k]), 0.0, mass[k]);
            distribution.mass[k] += (mass[k] - right) + slack * mass[k];
            distribution.mass[k + 1] += right + slack * mass[k];
        }
        distribution.mass[count] += top.mass;
        distribution.infinite = (top.moment - top.mass * edges[count]) + slack * top.moment;
        for (std::size_t k = 0; k <= count; ++k)
            distribution.moment[k] = distribution.mass[k] * edges[k];
    } else {
        for (std::size_t k = 0; k < count; ++k) {
            distribution.mass[k] = mass[k];
            distribution.moment[k] = mass[k] * edges[k] + excess[k];
        }
        distribution.mass[count] = top.mass;
        distribution.moment[count] = top.moment;
    }
    trim(distribution);
    return distribution;
}

void Builder::trim(LogDistribution& distribution) const {
    const std::vector<double>& held =
        grid_.counts == LogGrid::Counts::mass ? distribution.mass : distribution.moment;
    std::size_t low = 0;
    MassMoment merged = distribution.low;
    double held_low = 0.0;
    while (low + 1 < distribution.mass.size() && held_low + held[low] < grid_.negligible) {
        held_low += held[low];
        merged.mass += distribution.mass[low];
        merged.moment += distribution.moment[low];
        ++low;
    }
    std::size_t high = distribution.mass.size();
    MassMoment top;
    double held_top = 0.0;
    const auto far = [&](std::size_t k) {
        return step_ * static_cast<double>(distribution.first + static_cast<std::int64_t>(k)) >
               largest_log_ratio;
    };
    while (high > low + 1 && (far(high - 1) || held_top + held[high - 1] < grid_.negligible)) {
        --high;
        held_top += held[high];
        top.mass += distribution.mass[high];
        top.moment += distribution.moment[high];
    }
    const auto begin = static_cast<std::ptrdiff_t>(low);
    const auto end = static_cast<std::ptrdiff_t>(high);
    distribution.mass = {distribution.mass.begin() + begin, distribution.mass.begin() + end};
    distribution.moment = {distribution.moment.begin() + begin, distribution.moment.begin() + end};
    distribution.first += static_cast<std::int64_t>(low);
    distribution.low = merged;
    if (side_ == ConvexSide::above) {
        // Below: over 0 and the first point; the share at 0 counts in full, which only adds mass.
        // Above: over the last point and infinity.
        const double share = merged.moment / point(distribution.first) * (1.0 + 16.0 * unit);
        distribution.mass.front() += share;
        distribution.moment.front() += merged.moment * (1.0 + 32.0 * unit);
        distribution.low.moment = 0.0;
        distribution.infinite += top.moment;
        distribution.mass.back() += top.mass;
        distribution.moment.back() =
            distribution.mass.back() * point(distribution.first) *
            std::exp(step_ * static_cast<double>(distribution.mass.size() - 1));
    } else {
        distribution.mass.back() += top.mass;
        distribution.moment.back() += top.moment;
    }
    // One cell is left, and it may lie past the end as well.
    const auto last = static_cast<std::int64_t>(largest_log_ratio / step_);
    if (distribution.first <= last) return;
    distribution.first = last;
    if (side_ == ConvexSide::above) {
        distribution.infinite += distribution.moment[0];
        distribution.moment[0] = distribution.mass[0] * point(last);
    }
}

}  // namespace

LogDistribution log_distribution_of_sum(const SumPayoffs& sum, double scale,
                                        const PositionShift& shift, const LogGrid& grid,
                                        ConvexSide side) {
    return Builder(grid, side).of_sum(sum, scale, shift);
}

}  // namespace assay
