#include "assay/pld/discretise.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "assay/numeric/errors.hpp"

namespace assay {

namespace {

constexpr double u = 0x1p-53;

/// The points e^{offset + step k} of a range, each within (1 + |exponent|) u of its exact value.
class Points {
public:
    Points(const PrivacyLossPmf& pmf, std::int64_t first, std::int64_t last) : first_(first) {
        values_.reserve(static_cast<std::size_t>(last - first + 1));
        for (std::int64_t k = first; k <= last; ++k)
            values_.push_back(std::exp(pmf.offset + pmf.step * static_cast<double>(k)));
    }
    [[nodiscard]] double operator[](std::int64_t k) const {
        return values_[static_cast<std::size_t>(k - first_)];
    }

private:
    std::int64_t first_;
    std::vector<double> values_;
};

/// Atoms [from, to) whose mass counts; the rest went to the ends.
struct Kept {
    std::size_t from = 0;
    std::size_t to = 0;
    double lost_p = 0.0;
    double lost_q = 0.0;
    void lose(const RatioAtoms& atoms, std::size_t i) {
        lost_p += atoms.under_p[i];
        lost_q += atoms.under_q[i];
    }
};

Kept keep(const RatioAtoms& atoms, const LossGrid& grid) {
    Kept kept{0, atoms.under_q.size(), 0.0, 0.0};
    const auto loss = [&](std::size_t i) { return std::log(atoms.under_p[i] / atoms.under_q[i]); };
    for (double above = 0.0; kept.to > 0; --kept.to) {
        above += atoms.under_p[kept.to - 1];
        if (above > grid.negligible && loss(kept.to - 1) <= grid.widest) break;
        kept.lose(atoms, kept.to - 1);
    }
    for (double below = 0.0; kept.from < kept.to; ++kept.from) {
        below += atoms.under_q[kept.from];
        if (below > grid.negligible && loss(kept.from) >= -grid.widest) break;
        kept.lose(atoms, kept.from);
    }
    return kept;
}

/// The grid is laid through the barycentre of what lies within `radius` of the heaviest atom, first
/// half a step: a distribution much narrower than the step then keeps its mean and its large
/// losses.
double anchor(const RatioAtoms& atoms, const Kept& kept, double radius) {
    std::size_t heaviest = kept.from;
    for (std::size_t i = kept.from; i < kept.to; ++i)
        if (atoms.under_q[i] > atoms.under_q[heaviest]) heaviest = i;
    if (kept.from == kept.to) return 0.0;
    const double centre = atoms.under_p[heaviest] / atoms.under_q[heaviest];
    const double low = centre * std::exp(-radius);
    const double high = centre * std::exp(radius);
    double q = 0.0;
    double p = 0.0;
    for (std::size_t i = kept.from; i < kept.to; ++i) {
        const double ratio = atoms.under_p[i] / atoms.under_q[i];
        if (i != heaviest && (ratio < low || ratio > high)) continue;
        q += atoms.under_q[i];
        p += atoms.under_p[i];
    }
    return std::log(p / q);
}

struct Range {
    std::int64_t first = 0;
    std::int64_t last = 0;
};

Range index_range(const RatioAtoms& atoms, const Kept& kept, const PrivacyLossPmf& pmf) {
    double lowest = std::numeric_limits<double>::infinity();
    double highest = -lowest;
    for (std::size_t i = kept.from; i < kept.to; ++i) {
        const double ratio = atoms.under_p[i] / atoms.under_q[i];
        lowest = std::min(lowest, ratio);
        highest = std::max(highest, ratio);
    }
    if (kept.from == kept.to) return {0, 0};
    // One point of slack on either side makes rounding of the logarithm harmless.
    return {static_cast<std::int64_t>(std::floor((std::log(lowest) - pmf.offset) / pmf.step)) - 2,
            static_cast<std::int64_t>(std::ceil((std::log(highest) - pmf.offset) / pmf.step)) + 2};
}

/// Ratios this close count as equal.
constexpr double on_point = 16.0 * u;

/// Both return the largest number of terms in one entry, for `merge` what roundings they stand for.
double split(const RatioAtoms& atoms, const Kept& kept, PrivacyLossPmf& pmf, const Range& range) {
    std::vector<int> terms(pmf.masses.size(), 0);
    const Points point(pmf, range.first, range.last);
    for (std::size_t i = kept.from; i < kept.to; ++i) {
        const double q = atoms.under_q[i];
        const double ratio = atoms.under_p[i] / q;
        auto k = static_cast<std::int64_t>(std::floor((std::log(ratio) - pmf.offset) / pmf.step));
        k = std::clamp(k, range.first, range.last - 1);
        if (ratio < point[k] && k > range.first) --k;
        if (ratio > point[k + 1] && k + 1 < range.last) ++k;
        const double right =
            std::clamp(q * ((ratio - point[k]) / (point[k + 1] - point[k])), 0.0, q);
        const auto left = static_cast<std::size_t>(k - range.first);
        pmf.masses[left] += q - right;
        pmf.masses[left + 1] += right;
        ++terms[left];
        ++terms[left + 1];
    }
    return *std::max_element(terms.begin(), terms.end());
}

/// A difference keeps at least this part of what it was taken from, or is dropped.
constexpr double least_rest = 0x1p-20;

/// Groups of less mass are dropped.
constexpr double negligible_group = 1e-12;

/// A group (q, p) whose barycentre lies above the point `to` is merged with mass of the points
/// below it until the barycentre is `to`. Returns by how much the roundings of the masses grew; 0
/// where there is not enough mass below, and nothing was done.
double balance(PrivacyLossPmf& pmf, const Points& point, std::int64_t first, std::int64_t to,
               double q, double p) {
    double need = p - q * point[to];
    double available = 0.0;
    for (std::int64_t k = first; k < to; ++k)
        available += pmf.masses[static_cast<std::size_t>(k - first)] * (point[to] - point[k]);
    if (!(need >= 0.0) || available < need) return 0.0;
    double growth = 1.0;
    int points = 0;
    for (std::int64_t k = to - 1; k >= first && need > 0.0; --k, ++points) {
        double& mass = pmf.masses[static_cast<std::size_t>(k - first)];
        const double distance = point[to] - point[k];
        const double taken = std::min(mass, need / distance);
        const double rest = mass - taken;
        need -= taken * distance;
        q += taken;
        if (rest > least_rest * mass) growth = std::max(growth, mass / rest);
        mass = rest > least_rest * mass ? rest : 0.0;
    }
    pmf.masses[static_cast<std::size_t>(to - first)] += q;
    return 4.0 * growth * (points + 8.0);
}

double merge(const RatioAtoms& atoms, const Kept& kept, PrivacyLossPmf& pmf, const Range& range) {
    const Points point(pmf, range.first, range.last);
    // What waits to be placed, and the grid point it is meant for: the first one above.
    double q = 0.0;
    double p = 0.0;
    int terms = 0;
    int most_terms = 0;
    std::int64_t target = range.first;
    const auto place = [&](double mass) {
        pmf.masses[static_cast<std::size_t>(target - range.first)] += mass;
        q = p = 0.0;
        most_terms = std::max(most_terms, terms + 1);
        terms = 0;
    };
    for (std::size_t i = kept.from; i < kept.to; ++i) {
        double more_q = atoms.under_q[i];
        const double ratio = atoms.under_p[i] / more_q;
        if (q > 0.0 && ratio > point[target]) {
            // The part x of the atom that moves the barycentre onto the point:
            // (p + x ratio)/(q + x) = point.
            const double part = std::max(0.0, q * point[target] - p) / (ratio - point[target]);
            if (part <= more_q) {
                more_q -= part;
                place(q + part);
            }
        }
        if (more_q <= 0.0) continue;
        if (q == 0.0) {
            const double k = std::floor((std::log(ratio) - pmf.offset) / pmf.step);
            target = std::clamp(static_cast<std::int64_t>(k), range.first, range.last);
        }
        q += more_q;
        p += more_q * ratio;
        ++terms;
        // The barycentre may by now lie beyond the point: then the next one. Within rounding of a
        // point it is on it.
        while (target < range.last && p > q * point[target] * (1.0 + on_point)) ++target;
        if (p >= q * point[target] * (1.0 - on_point)) place(q);
    }
    // The last group has nothing above to balance it: what lies below does, or it is dropped.
    if (q + p <= negligible_group || target == range.first) return most_terms;
    const double growth = balance(pmf, point, range.first, target - 1, q, p);
    return growth > 0.0 ? growth * (most_terms + terms + 1.0) : most_terms;
}

void finish(PrivacyLossPmf& pmf) {
    std::size_t from = 0;
    std::size_t to = pmf.masses.size();
    while (to > 1 && pmf.masses[to - 1] == 0.0) --to;
    while (from + 1 < to && pmf.masses[from] == 0.0) ++from;
    pmf.masses.erase(pmf.masses.begin() + static_cast<std::ptrdiff_t>(to), pmf.masses.end());
    pmf.masses.erase(pmf.masses.begin(), pmf.masses.begin() + static_cast<std::ptrdiff_t>(from));
    pmf.first += static_cast<std::int64_t>(from);
}

void check(const LossGrid& grid) {
    require(grid.step > 0.0 && grid.step == short_step(grid.step), "grid step", grid.step,
            "a positive number of at most 12 significant bits");
    require(grid.widest > 0.0 && grid.widest <= 650.0, "widest", grid.widest, "0 < widest <= 650");
    require(grid.negligible >= 0.0 && grid.negligible < 1.0, "negligible", grid.negligible,
            "0 <= negligible < 1");
}

PrivacyLossPmf place(const RatioAtoms& atoms, Adjacency adjacency, const LossGrid& grid,
                     const Kept& kept, double offset) {
    PrivacyLossPmf pmf;
    pmf.direction = atoms.direction;
    pmf.adjacency = adjacency;
    pmf.step = grid.step;
    pmf.offset = offset;
    const Range range = index_range(atoms, kept, pmf);
    pmf.first = range.first;
    pmf.masses.assign(static_cast<std::size_t>(range.last - range.first + 1), 0.0);
    const bool upper = atoms.direction == Direction::upper;
    const double terms = upper ? split(atoms, kept, pmf, range) : merge(atoms, kept, pmf, range);
    // Each term is off by a few roundings, and so is the ratio that it stands for.
    pmf.mass_error = atoms.mass_error + (terms + 8.0) * u;
    pmf.loss_error = atoms.loss_error + (2.0 * terms + 2.0 * grid.widest + 32.0) * u;
    if (upper) {
        // Whatever leaves counts in full on both sides; one addition an atom.
        const double sums = 1.0 + (static_cast<double>(atoms.under_q.size()) + 8.0) * 2.0 * u;
        pmf.infinity_mass = (atoms.infinity_mass + kept.lost_p) * sums;
        pmf.null_mass = (atoms.null_mass + kept.lost_q) * sums;
    }
    finish(pmf);
    return pmf;
}

/// So little mass may be dropped, relative to all, that thousands of factors do not show it.
constexpr double hardly_dropped = 1e-9;

}  // namespace

double LossGrid::deviations() const {
    return std::sqrt(-2.0 * std::log(std::max(negligible, 1e-300))) + 0.25;
}

double short_step(double x) {
    require(x > 1e-12 && x <= 16.0, "grid step", x, "1e-12 < step <= 16");
    int exponent = 0;
    const double significand = std::frexp(x, &exponent);
    return std::ldexp(std::floor(significand * 4096.0), exponent - 12);
}

PrivacyLossPmf discretise(const RatioAtoms& atoms, Adjacency adjacency, const LossGrid& grid) {
    check(grid);
    const Kept kept = keep(atoms, grid);
    if (atoms.direction != Direction::lower)
        return place(atoms, adjacency, grid, kept, anchor(atoms, kept, 0.5 * grid.step));
    // What merging drops of a distribution hardly wider than the step depends on where the grid
    // lies; laid through the mean of all, it drops nothing.
    double all = 0.0;
    for (std::size_t i = kept.from; i < kept.to; ++i) all += atoms.under_q[i];
    PrivacyLossPmf best;
    double least = std::numeric_limits<double>::infinity();
    for (const double radius : {0.5 * grid.step, 4.0 * grid.step, 2.0 * grid.widest}) {
        PrivacyLossPmf pmf = place(atoms, adjacency, grid, kept, anchor(atoms, kept, radius));
        const double dropped = all - std::accumulate(pmf.masses.begin(), pmf.masses.end(), 0.0);
        if (dropped < least) {
            least = dropped;
            best = std::move(pmf);
        }
        if (least <= hardly_dropped * all) break;
    }
    return best;
}

PrivacyLossPmf discretise_at(const RatioAtoms& atoms, Adjacency adjacency, const LossGrid& grid,
                             double offset) {
    check(grid);
    return place(atoms, adjacency, grid, keep(atoms, grid), offset);
}

PairCells divide(const DominatingPair& pair, const LossGrid& grid) {
    check(grid);
    const LossRange loss = loss_range(pair, static_cast<real>(grid.deviations()));
    const auto widest = static_cast<real>(grid.widest);
    const auto step = static_cast<real>(grid.step);
    PairCells cells;
    cells.grid = grid;
    cells.first = static_cast<std::int64_t>(std::floor(std::max(loss.lowest, -widest) / step));
    const auto last = static_cast<std::int64_t>(std::ceil(std::min(loss.highest, widest) / step));
    std::vector<real> boundaries{-std::numeric_limits<real>::infinity()};
    for (std::int64_t k = cells.first; k <= last; ++k)
        boundaries.push_back(static_cast<real>(k) * step);
    boundaries.push_back(std::numeric_limits<real>::infinity());
    cells.masses = interval_masses(pair, boundaries);
    cells.beyond = mass_beyond(pair);
    cells.at_one = static_cast<double>(mass_at_one(pair));
    return cells;
}

PrivacyLossPmf discretise(const PairCells& cells, Adjacency adjacency, Direction direction) {
    require(direction != Direction::estimate, "direction", 0.0, "upper or lower");
    const LossGrid& grid = cells.grid;
    RatioAtoms atoms;
    atoms.direction = direction;
    if (direction == Direction::upper) {
        atoms.infinity_mass = static_cast<double>(cells.beyond.under_p);
        atoms.null_mass = static_cast<double>(cells.beyond.under_q);
    }
    // What is too small for its digits leaves for good.
    const auto leave = [&](double q, double p) {
        if (direction == Direction::lower) return;
        atoms.infinity_mass += p;
        atoms.null_mass += q;
    };
    const auto add = [&](double q, double ratio) {
        if (q < least_mass || q * ratio < least_mass) return leave(q, q * ratio);
        atoms.under_q.push_back(q);
        atoms.under_p.push_back(q * ratio);
    };
    const auto point = [&](std::int64_t k) { return std::exp(grid.step * static_cast<double>(k)); };
    const std::size_t count = cells.masses.size();
    for (std::size_t i = 0; i < count; ++i) {
        const auto q = static_cast<double>(cells.masses[i].under_q);
        const auto p = static_cast<double>(cells.masses[i].under_p);
        const std::int64_t k = cells.first + static_cast<std::int64_t>(i);  // the cell's upper end
        if (k == 1 || (i == 0 && k > 1)) add(cells.at_one, 1.0);
        if (q < least_mass || p < least_mass) {
            leave(q, p);
        } else if (direction == Direction::lower) {
            add(q, p / q);
        } else if (i == 0) {
            const double reached = std::min(q, p / point(k));
            add(reached, point(k));
            atoms.null_mass += q - reached;
        } else if (i + 1 == count) {
            add(q, point(k - 1));
            atoms.infinity_mass += std::max(0.0, p - q * point(k - 1));
        } else {
            const double left = point(k - 1);
            const double right = point(k);
            const double up = std::clamp((p - q * left) / (right - left), 0.0, q);
            add(q - up, left);
            add(up, right);
        }
    }
    if (direction == Direction::upper) {
        // Each underflow costs 2^-1075 of a mass, which counts e^{largest loss}-fold at most; three
        // a cell, and one addition to a mass that leaves.
        const auto size = static_cast<double>(count);
        const double largest =
            std::max(1.0, point(cells.first + static_cast<std::int64_t>(count) - 2));
        const double lost = 4.0 * size * largest * std::numeric_limits<double>::denorm_min();
        atoms.infinity_mass = (atoms.infinity_mass + lost) * (1.0 + 8.0 * size * u);
        atoms.null_mass = (atoms.null_mass + lost) * (1.0 + 8.0 * size * u);
    }
    atoms.mass_error = pair_mass_error + 16.0 * u;
    atoms.loss_error = 2.0 * pair_mass_error + 16.0 * u;
    if (direction == Direction::lower) return discretise(atoms, adjacency, grid);
    return place(atoms, adjacency, grid, keep(atoms, grid), 0.0);
}

PrivacyLossPmf discretise(const DominatingPair& pair, Adjacency adjacency, Direction direction,
                          const LossGrid& grid) {
    return discretise(divide(pair, grid), adjacency, direction);
}

}  // namespace assay
