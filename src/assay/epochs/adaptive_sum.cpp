#include "assay/epochs/adaptive_sum.hpp"
#include "assay/numeric/interruption.hpp"

#include <algorithm>
#include <cmath>

namespace assay {

namespace {

constexpr double unit = 0x1p-53;

/// Cell k lies between the points k and k+1: its mass, and the integral of what positions exceed
/// the left point by.
struct Cells {
    explicit Cells(std::size_t count) : mass(count, 0.0), excess(count, 0.0), terms(count, 0) {}
    std::vector<double> mass;
    std::vector<double> excess;
    std::vector<std::size_t> terms;  // how many were added up
};

MassMoment total(const CentredDistribution& distribution) {
    long double mass = 0.0L;
    long double moment = 0.0L;
    for (std::size_t i = 0; i < distribution.mass.size(); ++i) {
        mass += distribution.mass[i];
        moment += distribution.mass[i] * (distribution.mean + distribution.position[i]);
    }
    return {static_cast<double>(mass), static_cast<double>(moment)};
}

MassMoment product(const MassMoment& a, const MassMoment& b) {
    return {a.mass * b.mass, a.moment * b.mass + a.mass * b.moment};
}

void add(MassMoment& sum, const MassMoment& part) {
    sum.mass += part.mass;
    sum.moment += part.moment;
}

/// The cells as atoms: spread over both ends of the cell, or at its barycentre. `error` bounds the
/// relative error of mass and excess.
CentredDistribution settled(const Cells& cells, const CentredGrid& grid, ConvexSide side,
                            double error) {
    CentredDistribution distribution;
    distribution.mean = grid.mean;
    const std::vector<double>& y = grid.points;
    const std::size_t count = cells.mass.size();
    if (side == ConvexSide::above) {
        distribution.position.assign(y.begin(), y.begin() + static_cast<std::ptrdiff_t>(count));
        distribution.mass.assign(count, 0.0);
        for (std::size_t k = 0; k < count; ++k) {
            const double mass = cells.mass[k];
            const double right = std::clamp(cells.excess[k] / (y[k + 1] - y[k]), 0.0, mass);
            const double slack = 4.0 * error * mass;
            distribution.mass[k] += (mass - right) + slack;
            if (k + 1 < count)
                distribution.mass[k + 1] += right + slack;
            else
                add(distribution.top,
                    {right + slack, (right + slack) * (distribution.mean + y[k + 1])});
        }
        return distribution;
    }
    for (std::size_t k = 0; k < count; ++k) {
        if (!(cells.mass[k] > 0.0)) continue;
        const double offset = cells.excess[k] / cells.mass[k];
        distribution.position.push_back(y[k] + std::min(offset, y[k + 1] - y[k]));
        distribution.mass.push_back(cells.mass[k]);
    }
    return distribution;
}

}  // namespace

CentredGrid centred_grid(double mean, double scale, double step, double depth, double top) {
    CentredGrid grid{mean, {}};
    const double lowest = -std::min(mean, depth);
    if (lowest > -mean) grid.points.push_back(-mean);
    const double first = std::asinh(lowest / scale);
    const double last = std::asinh((top - mean) / scale);
    const auto count = static_cast<int>(std::ceil((last - first) / step));
    for (int j = 0; j <= count; ++j)
        grid.points.push_back(j == 0 ? lowest : scale * std::sinh(first + j * step));
    return grid;
}

CentredDistribution centred_lognormal(double noise_multiplier, const CentredGrid& grid,
                                      ConvexSide side) {
    const LognormalCells lognormal(noise_multiplier);
    const std::size_t count = grid.points.size() - 1;
    Cells cells(count);
    // The first point is -1, where the lognormal begins.
    const MassMoment low = lognormal.below(std::log1p(grid.points[1]));
    cells.mass[0] = low.mass;
    cells.excess[0] = low.moment;
    for (std::size_t k = 1; k < count; ++k) {
        allow_interruption(500);
        const double left = std::log1p(grid.points[k]);
        const LognormalCells::Cell cell = lognormal.between(left, std::log1p(grid.points[k + 1]));
        cells.mass[k] = cell.mass;
        cells.excess[k] = cell.excess * (1.0 + grid.points[k]);
    }
    const double last = std::log1p(grid.points.back());
    // How far the cells reach that have any mass.
    double lowest = lognormal.score(std::log1p(grid.points[1]));
    double highest = lowest;
    for (std::size_t k = 1; k <= count && highest < LognormalCells::farthest; ++k) {
        highest = lognormal.score(std::log1p(grid.points[k]));
        if (highest <= -LognormalCells::farthest) lowest = highest;
    }
    const double error = lognormal.rounding(std::max(std::abs(lowest), std::abs(highest)));
    CentredDistribution distribution = settled(cells, grid, side, error);
    add(distribution.top, lognormal.above(last));
    distribution.rounding = {error, 2.0 * error};
    return distribution;
}

CentredDistribution centred_sum(const CentredDistribution& a, const CentredDistribution& b,
                                const CentredGrid& grid, ConvexSide side) {
    const bool same = &a == &b;
    const std::vector<double>& edge = grid.points;
    const std::size_t count = edge.size() - 1;
    Cells cells(count);
    MassMoment top;
    std::size_t top_terms = 0;
    std::size_t start = 0;  // the cell of the sum with the first atom of b
    for (std::size_t i = 0; i < a.position.size(); ++i) {
        allow_interruption((same ? 2 : 4) * b.position.size());
        const double x = a.position[i];
        const double weight = same ? 2.0 * a.mass[i] : a.mass[i];
        const std::size_t end = same ? i : b.position.size();
        while (start < count && x + b.position[0] >= edge[start + 1]) ++start;
        std::size_t k = start;
        std::size_t j = 0;
        while (j < end) {
            double s = x + b.position[j];
            while (k < count && s >= edge[k + 1]) ++k;
            if (k == count) break;
            // A cell's atoms together: its sums need not wait for their own stores.
            MassMoment sums{cells.mass[k], cells.excess[k]};
            const double left = edge[k];
            const double right = edge[k + 1];
            const std::size_t first = j;
            do {
                const double mass = weight * b.mass[j];
                add(sums, {mass, mass * (s - left)});
                ++j;
                if (j < end) s = x + b.position[j];
            } while (j < end && s < right);
            cells.mass[k] = sums.mass;
            cells.excess[k] = sums.moment;
            cells.terms[k] += j - first;
        }
        const auto place = [&](double s, double mass) {
            while (k < count && s >= edge[k + 1]) ++k;
            if (k == count) {
                add(top, {mass, mass * (grid.mean + s)});
                ++top_terms;
            } else {
                cells.mass[k] += mass;
                cells.excess[k] += mass * (s - edge[k]);
                ++cells.terms[k];
            }
        };
        for (; j < end; ++j) place(x + b.position[j], weight * b.mass[j]);
        if (same) place(x + x, a.mass[i] * a.mass[i]);
    }
    // Recursive summation: one unit for each term of the fullest cell, and some for products.
    const std::size_t fullest =
        std::max(top_terms, *std::max_element(cells.terms.begin(), cells.terms.end()));
    const double terms = static_cast<double>(fullest + 64);
    CentredDistribution distribution = settled(cells, grid, side, terms * unit);
    add(distribution.top, top);
    const MassMoment below_a = total(a);
    const MassMoment below_b = total(b);
    add(distribution.top, product(a.top, below_b));
    add(distribution.top, product(below_a, b.top));
    add(distribution.top, product(a.top, b.top));
    distribution.rounding.mass = a.rounding.mass + b.rounding.mass + terms * unit;
    distribution.rounding.position =
        std::max(a.rounding.position, b.rounding.position) + 2.0 * terms * unit;
    return distribution;
}

AtomicDistribution atoms(const CentredDistribution& distribution) {
    AtomicDistribution result;
    result.masses = distribution.mass;
    result.positions = distribution.position;
    for (double& position : result.positions) position += distribution.mean;
    result.above = distribution.top;
    return result;
}

}  // namespace assay
