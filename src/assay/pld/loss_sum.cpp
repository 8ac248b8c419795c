#include "assay/pld/loss_sum.hpp"

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

/// Masses between two points are placed this part of their distance too high (upper): more than
/// the rounding of any share.
constexpr real nudge = 0x1p-44L;

/// One distance of an upper sum: each product is split between two points.
ASSAY_VECTOR_CLONES void add_split(double* __restrict near, double* __restrict far,
                                   const double* __restrict a, const double* __restrict b,
                                   double near_share, double far_share, int count) {
    for (int i = 0; i < count; ++i) {
        const double product = a[i] * b[i];
        near[i] += product * near_share;
        far[i] += product * far_share;
    }
}

/// One distance of a lower sum: the masses' products and their moments.
ASSAY_VECTOR_CLONES void add_moments(double* __restrict mass, double* __restrict moment,
                                     const double* __restrict a, const double* __restrict a_moment,
                                     const double* __restrict b, const double* __restrict b_moment,
                                     double sign, int count) {
    for (int i = 0; i < count; ++i) {
        mass[i] += a[i] * b[i];
        moment[i] += a_moment[i] * b[i] + sign * (a[i] * b_moment[i]);
    }
}

real at(const std::vector<double>& values, int k) {
    return static_cast<real>(values[static_cast<std::size_t>(k)]);
}
double& entry(std::vector<double>& values, int k) {
    return values[static_cast<std::size_t>(k)];
}

/// [first, last] of the entries that hold anything; first > last if none.
struct Range {
    int first;
    int last;
};
Range range_of(const std::vector<double>& mass) {
    Range r{0, static_cast<int>(mass.size()) - 1};
    while (r.last >= 0 && at(mass, r.last) == 0.0L) --r.last;
    while (r.first <= r.last && at(mass, r.first) == 0.0L) ++r.first;
    return r;
}

}  // namespace

int LossPoints::place(double of) const {
    const double k = std::floor(std::log2(of / loss.front()) * per_doubling);
    return static_cast<int>(std::clamp(k, 0.0, static_cast<double>(size() - 2)));
}

std::shared_ptr<const LossPoints> loss_points(double floor, double top, double spacing) {
    require(floor >= 1e-280 && floor < top, "floor", floor, "1e-280 <= floor < top");
    require(top <= 600.0, "largest loss", top, "at most 600 nats");
    require(spacing >= 1e-5 && spacing <= 0.7, "spacing", spacing, "1e-5 <= spacing <= 0.7");
    auto points = std::make_shared<LossPoints>();
    points->floor = static_cast<real>(floor);
    points->per_doubling = static_cast<int>(std::ceil(std::numbers::ln2 / spacing));
    const int size = 2 + static_cast<int>(std::ceil(std::log2(top / floor) * points->per_doubling));
    for (int k = 0; k < size; ++k)
        points->loss.push_back(static_cast<double>(
            points->floor *
            std::exp2(static_cast<real>(k) / static_cast<real>(points->per_doubling))));
    return points;
}

LossSum::LossSum(const DominatingPair& pair, std::shared_ptr<const LossPoints> points,
                 Direction direction, PayoffSide side, double negligible)
    : points_(std::move(points)), direction_(direction), negligible_(negligible) {
    require(direction != Direction::estimate, "direction", 0.0, "upper or lower");
    require(negligible > 0.0, "negligible", negligible, "a positive mass");
    const int n = points_->size();
    const bool upper = direction == Direction::upper;
    const bool mirrored = side == PayoffSide::addition;
    // A boundary stands for the point next to it, towards which the losses move that lie between.
    const bool downward = upper != mirrored;
    const auto boundary = [&](int k, real sign) {
        const real loss =
            sign * points_->floor *
            std::exp2(static_cast<real>(k) / static_cast<real>(points_->per_doubling));
        return loss + (downward ? -1.0L : 1.0L) * std::fabs(loss) * 0x1p-58L;
    };
    constexpr real infinite = std::numeric_limits<real>::infinity();
    std::vector<real> boundaries;
    boundaries.push_back(-infinite);
    for (int k = n - 1; k >= 0; --k) boundaries.push_back(boundary(k, -1.0L));
    boundaries.push_back(0.0L);
    for (int k = 0; k < n; ++k) boundaries.push_back(boundary(k, 1.0L));
    boundaries.push_back(infinite);
    std::vector<PairMass> cells = interval_masses(pair, boundaries);
    if (mirrored) {
        std::reverse(cells.begin(), cells.end());
        for (PairMass& cell : cells) cell = {cell.under_p, cell.under_q, -cell.excess, cell.moved};
    }
    const auto size = static_cast<std::size_t>(n);
    gains_.mass.assign(size, 0.0);
    costs_.mass.assign(size, 0.0);
    const real atom = mass_at_one(pair);
    if (upper) {
        zero_ = static_cast<double>(atom);
        const PairMass beyond = mass_beyond(pair);
        infinity_ = mirrored ? beyond.under_q : beyond.under_p;
        start_upper(cells);
    } else {
        gains_.moment.assign(size, 0.0);
        costs_.moment.assign(size, 0.0);
        zero_ = static_cast<double>(atom);
        start_lower(cells);
    }
    mass_error_ = pair_mass_error + 16.0 * u;
    drop_small();
}

/// Each cell's mass goes to its two ends, which keeps the mean of W.
void LossSum::start_upper(const std::vector<PairMass>& cells) {
    const int n = points_->size();
    constexpr auto mass_error = static_cast<real>(2.0 * pair_mass_error);
    const auto split = [&](const PairMass& cell, real left, real right, double& to_left,
                           double& to_right) {
        if (cell.under_q <= 0.0L) return;
        // In units of W at the left end, or, where W - 1 tells more, of 1.
        const bool near = std::fabs(left) < 0.5L;
        const real low = near ? std::expm1(left) : 0.0L;
        const real width = near ? std::expm1(right) - low : std::expm1(right - left);
        const real scaled = near ? 0.0L : cell.under_p * std::exp(-left);
        const real share =
            (near ? cell.excess - cell.under_q * low : scaled - cell.under_q) / width;
        const real size =
            near ? cell.moved + cell.under_q * (std::fabs(low) + width) : scaled + cell.under_q;
        const real error = mass_error * (cell.under_q + size / width);
        to_right += static_cast<double>(std::clamp(share, 0.0L, cell.under_q) + error);
        to_left +=
            static_cast<double>(std::clamp(cell.under_q - share, 0.0L, cell.under_q) + error);
    };
    for (int k = 0; k + 1 < n; ++k) {
        const real low = at(points_->loss, k);
        const real high = at(points_->loss, k + 1);
        split(cells[static_cast<std::size_t>(n + 2 + k)], low, high, entry(gains_.mass, k),
              entry(gains_.mass, k + 1));
        split(cells[static_cast<std::size_t>(n - 1 - k)], -high, -low, entry(costs_.mass, k + 1),
              entry(costs_.mass, k));
    }
    const real first = at(points_->loss, 0);
    split(cells[static_cast<std::size_t>(n + 1)], 0.0L, first, zero_, entry(gains_.mass, 0));
    split(cells[static_cast<std::size_t>(n)], -first, 0.0L, entry(costs_.mass, 0), zero_);
    entry(costs_.mass, n - 1) += static_cast<double>(cells.front().under_q);
    infinity_ = (infinity_ + cells.back().under_p) * (1.0L + mass_error);
}

/// Each cell's mass becomes an atom at the mean of W.
void LossSum::start_lower(const std::vector<PairMass>& cells) {
    const int n = points_->size();
    constexpr auto mass_error = static_cast<real>(2.0 * pair_mass_error);
    const auto mean = [&](const PairMass& cell) {
        const real excess =
            (cell.excess - mass_error * (cell.moved + std::fabs(cell.excess))) / cell.under_q;
        const real loss = excess > -0.5L
                              ? std::log1p(excess)
                              : std::log(cell.under_p / cell.under_q) - 2.0L * mass_error;
        return loss - std::fabs(loss) * 0x1p-48L;
    };
    Centre centre;
    const auto put = [&](const PairMass& cell, int k) {
        if (cell.under_q <= 0.0L) return;
        const real loss = mean(cell);
        if (!std::isfinite(loss)) return;
        const auto mass = static_cast<double>(cell.under_q);
        if (k < 0 || (loss < 0.0L) != (cell.excess < 0.0L)) {
            centre.add(cell.under_q, cell.under_q * loss);
            return;
        }
        Side& side = loss < 0.0L ? costs_ : gains_;
        entry(side.mass, k) += mass;
        entry(side.moment, k) += static_cast<double>(
            cell.under_q * std::fabs(loss) * (loss < 0.0L ? 1.0L + 0x1p-50L : 1.0L - 0x1p-50L));
    };
    for (int k = 0; k + 1 < n; ++k) {
        put(cells[static_cast<std::size_t>(n + 2 + k)], k);
        put(cells[static_cast<std::size_t>(n - 1 - k)], k);
    }
    put(cells[static_cast<std::size_t>(n + 1)], -1);
    put(cells[static_cast<std::size_t>(n)], -1);
    centre.mass += static_cast<real>(zero_);
    settle_lower(0, centre);
}

/// The mass of the other measure, from above.
real LossSum::other_mass() const {
    real sum = static_cast<real>(zero_);
    for (int k = 0; k < points_->size(); ++k) {
        const real loss = at(points_->loss, k) * (1.0L + 0x1p-50L);
        if (at(gains_.mass, k) > 0.0L) sum += at(gains_.mass, k) * std::exp(loss);
        if (at(costs_.mass, k) > 0.0L) sum += at(costs_.mass, k) * std::exp(-at(points_->loss, k));
    }
    return sum * (1.0L + 0x1p-40L);
}

/// Small masses would only slow the arithmetic down, or lose digits to underflow.
void LossSum::drop_small() {
    const bool upper = direction_ == Direction::upper;
    for (int k = 0; k < points_->size(); ++k) {
        double& gain = entry(gains_.mass, k);
        if (gain > 0.0 && gain < negligible_) {
            const real other =
                static_cast<real>(gain) * std::exp(at(points_->loss, k) * (1.0L + 0x1p-50L));
            if (other < static_cast<real>(negligible_)) {
                if (upper) infinity_ += other * (1.0L + 0x1p-50L);
                gain = 0.0;
            }
        }
        double& cost = entry(costs_.mass, k);
        if (cost > 0.0 && cost < negligible_) {
            if (upper) infinity_ += static_cast<real>(cost);
            cost = 0.0;
        }
        if (upper) continue;
        if (gain == 0.0) entry(gains_.moment, k) = 0.0;
        if (cost == 0.0) entry(costs_.moment, k) = 0.0;
    }
}

/// What lies between 0 and the first point kept goes to these two, which keeps the mean.
void LossSum::settle_upper(int kept) {
    const real first = at(points_->loss, kept);
    for (Side* side : {&gains_, &costs_}) {
        const bool gains = side == &gains_;
        real outer = 0.0L;
        real inner = 0.0L;
        for (int k = 0; k < kept; ++k) {
            const real mass = at(side->mass, k);
            if (mass == 0.0L) continue;
            const real share =
                std::clamp(at(points_->loss, k) / first + (gains ? nudge : -nudge), 0.0L, 1.0L);
            outer += mass * share;
            inner += mass * (1.0L - share);
            entry(side->mass, k) = 0.0;
        }
        entry(side->mass, kept) += static_cast<double>(outer);
        zero_ += static_cast<double>(inner);
    }
}

/// What lies between 0 and the first point kept becomes an atom at 0: with as much of the smallest
/// gains or costs as moves its mean there.
void LossSum::settle_lower(int kept, Centre centre) {
    const int n = points_->size();
    for (Side* side : {&gains_, &costs_}) {
        const real sign = side == &gains_ ? 1.0L : -1.0L;
        for (int k = 0; k < n; ++k) {
            if (k >= kept && entry(side->moment, k) > 0.0) continue;
            centre.add(at(side->mass, k), sign * at(side->moment, k));
            entry(side->mass, k) = 0.0;
            entry(side->moment, k) = 0.0;
        }
    }
    centre.moment -= centre.size * 0x1p-48L;
    const bool below = centre.moment < 0.0L;
    Side& others = below ? gains_ : costs_;
    // The mean ends a little above 0: the atom then lies below it.
    const real aim = std::fabs(centre.moment) * (below ? 1.0L + 0x1p-40L : 1.0L - 0x1p-40L);
    real taken = 0.0L;
    for (int k = kept; k < n && taken < aim; ++k) {
        const real mass = at(others.mass, k);
        if (mass == 0.0L) continue;
        const real moment = at(others.moment, k);
        // At most half is taken of each, so that the rest keeps its digits.
        const real part = std::min((aim - taken) / moment, 0.5L);
        centre.mass += mass * part;
        taken += moment * part;
        const real away = below ? 1.0L - 0x1p-50L : 1.0L + 0x1p-50L;
        entry(others.mass, k) = static_cast<double>(mass * (1.0L - part));
        entry(others.moment, k) = static_cast<double>(moment * (1.0L - part) * away);
        if (part < 0.5L) break;
    }
    zero_ = static_cast<double>(centre.mass);
    const real lacking = aim - taken;
    if (!below || lacking <= 0x1p-50L * aim) return;
    // Too few gains: the atom moves down to where its mean is, or to the first cost.
    const real mean = lacking * (1.0L + 0x1p-40L) / centre.mass;
    const real loss = std::max(mean, at(points_->loss, kept));
    const int k = std::max(kept, points_->place(static_cast<double>(loss)));
    entry(costs_.mass, k) += zero_;
    entry(costs_.moment, k) += static_cast<double>(centre.mass * loss * (1.0L + 0x1p-48L));
    zero_ = 0.0;
}

/// Adds the products of all pairs of atoms to those of the result.
struct LossSum::Product {
    const LossSum& a;
    const LossSum& b;
    LossSum& out;
    const std::vector<double>& loss = out.points_->loss;
    int n = out.points_->size();
    real m = static_cast<real>(out.points_->per_doubling);
    real rise = std::exp2(1.0L / m) - 1.0L;  // from a point to the next, relative to it
    real fall = 1.0L - std::exp2(-1.0L / m);
    bool upper = out.direction_ == Direction::upper;
    real hardly = static_cast<real>(out.negligible_) * 1e-3L;
    // The shares of the farther points (upper).
    Side far_gains{std::vector<double>(loss.size(), 0.0), {}};
    Side far_costs = far_gains;
    Centre centre = {};
    real infinity = 0.0L;
    int additions = 0;
    double products = 0.0;

    /// Where a sum (difference) of the point i and one `distance` below it lies: between the points
    /// i + offset and the next, at this share of the way.
    struct Place {
        int offset;
        real share;
        real ratio;  // to the loss of the point i
    };
    [[nodiscard]] Place place(int distance, bool sum, bool raised) const {
        if (sum && distance == 0) return {out.points_->per_doubling, 0.0L, 2.0L};
        const real exponent = -static_cast<real>(distance) / m;
        const real ratio =
            sum ? 1.0L + std::exp2(exponent) : -std::expm1(exponent * std::numbers::ln2_v<real>);
        const real exact = m * std::log2(ratio);
        if (!upper) return {static_cast<int>(std::floor(exact + 0.5L)), 0.0L, ratio};
        real offset = std::floor(exact);
        real share = (ratio / std::exp2(offset / m) - 1.0L) / rise + (raised ? nudge : -nudge);
        if (share > 1.0L || share < 0.0L) {
            const real over = share > 1.0L ? 1.0L : -1.0L;
            offset += over;
            share -= over;
        }
        return {static_cast<int>(offset), std::clamp(share, 0.0L, 1.0L), ratio};
    }

    /// Bounds of what products weigh under either measure from an index on: the sum of the large
    /// factor's masses, the largest of the small one's. Neither increases.
    struct Tails {
        std::vector<real> sum;
        std::vector<real> largest;
    };
    /// A product of a side's masses with those of another whose losses are smaller; `raised`: the
    /// result is a gain.
    struct Term {
        const Side* large;
        const Side* small;
        bool raised;
        Tails tails = {};
        Range large_range = {};
        Range small_range = {};
    };

    void find_tails(Term& term) const {
        const auto size = loss.size();
        term.large_range = range_of(term.large->mass);
        term.small_range = range_of(term.small->mass);
        term.tails.sum.assign(size + 1, 0.0L);
        term.tails.largest.assign(size + 1, 0.0L);
        // Costs weigh more under the first measure, gains under the other.
        const bool small_gains = term.small == &a.gains_ || term.small == &b.gains_;
        for (std::size_t k = size; k-- > 0;) {
            const real ratio = std::exp(static_cast<real>(loss[k]) * (1.0L + 0x1p-40L));
            const real large =
                static_cast<real>(term.large->mass[k]) * (term.raised ? ratio : 1.0L);
            const real small =
                static_cast<real>(term.small->mass[k]) * (small_gains ? ratio : 1.0L);
            term.tails.sum[k] = term.tails.sum[k + 1] + large;
            term.tails.largest[k] = std::max(term.tails.largest[k + 1], small);
        }
    }

    /// The last index of the large factor before products that weigh less than `hardly` in all,
    /// which leave to infinity (upper) or are dropped.
    int cut(const Term& term, int distance, int from, int last) {
        const auto weight = [&](int k) {
            return term.tails.sum[static_cast<std::size_t>(k)] *
                   term.tails.largest[static_cast<std::size_t>(k - distance)];
        };
        int low = from;
        int high = last + 1;
        while (low < high) {
            const int middle = low + (high - low) / 2;
            if (weight(middle) < hardly)
                high = middle;
            else
                low = middle + 1;
        }
        if (upper && low <= last) infinity += weight(low) * (1.0L + 0x1p-40L);
        return low - 1;
    }

    void add_edge(const Term& term, int i, int j, const Place& to, bool sum) {
        const real mass = at(term.large->mass, i) * at(term.small->mass, j);
        if (mass == 0.0L) return;
        const real sign = term.raised ? 1.0L : -1.0L;
        if (!upper) {
            const real moment =
                at(term.large->moment, i) * at(term.small->mass, j) +
                (sum ? 1.0L : -1.0L) * at(term.large->mass, i) * at(term.small->moment, j);
            if (i + to.offset < 0) {
                centre.add(mass, sign * moment);
                centre.size += mass * at(loss, i) * 4.0L;
                return;
            }
            Side& side = term.raised ? out.gains_ : out.costs_;
            entry(side.mass, n - 1) += static_cast<double>(mass);
            entry(side.moment, n - 1) += static_cast<double>(moment);
            return;
        }
        Side& side = term.raised ? out.gains_ : out.costs_;
        if (i + to.offset < 0) {
            const real share =
                std::clamp(at(loss, i) * to.ratio / at(loss, 0) + sign * nudge, 0.0L, 1.0L);
            entry(side.mass, 0) += static_cast<double>(mass * share);
            centre.mass += mass * (1.0L - share);
        } else if (term.raised) {
            infinity += mass * std::exp((at(loss, i) + (sum ? 1.0L : -1.0L) * at(loss, j)) *
                                        (1.0L + 0x1p-40L));
        } else {
            entry(side.mass, n - 1) += static_cast<double>(mass);
        }
    }

    void add_distance(const Term& term, int distance, bool sum) {
        const Range large = term.large_range;
        const Range small = term.small_range;
        const Place to = place(distance, sum, term.raised);
        const int from = std::max(large.first, small.first + distance);
        const int last = cut(term, distance, from, std::min(large.last, small.last + distance));
        const int inside_from = std::max(from, -to.offset);
        const int inside_last = std::min(last, n - 1 - to.offset - (upper ? 1 : 0));
        for (int i = from; i <= std::min(last, inside_from - 1); ++i)
            add_edge(term, i, i - distance, to, sum);
        for (int i = std::max(from, inside_last + 1); i <= last; ++i)
            add_edge(term, i, i - distance, to, sum);
        const int count = inside_last - inside_from + 1;
        if (count <= 0) return;
        products += static_cast<double>(count);
        const int k = inside_from + to.offset;
        Side& side = term.raised ? out.gains_ : out.costs_;
        const double* large_mass = term.large->mass.data() + inside_from;
        const double* small_mass = term.small->mass.data() + (inside_from - distance);
        if (upper) {
            Side& farther = term.raised ? far_gains : far_costs;
            add_split(side.mass.data() + k, farther.mass.data() + k + 1, large_mass, small_mass,
                      static_cast<double>(1.0L - to.share), static_cast<double>(to.share), count);
        } else {
            add_moments(side.mass.data() + k, side.moment.data() + k, large_mass,
                        term.large->moment.data() + inside_from, small_mass,
                        term.small->moment.data() + (inside_from - distance), sum ? 1.0 : -1.0,
                        count);
        }
    }

    /// All smaller losses from `distance` on at once, which reach no farther than the next point;
    /// and `head`, which does not move it.
    void add_far(const Term& term, int distance, bool sum, double head) {
        real mass = static_cast<real>(head);
        real moment = 0.0L;
        Side& side = term.raised ? out.gains_ : out.costs_;
        Side& farther = term.raised ? far_gains : far_costs;
        const bool widened = sum == term.raised;
        for (int i = 0; i < n; ++i) {
            if (i >= distance) {
                const int j = i - distance;
                mass += at(term.small->mass, j);
                moment += upper ? at(term.small->mass, j) * at(loss, j) : at(term.small->moment, j);
            }
            const real large = at(term.large->mass, i);
            if (large == 0.0L || mass == 0.0L) continue;
            if (!upper) {
                entry(side.mass, i) += static_cast<double>(large * mass);
                entry(side.moment, i) += static_cast<double>(at(term.large->moment, i) * mass +
                                                             (sum ? 1.0L : -1.0L) * large * moment);
                continue;
            }
            const real width = at(loss, i) * (sum ? rise : (i > 0 ? fall : 1.0L));
            const real moved = std::min(mass, moment / width * (1.0L + (widened ? nudge : -nudge)));
            const real rest = mass - moved + 0x1p-46L * mass;
            const int next = sum ? i + 1 : i - 1;
            if (next < 0) {
                centre.mass += large * moved;
            } else if (next < n) {
                entry(farther.mass, next) += static_cast<double>(large * moved);
            } else if (term.raised) {
                infinity +=
                    large * std::exp(at(loss, i) * (1.0L + rise) * (1.0L + 0x1p-40L)) * moved;
            } else {
                entry(side.mass, i) += static_cast<double>(large * moved);
            }
            entry(side.mass, i) += static_cast<double>(large * rest);
        }
    }

    static Side doubled(const Side& side) {
        Side twice = side;
        for (double& x : twice.mass) x += x;
        for (double& x : twice.moment) x += x;
        return twice;
    }

    void run() {
        const bool same = &a == &b;
        const Side gains = same ? doubled(a.gains_) : a.gains_;
        const Side costs = same ? doubled(a.costs_) : a.costs_;
        // Every unordered pair of different atoms of one distribution counts twice.
        std::vector<Term> sums{{&gains, &b.gains_, true}, {&costs, &b.costs_, false}};
        std::vector<Term> differences{{&gains, &b.costs_, true}, {&costs, &b.gains_, false}};
        std::vector<double> heads(2, b.zero_);
        if (!same) {
            sums.insert(sums.end(), {{&b.gains_, &a.gains_, true}, {&b.costs_, &a.costs_, false}});
            differences.insert(differences.end(),
                               {{&b.gains_, &a.costs_, true}, {&b.costs_, &a.gains_, false}});
            heads.insert(heads.end(), 2, a.zero_);
        }
        for (Term& term : sums) find_tails(term);
        for (Term& term : differences) find_tails(term);
        for (Term equal : {Term{&a.gains_, &b.gains_, true}, Term{&a.costs_, &b.costs_, false}}) {
            find_tails(equal);
            add_distance(equal, 0, true);
        }
        centre.add(static_cast<real>(a.zero_) * static_cast<real>(b.zero_), 0.0L);
        cancel(gains, b.costs_);
        if (!same) cancel(b.gains_, a.costs_);
        // Smaller losses than these do not reach beyond the next point.
        const real reach = (1.0L - 0x1p-40L) * fall;
        int distance = 1;
        for (; distance < n && is_near(distance, reach); ++distance) {
            allow_interruption();
            for (const Term& term : sums) add_distance(term, distance, true);
            for (const Term& term : differences) add_distance(term, distance, false);
            additions += 4;
        }
        for (std::size_t i = 0; i < sums.size(); ++i) add_far(sums[i], distance, true, heads[i]);
        for (const Term& term : differences) add_far(term, distance, false, 0.0);
        additions += 32;
        if (!upper) return;
        for (int k = 0; k < n; ++k) {
            entry(out.gains_.mass, k) += entry(far_gains.mass, k);
            entry(out.costs_.mass, k) += entry(far_costs.mass, k);
        }
    }

    [[nodiscard]] bool is_near(int distance, real reach) const {
        const Place sum = place(distance, true, true);
        const Place difference = place(distance, false, true);
        if (!upper) return sum.offset > 0 || difference.offset < 0;
        return std::exp2(-static_cast<real>(distance) / m) > reach;
    }

    /// A gain and a cost at the same point.
    void cancel(const Side& gains, const Side& costs) {
        for (int k = 0; k < n; ++k) {
            const real mass = at(gains.mass, k) * at(costs.mass, k);
            if (mass == 0.0L) continue;
            if (upper) {
                centre.mass += mass;
            } else {
                centre.add(mass, at(gains.moment, k) * at(costs.mass, k) -
                                     at(gains.mass, k) * at(costs.moment, k));
                centre.size += 4.0L * mass * at(loss, k);
            }
        }
    }

    /// Positions of a lower distribution in units of their points, at most.
    [[nodiscard]] real highest_position() const {
        real highest = 1.0L;
        for (const LossSum* sum : {&a, &b})
            for (const Side* side : {&sum->gains_, &sum->costs_})
                for (int k = 0; k < n; ++k)
                    if (at(side->mass, k) > 0.0L)
                        highest = std::max(highest,
                                           at(side->moment, k) / (at(side->mass, k) * at(loss, k)));
        return highest;
    }

    /// Moments of a lower distribution less what rounding may have added to a position.
    void lower_moments() {
        const Place nearest = place(1, false, true);
        const real largest =
            2.0L * highest_position() * std::exp2(static_cast<real>(-nearest.offset) / m);
        const real error =
            (2.0L * static_cast<real>(additions) + 32.0L) * static_cast<real>(u) * largest;
        for (int k = 0; k < n; ++k) {
            entry(out.gains_.moment, k) -=
                static_cast<double>(error * at(loss, k) * at(out.gains_.mass, k));
            entry(out.costs_.moment, k) +=
                static_cast<double>(error * at(loss, k) * at(out.costs_.mass, k));
        }
    }
};

LossSum LossSum::plus(const LossSum& other, int smallest_kept) const {
    if (points_ != other.points_ || direction_ != other.direction_)
        throw Error("sums of losses on different points or sides");
    LossSum result;
    result.points_ = points_;
    result.direction_ = direction_;
    result.negligible_ = std::max(negligible_, other.negligible_);
    const std::size_t n = points_->loss.size();
    const bool upper = direction_ == Direction::upper;
    for (Side* side : {&result.gains_, &result.costs_}) {
        side->mass.assign(n, 0.0);
        if (!upper) side->moment.assign(n, 0.0);
    }
    Product product{*this, other, result};
    product.run();
    const int kept = std::clamp(smallest_kept, 0, points_->size() - 2);
    if (upper) {
        result.zero_ = static_cast<double>(product.centre.mass);
        // Mass at infinity meets all of the other factor's.
        result.infinity_ = product.infinity + infinity_ * (other.other_mass() + other.infinity_) +
                           other.infinity_ * other_mass();
        // A product that underflows costs 2^-1074 of mass at most.
        result.infinity_ += static_cast<real>(n) * static_cast<real>(product.additions + 8) * 8.0L *
                            static_cast<real>(std::numeric_limits<double>::denorm_min()) *
                            std::exp(at(points_->loss, points_->size() - 1));
        result.infinity_ *= 1.0L + 0x1p-50L;
        result.settle_upper(kept);
    } else {
        product.lower_moments();
        result.settle_lower(kept, product.centre);
    }
    result.mass_error_ =
        mass_error_ + other.mass_error_ + (static_cast<double>(product.additions) + 32.0) * u;
    result.products_ = products_ + (this == &other ? 0.0 : other.products_) + product.products;
    result.drop_small();
    return result;
}

namespace {

/// Atoms of a sum by their loss, each position rounded to its side.
struct Atoms {
    std::vector<real> loss;  // increasing
    std::vector<real> mass;
    void add(real at, real more) {
        if (more == 0.0L) return;
        loss.push_back(at);
        mass.push_back(more);
    }
    void sort() {
        for (std::size_t i = 1; i < loss.size(); ++i)
            for (std::size_t j = i; j > 0 && loss[j] < loss[j - 1]; --j) {
                std::swap(loss[j], loss[j - 1]);
                std::swap(mass[j], mass[j - 1]);
            }
    }
};

/// E (W - K)_+ at any K: from the sums of masses and of W - 1 over the atoms above a threshold.
class Payoff {
public:
    Payoff(const Atoms& atoms, bool upper)
        : atoms_(atoms),
          sign_(upper ? 1.0L : -1.0L),
          above_(atoms.loss.size() + 1, 0.0L),
          excess_(above_),
          size_(above_) {
        for (std::size_t i = atoms.loss.size(); i-- > 0;) {
            const real excess = atoms.mass[i] * std::expm1(atoms.loss[i]);
            above_[i] = above_[i + 1] + atoms.mass[i];
            excess_[i] = excess_[i + 1] + excess;
            size_[i] = size_[i + 1] + std::fabs(excess);
        }
    }
    [[nodiscard]] real at(real threshold) const {
        const auto i = static_cast<std::size_t>(
            std::upper_bound(atoms_.loss.begin(), atoms_.loss.end(), threshold) -
            atoms_.loss.begin());
        const real cost = std::expm1(threshold);
        const real sum = excess_[i] - cost * above_[i];
        const real rounding = (static_cast<real>(above_.size()) + 16.0L) * unit_roundoff *
                              (size_[i] + std::fabs(cost) * above_[i]);
        return std::max(0.0L, sum + sign_ * rounding);
    }

    [[nodiscard]] bool is_finite() const {
        return std::isfinite(above_.front()) && std::isfinite(excess_.front());
    }

private:
    const Atoms& atoms_;
    real sign_;
    std::vector<real> above_;
    std::vector<real> excess_;
    std::vector<real> size_;
};

}  // namespace

double LossSum::delta(double epsilon, const LossSum* other) const {
    require(epsilon >= 0.0 && std::isfinite(epsilon), "epsilon", epsilon, "0 <= epsilon < inf");
    const bool upper = direction_ == Direction::upper;
    // Positions away from the truth by more than they and their exponentials are rounded.
    const auto atoms_of = [&](const LossSum& sum) {
        constexpr real slack = 0x1p-50L;
        Atoms atoms;
        const int n = points_->size();
        const auto loss = [&](const Side& side, int k) {
            return upper ? at(points_->loss, k) : at(side.moment, k) / at(side.mass, k);
        };
        for (int k = n - 1; k >= 0; --k)
            atoms.add(-loss(sum.costs_, k) * (upper ? 1.0L - slack : 1.0L + slack),
                      at(sum.costs_.mass, k));
        atoms.add(0.0L, static_cast<real>(sum.zero_));
        for (int k = 0; k < n; ++k)
            atoms.add(loss(sum.gains_, k) * (upper ? 1.0L + slack : 1.0L - slack),
                      at(sum.gains_.mass, k));
        // Positions of a lower distribution may overlap by a cell.
        if (!upper) atoms.sort();
        return atoms;
    };
    const Atoms own = atoms_of(*this);
    const Payoff payoff(own, upper);
    const auto threshold = static_cast<real>(epsilon);
    real sum = 0.0L;
    bool is_known = false;
    real infinite = infinity_;
    real error = static_cast<real>(mass_error_ * 1.001 + 1e-14);
    if (other == nullptr) {
        sum = payoff.at(threshold);
        is_known = payoff.is_finite();
    } else {
        const Atoms factor = atoms_of(*other);
        is_known = payoff.is_finite() && Payoff(factor, upper).is_finite();
        for (std::size_t i = 0; i < factor.loss.size(); ++i)
            sum +=
                factor.mass[i] * std::exp(factor.loss[i]) * payoff.at(threshold - factor.loss[i]);
        error += static_cast<real>(other->mass_error_ * 1.001);
        infinite =
            infinity_ * (other->other_mass() + other->infinity_) + other->infinity_ * other_mass();
    }
    // Steps of so little loss, and so many, that roundings outweigh them tell nothing.
    if (!is_known || !std::isfinite(sum + infinite) || !(error < 600.0L)) return upper ? 1.0 : 0.0;
    if (!upper) return round_down(sum * std::exp(-error));
    return std::min(1.0, round_up((sum + infinite) * std::exp(error)));
}

}  // namespace assay
