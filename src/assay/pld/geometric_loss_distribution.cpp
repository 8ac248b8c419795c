#include "assay/pld/geometric_loss_distribution.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "assay/numeric/errors.hpp"
#include "assay/numeric/interruption.hpp"
#include "assay/numeric/vector_clones.hpp"

namespace assay {

namespace {

constexpr double u = 0x1p-53;

/// out[i] += a[i] b[i] for masses under Q and under P alike.
ASSAY_VECTOR_CLONES void add_products(double* __restrict out_q, double* __restrict out_p,
                                      const double* __restrict aq, const double* __restrict ap,
                                      const double* __restrict bq, const double* __restrict bp,
                                      int count) {
    for (int i = 0; i < count; ++i) {
        out_q[i] += aq[i] * bq[i];
        out_p[i] += ap[i] * bp[i];
    }
}

/// Sums are kept apart for so many distances before they are added to the totals, so that no entry
/// passes through more than `together` + (number of groups) additions.
constexpr int together = 16;

}  // namespace

std::shared_ptr<const GeometricGrid> geometric_grid(double floor, double top, double spacing) {
    require(floor > 0.0 && floor < top, "floor", floor, "0 < floor < top");
    require(top <= 650.0, "largest loss", top, "at most 650 nats");
    require(spacing > 0.0 && spacing <= 0.7, "spacing", spacing, "0 < spacing <= 0.7");
    require(floor * spacing >= 0x1p-47, "floor", floor,
            "so large that exponentials of neighbouring points differ");
    auto grid = std::make_shared<GeometricGrid>();
    grid->floor = floor;
    grid->per_doubling = static_cast<int>(std::ceil(std::numbers::ln2 / spacing));
    // The last point lies up to two beyond the top, and its exponential is finite.
    const double last = top * std::exp2(2.0 / grid->per_doubling);
    require(last <= 700.0, "largest loss", last,
            "at most 700 nats, two grid points beyond the top");
    grid->size = 2 + static_cast<int>(std::ceil(std::log2(top / floor) * grid->per_doubling));
    for (int k = 0; k < grid->size; ++k) {
        const real loss = static_cast<real>(floor) *
                          std::exp2(static_cast<real>(k) / static_cast<real>(grid->per_doubling));
        grid->gain.push_back(static_cast<double>(std::exp(loss)));
        grid->cost.push_back(static_cast<double>(std::exp(-loss)));
    }
    return grid;
}

struct GeometricLossDistribution::Cells {
    explicit Cells(int size)
        : gains{std::vector<double>(static_cast<std::size_t>(size), 0.0),
                std::vector<double>(static_cast<std::size_t>(size), 0.0)},
          costs(gains) {}

    Side gains;
    Side costs;
    Mass small_gain;  // between ratio 1 and the smallest gain
    Mass small_cost;
    Mass one;
};

GeometricLossDistribution::GeometricLossDistribution(const DominatingPair& pair,
                                                     std::shared_ptr<const GeometricGrid> grid,
                                                     Direction direction)
    : grid_(std::move(grid)), direction_(direction) {
    const int n = grid_->size;
    std::vector<real> boundaries;
    boundaries.reserve(2 * static_cast<std::size_t>(n) + 3);
    constexpr real infinity = std::numeric_limits<real>::infinity();
    const auto loss = [&](int k) {
        return std::log(static_cast<real>(grid_->gain[static_cast<std::size_t>(k)]));
    };
    const auto small = [&](int k) {
        return std::log(static_cast<real>(grid_->cost[static_cast<std::size_t>(k)]));
    };
    boundaries.push_back(-infinity);
    for (int k = n - 1; k >= 0; --k) boundaries.push_back(small(k));
    boundaries.push_back(0.0L);
    for (int k = 0; k < n; ++k) boundaries.push_back(loss(k));
    boundaries.push_back(infinity);
    const std::vector<PairMass> masses = interval_masses(pair, boundaries);
    Cells cells(n);
    const auto at = [&](std::size_t i) {
        return Mass{static_cast<double>(masses[i].under_q), static_cast<double>(masses[i].under_p)};
    };
    const auto size = static_cast<std::size_t>(n);
    for (std::size_t k = 0; k < size; ++k) {
        const Mass cost = at(size - 1 - k);
        cells.costs.q[k] = cost.q;
        cells.costs.p[k] = cost.p;
        const Mass gain = at(size + 2 + k);
        cells.gains.q[k] = gain.q;
        cells.gains.p[k] = gain.p;
    }
    cells.small_cost = at(size);
    cells.small_gain = at(size + 1);
    const auto atom = static_cast<double>(mass_at_one(pair));
    cells.one = {atom, atom};
    if (direction_ == Direction::upper) {
        const PairMass beyond = mass_beyond(pair);
        infinity_mass_ = static_cast<double>(beyond.under_p);
        null_mass_ = static_cast<double>(beyond.under_q);
    }
    mass_error_ = pair_mass_error + 4.0 * u;
    loss_error_ = 2.0 * (pair_mass_error + 4.0 * u);
    settle(cells, 2.0 * static_cast<double>(masses.size()));
}

/// Finite masses, from above; without their rounding `mass_error_`.
GeometricLossDistribution::Mass GeometricLossDistribution::finite_mass() const {
    Mass sum = one_;
    for (const Side* side : {&gains_, &costs_})
        for (std::size_t k = 0; k < side->q.size(); ++k) sum.add(side->q[k], side->p[k]);
    const double roundings = (2.0 * static_cast<double>(grid_->size) + 2.0) * u;
    return {sum.q * (1.0 + roundings), sum.p * (1.0 + roundings)};
}

/// A mass leaves as an unbounded ratio where it counts in full: safely on either side.
void GeometricLossDistribution::escape(double& q, double& p) {
    if (direction_ == Direction::upper) {
        infinity_mass_ += p;
        null_mass_ += q;
    }
    q = p = 0.0;
}

/// Masses that may have lost digits to underflow.
void GeometricLossDistribution::drop_small(Side& side) {
    for (std::size_t k = 0; k < side.q.size(); ++k)
        if (side.q[k] < least_mass || side.p[k] < least_mass) escape(side.q[k], side.p[k]);
}

void GeometricLossDistribution::settle(Cells& cells, double operations) {
    drop_small(cells.gains);
    drop_small(cells.costs);
    for (Mass* mass : {&cells.small_gain, &cells.small_cost, &cells.one})
        if (mass->q < least_mass || mass->p < least_mass) escape(mass->q, mass->p);
    gains_ = Side{std::vector<double>(cells.gains.q.size(), 0.0),
                  std::vector<double>(cells.gains.q.size(), 0.0)};
    costs_ = gains_;
    if (direction_ == Direction::upper)
        settle_upper(cells);
    else
        settle_lower(cells);
    // A split or a merger: at most eight roundings of a mass or of a barycentre.
    mass_error_ += 8.0 * u;
    loss_error_ += 8.0 * u;
    // Masses that would only slow the arithmetic down leave as well.
    constexpr double tiny = 1e-60;
    for (Side* side : {&gains_, &costs_}) {
        drop_small(*side);
        for (std::size_t k = 0; k < side->q.size(); ++k)
            if (side->q[k] < tiny && side->p[k] < tiny) escape(side->q[k], side->p[k]);
    }
    if (direction_ == Direction::upper) {
        // Each underflow costs 2^-1075 of a mass, which counts e^{largest loss}-fold at most; a
        // split adds three a cell.
        const double lost = (operations + 8.0 * static_cast<double>(grid_->size)) *
                            grid_->gain.back() * std::numeric_limits<double>::denorm_min();
        const double additions = 16.0 * static_cast<double>(grid_->size) * u;
        infinity_mass_ = (infinity_mass_ + lost) * (1.0 + additions);
        null_mass_ = (null_mass_ + lost) * (1.0 + additions);
    }
}

void GeometricLossDistribution::settle_lower(const Cells& cells) {
    gains_ = cells.gains;
    costs_ = cells.costs;
    one_ = cells.one;
    one_.add(cells.small_gain.q, cells.small_gain.p);
    one_.add(cells.small_cost.q, cells.small_cost.p);
}

void GeometricLossDistribution::settle_upper(const Cells& cells) {
    const auto n = static_cast<std::size_t>(grid_->size);
    const std::vector<double>& gain = grid_->gain;
    const std::vector<double>& cost = grid_->cost;
    // Mean-preserving: mass q with barycentre p/q in [left, right].
    const auto right_part = [](double q, double p, double left, double right) {
        return std::clamp((p - q * left) / (right - left), 0.0, q);
    };
    one_ = cells.one;
    const auto kept = static_cast<std::size_t>(smallest_);
    for (std::size_t k = kept; k + 1 < n; ++k) {
        const double up = right_part(cells.gains.q[k], cells.gains.p[k], gain[k], gain[k + 1]);
        gains_.q[k] += cells.gains.q[k] - up;
        gains_.q[k + 1] += up;
        const double down = right_part(cells.costs.q[k], cells.costs.p[k], cost[k + 1], cost[k]);
        costs_.q[k] += down;
        costs_.q[k + 1] += cells.costs.q[k] - down;
    }
    const double high = right_part(cells.small_gain.q, cells.small_gain.p, 1.0, gain[kept]);
    gains_.q[kept] += high;
    const double near = right_part(cells.small_cost.q, cells.small_cost.p, cost[kept], 1.0);
    costs_.q[kept] += cells.small_cost.q - near;
    one_.q += (cells.small_gain.q - high) + near;
    // Above the top: the mass stays there, the rest of the mean goes to infinity; and the mirror.
    gains_.q[n - 1] += cells.gains.q[n - 1];
    infinity_mass_ += std::max(0.0, cells.gains.p[n - 1] - cells.gains.q[n - 1] * gain[n - 1]);
    const double reached = std::min(cells.costs.q[n - 1], cells.costs.p[n - 1] / cost[n - 1]);
    costs_.q[n - 1] += reached;
    null_mass_ += cells.costs.q[n - 1] - reached;
    for (std::size_t k = kept; k < n; ++k) {
        gains_.p[k] = gains_.q[k] * gain[k];
        costs_.p[k] = costs_.q[k] * cost[k];
    }
    one_.p = one_.q;
}

/// Adds the products of all pairs of cells to the cells of the result.
struct GeometricLossDistribution::Doubling {
    const GeometricLossDistribution& distribution;
    int kept;
    int n = distribution.grid_->size;
    Cells cells{n};
    Cells group{n};
    int additions = 0;

    // The distance beyond which the smaller of two losses no longer changes the cell; the offset of
    // sums (>= 0) and of differences (<= 0) before it. A lower distribution counts from cell
    // centres.
    [[nodiscard]] int offset(int distance, bool sum) const {
        const auto m = static_cast<real>(distribution.grid_->per_doubling);
        const real ratio = std::exp2(-static_cast<real>(distance) / m);
        const real exact = m * std::log2(sum ? 1.0L + ratio : 1.0L - ratio);
        return static_cast<int>(
            std::floor(distribution.direction_ == Direction::lower ? exact + 0.5L : exact));
    }

    static double twice(double x) { return x + x; }

    /// [first, last] of the cells that hold anything; first > last if none.
    struct Range {
        int first;
        int last;
    };
    [[nodiscard]] Range range(const Side& side) const {
        Range r{0, n - 1};
        while (r.last >= 0 && side.q[static_cast<std::size_t>(r.last)] == 0.0) --r.last;
        while (r.first <= r.last && side.q[static_cast<std::size_t>(r.first)] == 0.0) ++r.first;
        return r;
    }

    /// large[i] times small[i - distance], into out[i + shift], out of range into the end cells.
    void add_distance(Side& out, Mass& below, const Side& large, Range lr, const Side& small,
                      Range sr, int distance, int shift) {
        const int from = std::max(lr.first, sr.first + distance);
        const int to = std::min(lr.last, sr.last + distance);
        const int inside_from = std::max(from, kept - shift);
        const int inside_to = std::min(to, n - 1 - shift);
        const auto sum = [&](int first, int last) {
            real q = 0.0L;
            real p = 0.0L;
            for (int i = first; i <= last; ++i) {
                const auto a = static_cast<std::size_t>(i);
                const auto b = static_cast<std::size_t>(i - distance);
                q += static_cast<real>(large.q[a]) * static_cast<real>(small.q[b]);
                p += static_cast<real>(large.p[a]) * static_cast<real>(small.p[b]);
            }
            return Mass{static_cast<double>(q), static_cast<double>(p)};
        };
        const Mass low = sum(from, std::min(to, inside_from - 1));
        below.add(low.q, low.p);
        if (inside_from <= inside_to) {
            const auto a = static_cast<std::size_t>(inside_from);
            const auto b = static_cast<std::size_t>(inside_from - distance);
            const auto o = static_cast<std::size_t>(inside_from) + static_cast<std::size_t>(shift);
            add_products(&out.q[o], &out.p[o], &large.q[a], &large.p[a], &small.q[b], &small.p[b],
                         inside_to - inside_from + 1);
        }
        const Mass high = sum(std::max(from, inside_to + 1), to);
        out.q[static_cast<std::size_t>(n - 1)] += high.q;
        out.p[static_cast<std::size_t>(n - 1)] += high.p;
    }

    /// large[i] times everything in `head` and in small[j], j <= i - distance, into out[i + shift].
    void add_far(Side& out, Mass& below, const Side& large, Range lr, const Side& small,
                 int distance, int shift, Mass head) {
        real sum_q = head.q;
        real sum_p = head.p;
        real low_q = 0.0L;
        real low_p = 0.0L;
        for (int i = 0; i <= lr.last; ++i) {
            if (i >= distance) {
                sum_q += static_cast<real>(small.q[static_cast<std::size_t>(i - distance)]);
                sum_p += static_cast<real>(small.p[static_cast<std::size_t>(i - distance)]);
            }
            const double q = large.q[static_cast<std::size_t>(i)] * static_cast<double>(sum_q);
            const double p = large.p[static_cast<std::size_t>(i)] * static_cast<double>(sum_p);
            const int k = i + shift;
            if (k < kept) {
                low_q += static_cast<real>(q);
                low_p += static_cast<real>(p);
            } else {
                out.q[static_cast<std::size_t>(k)] += q;
                out.p[static_cast<std::size_t>(k)] += p;
            }
        }
        below.add(static_cast<double>(low_q), static_cast<double>(low_p));
    }

    static void drain(Mass& from, Mass& to) {
        to.add(from.q, from.p);
        from = {};
    }
    static void drain(std::vector<double>& from, std::vector<double>& to) {
        for (std::size_t k = 0; k < from.size(); ++k) {
            to[k] += from[k];
            from[k] = 0.0;
        }
    }
    void drain() {
        drain(group.gains.q, cells.gains.q);
        drain(group.gains.p, cells.gains.p);
        drain(group.costs.q, cells.costs.q);
        drain(group.costs.p, cells.costs.p);
        drain(group.small_gain, cells.small_gain);
        drain(group.small_cost, cells.small_cost);
        drain(group.one, cells.one);
        ++additions;
    }

    void run() {
        // Every unordered pair of different cells counts twice: doubled copies, exactly.
        Side gains2 = distribution.gains_;
        Side costs2 = distribution.costs_;
        for (Side* side : {&gains2, &costs2})
            for (std::vector<double>* part : {&side->q, &side->p})
                for (double& x : *part) x = twice(x);
        const Side& gains = distribution.gains_;
        const Side& costs = distribution.costs_;
        const Range g = range(gains);
        const Range c = range(costs);
        const bool both = g.first <= g.last && c.first <= c.last;
        int distance = 0;
        for (; distance < n && offset(distance, true) > 0; ++distance) {
            allow_interruption();
            const int shift = offset(distance, true);
            add_distance(group.gains, group.small_gain, distance == 0 ? gains : gains2, g, gains, g,
                         distance, shift);
            add_distance(group.costs, group.small_cost, distance == 0 ? costs : costs2, c, costs, c,
                         distance, shift);
            if ((distance + 1) % together == 0) drain();
        }
        drain();
        const Mass& one = distribution.one_;
        add_far(cells.gains, cells.small_gain, gains2, g, gains, distance, 0, one);
        add_far(cells.costs, cells.small_cost, costs2, c, costs, distance, 0, one);
        cells.one.add(one.q * one.q, one.p * one.p);
        additions += 2;
        if (!both) return;
        // A gain and a cost of the same size cancel: exactly in an upper distribution.
        real cancelled_q = 0.0L;
        real cancelled_p = 0.0L;
        for (int i = std::max(g.first, c.first); i <= std::min(g.last, c.last); ++i) {
            const auto k = static_cast<std::size_t>(i);
            cancelled_q += static_cast<real>(gains2.q[k]) * static_cast<real>(costs.q[k]);
            cancelled_p += static_cast<real>(gains2.p[k]) * static_cast<real>(costs.p[k]);
        }
        cells.one.add(static_cast<double>(cancelled_q), static_cast<double>(cancelled_p));
        const int last = distribution.direction_ == Direction::lower ? 0 : -1;
        distance = 1;
        for (; distance < n && offset(distance, false) < last; ++distance) {
            allow_interruption();
            const int shift = offset(distance, false);
            add_distance(group.gains, group.small_gain, gains2, g, costs, c, distance, shift);
            add_distance(group.costs, group.small_cost, costs2, c, gains, g, distance, shift);
            if (distance % together == 0) drain();
        }
        drain();
        add_far(cells.gains, cells.small_gain, gains2, g, costs, distance, last, {});
        add_far(cells.costs, cells.small_cost, costs2, c, gains, distance, last, {});
        additions += 2;
    }
};

GeometricLossDistribution GeometricLossDistribution::doubled(int smallest_kept) const {
    GeometricLossDistribution result;
    result.grid_ = grid_;
    result.direction_ = direction_;
    result.smallest_ = std::clamp(smallest_kept, smallest_, grid_->size - 2);
    Doubling doubling{*this, result.smallest_};
    doubling.run();
    // At most two additions to an entry for each distance of a group, then one for each group.
    const double groups = together * doubling.additions;
    const double roundings = 2.0 * together + doubling.additions + 12.0;
    result.mass_error_ = 2.0 * mass_error_ + roundings * u;
    result.loss_error_ = 2.0 * loss_error_ + 2.0 * roundings * u;
    // I + p I, p the finite mass, which rounding may have made larger than 1 - I.
    const Mass finite = finite_mass();
    result.infinity_mass_ = infinity_mass_ * (1.0 + std::max(1.0, finite.p)) * (1.0 + 4.0 * u);
    result.null_mass_ = null_mass_ * (1.0 + std::max(1.0, finite.q)) * (1.0 + 4.0 * u);
    // Products under Q and P: four of a distance for each cell, of gains and costs.
    result.settle(doubling.cells, 16.0 * static_cast<double>(grid_->size) * (groups + 8.0));
    return result;
}

RatioAtoms GeometricLossDistribution::atoms() const {
    RatioAtoms atoms;
    atoms.direction = direction_;
    const auto add = [&](double q, double p) {
        if (q > 0.0 && p > 0.0) {
            atoms.under_q.push_back(q);
            atoms.under_p.push_back(p);
        }
    };
    for (std::size_t k = costs_.q.size(); k-- > 0;) add(costs_.q[k], costs_.p[k]);
    add(one_.q, one_.p);
    for (std::size_t k = 0; k < gains_.q.size(); ++k) add(gains_.q[k], gains_.p[k]);
    atoms.infinity_mass = infinity_mass_;
    atoms.null_mass = null_mass_;
    atoms.mass_error = mass_error_;
    atoms.loss_error = loss_error_;
    return atoms;
}

}  // namespace assay
