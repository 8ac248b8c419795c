#include "assay/pld/geometric_products.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>

#include "assay/numeric/interruption.hpp"
#include "assay/numeric/vector_clones.hpp"
#include "assay/numeric/window_sums.hpp"

namespace assay {

namespace {

using Parts = std::array<const double*, WindowParts::most>;

/// out[i] += a[i] (b[0][i] + b[1][i] + ..)
template <std::size_t parts>
ASSAY_INLINE void add_products_of(double* __restrict out, const double* __restrict a,
                                  const Parts& b, std::size_t count) {
    const double* __restrict b0 = b[0];
    const double* __restrict b1 = b[parts > 1 ? 1 : 0];
    const double* __restrict b2 = b[parts > 2 ? 2 : 0];
    for (std::size_t i = 0; i < count; ++i) {
        double sum = b0[i];
        if constexpr (parts > 1) sum += b1[i];
        if constexpr (parts > 2) sum += b2[i];
        out[i] += a[i] * sum;
    }
}

ASSAY_VECTOR_CLONES
void add_products(double* out, const double* a, const Parts& b, std::size_t parts,
                  std::size_t count) {
    switch (parts) {
        case 1: add_products_of<1>(out, a, b, count); break;
        case 2: add_products_of<2>(out, a, b, count); break;
        case 3: add_products_of<3>(out, a, b, count); break;
        default: break;
    }
}

/// Passes whose products are added up apart before they are added to the totals, so that no sum
/// has many more additions than the square root of their number.
constexpr int together = 32;

}  // namespace

struct GeometricProducts::Factor {
    const std::vector<double>& mass;
    std::vector<double> twice;  // every unordered pair of different cells counts twice
    WindowSums windows;
    int first;  // cells that hold anything; first > last if none
    int last;
};

/// Sums of products by cells, cell 0 of the grid at `front`.
struct GeometricProducts::Sums {
    Sums(std::size_t before, std::size_t count)
        : front(before), group(count, 0.0), total(count, 0.0) {}

    void add(std::ptrdiff_t cell, const double* a, const Parts& b, std::size_t parts,
             std::size_t count) {
        add_products(group.data() + static_cast<std::ptrdiff_t>(front) + cell, a, b, parts, count);
        if (++passes == together) drain();
    }
    void drain() {
        for (std::size_t i = 0; i < group.size(); ++i) total[i] += group[i];
        std::fill(group.begin(), group.end(), 0.0);
        passes = 0;
    }
    /// Into `cells`, those beyond the grid into its last; returns what is below cell `kept`.
    double gather(std::vector<double>& cells, int kept) {
        drain();
        const auto from = total.begin() + static_cast<std::ptrdiff_t>(front) + kept;
        const auto to = total.begin() + static_cast<std::ptrdiff_t>(front + cells.size());
        std::copy(from, to, cells.begin() + kept);
        cells.back() += static_cast<double>(std::accumulate(to, total.end(), real{0.0L}));
        return static_cast<double>(std::accumulate(total.begin(), from, real{0.0L}));
    }

    std::size_t front;
    std::vector<double> group;
    std::vector<double> total;
    int passes = 0;
};

GeometricProducts::GeometricProducts(const GeometricGrid& grid, Direction direction, int kept)
    : runs_(grid.runs(direction)), size_(grid.size), per_doubling_(grid.per_doubling), kept_(kept) {
    for (const auto* runs : {&runs_.sums, &runs_.differences})
        for (const DistanceRun& run : *runs) {
            const int width = run.last - run.first + 1;
            longest_ = std::max(longest_, width);
            passes_ += passes_of(width);
        }
}

double GeometricProducts::roundings() const {
    // A window's sum passes through one addition a level and two of parts, a total through those of
    // one group, one a group, and few of far pairs and of what is gathered.
    const auto groups = passes_ / together;
    return together + static_cast<double>(groups) + static_cast<double>(levels_of(longest_)) + 12.0;
}

double GeometricProducts::operations() const {
    return 2.0 * static_cast<double>(size_) * static_cast<double>(passes_ + 4);
}

GeometricProducts::Factor GeometricProducts::factor(const std::vector<double>& masses) const {
    Factor factor{masses, masses, {}, 0, size_ - 1};
    for (double& x : factor.twice) x += x;
    const auto lead = static_cast<std::ptrdiff_t>(longest_);
    const std::span<double> room =
        factor.windows.prepare(masses.size() + static_cast<std::size_t>(longest_), longest_);
    std::fill(room.begin(), room.begin() + lead, 0.0);
    std::copy(masses.begin(), masses.end(), room.begin() + lead);
    factor.windows.add_up();
    const auto empty = [&](int k) { return masses[static_cast<std::size_t>(k)] == 0.0; };
    while (factor.last >= 0 && empty(factor.last)) --factor.last;
    while (factor.first <= factor.last && empty(factor.first)) ++factor.first;
    return factor;
}

void GeometricProducts::add_equal(const Factor& factor, Sums& out) const {
    if (factor.first > factor.last) return;
    const double* mass = factor.mass.data() + factor.first;
    out.add(factor.first + per_doubling_, mass, {mass}, 1,
            static_cast<std::size_t>(factor.last - factor.first + 1));
}

void GeometricProducts::add_runs(const Factor& large, const Factor& small,
                                 const std::vector<DistanceRun>& runs, Sums& out) const {
    if (small.first > small.last || large.first > large.last) return;
    const int length = large.last - large.first + 1;
    for (const DistanceRun& run : runs) {
        allow_interruption(static_cast<std::uint64_t>(length));
        const int from = std::max(large.first, small.first + run.first);
        const int to = std::min(large.last, small.last + run.last);
        if (from > to) continue;
        for_each_pass(run.first, run.last - run.first + 1, [&](const WindowParts& parts) {
            Parts windows{};
            for (std::size_t k = 0; k < parts.count; ++k) {
                const auto [level, distance] = parts.part[k];
                windows[k] = small.windows.ending_at(level) + (longest_ + from - distance);
            }
            out.add(from + run.shift, large.twice.data() + from, windows, parts.count,
                    static_cast<std::size_t>(to - from + 1));
        });
    }
}

/// large[i] times `head` and everything in small[j], j <= i - distance, into cell i + shift.
void GeometricProducts::add_far(const Factor& large, const Factor& small, int distance, int shift,
                                double head, std::vector<double>& cells, double& low) const {
    real sum = head;
    real below = 0.0L;
    for (int i = 0; i <= large.last; ++i) {
        if (i >= distance) sum += small.mass[static_cast<std::size_t>(i - distance)];
        const double product = large.twice[static_cast<std::size_t>(i)] * static_cast<double>(sum);
        const int k = i + shift;
        if (k < kept_)
            below += product;
        else
            cells[static_cast<std::size_t>(k)] += product;
    }
    low += static_cast<double>(below);
}

CellMasses GeometricProducts::squared(const CellMasses& masses) const {
    const Factor gains = factor(masses.gains);
    const Factor costs = factor(masses.costs);
    const auto after = [](const std::vector<DistanceRun>& runs) {
        return runs.empty() ? 1 : runs.back().last + 1;
    };
    const auto front = static_cast<std::size_t>(
        runs_.differences.empty() ? 1 : std::max(1, -runs_.differences.front().shift));
    const std::size_t count = front + static_cast<std::size_t>(size_ + per_doubling_);
    const auto sign = [&](const Factor& same, const Factor& other, std::vector<double>& cells) {
        cells.assign(static_cast<std::size_t>(size_), 0.0);
        Sums sums(front, count);
        add_equal(same, sums);
        add_runs(same, same, runs_.sums, sums);
        add_runs(same, other, runs_.differences, sums);
        double low = sums.gather(cells, kept_);
        add_far(same, same, after(runs_.sums), 0, masses.one, cells, low);
        add_far(same, other, after(runs_.differences), runs_.far_difference, 0.0, cells, low);
        return low;
    };
    CellMasses result;
    result.small_gain = sign(gains, costs, result.gains);
    result.small_cost = sign(costs, gains, result.costs);
    // A gain and a cost of the same size cancel: exactly in an upper distribution.
    real cancelled = 0.0L;
    for (std::size_t k = 0; k < masses.gains.size(); ++k)
        cancelled += static_cast<real>(gains.twice[k]) * static_cast<real>(masses.costs[k]);
    result.one = masses.one * masses.one + static_cast<double>(cancelled);
    return result;
}

}  // namespace assay
