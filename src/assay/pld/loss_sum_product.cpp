#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "assay/numeric/errors.hpp"
#include "assay/numeric/interruption.hpp"
#include "assay/numeric/vector_clones.hpp"
#include "assay/pld/loss_sum.hpp"

namespace assay {

namespace {

constexpr double u = 0x1p-53;

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
    /// What falls below the first point (upper) or beyond the last, apart from the points' masses:
    /// there may be many such products.
    struct Ends {
        real first = 0.0L;
        real last = 0.0L;
        real last_moment = 0.0L;
    };
    Ends gain_ends = {};
    Ends cost_ends = {};
    double edges = 0.0;
    /// Positions of lower distributions in units of their points, at most.
    real highest = upper ? 1.0L : highest_position();
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
        Ends& ends = term.raised ? gain_ends : cost_ends;
        ++edges;
        if (!upper) {
            const real moment =
                at(term.large->moment, i) * at(term.small->mass, j) +
                (sum ? 1.0L : -1.0L) * at(term.large->mass, i) * at(term.small->moment, j);
            if (i + to.offset < 0) {
                centre.add(mass, sign * moment);
                centre.size += mass * at(loss, i) * 2.0L * highest;
                return;
            }
            ends.last += mass;
            ends.last_moment += moment;
            return;
        }
        if (i + to.offset < 0) {
            const real share =
                std::clamp(at(loss, i) * to.ratio / at(loss, 0) + sign * nudge, 0.0L, 1.0L);
            ends.first += mass * share;
            centre.mass += mass * (1.0L - share);
        } else if (term.raised) {
            infinity += mass * std::exp((at(loss, i) + (sum ? 1.0L : -1.0L) * at(loss, j)) *
                                        (1.0L + 0x1p-40L));
        } else {
            ends.last += mass;
        }
    }

    void add_ends(Side& side, const Ends& ends) const {
        entry(side.mass, 0) += static_cast<double>(ends.first);
        entry(side.mass, n - 1) += static_cast<double>(ends.last);
        if (!upper) entry(side.moment, n - 1) += static_cast<double>(ends.last_moment);
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
        double counted = products;
        for (; distance < n && is_near(distance, reach); ++distance) {
            allow_interruption(200 + static_cast<std::uint64_t>(products - counted));
            counted = products;
            for (const Term& term : sums) add_distance(term, distance, true);
            for (const Term& term : differences) add_distance(term, distance, false);
            additions += 4;
        }
        for (std::size_t i = 0; i < sums.size(); ++i) add_far(sums[i], distance, true, heads[i]);
        for (const Term& term : differences) add_far(term, distance, false, 0.0);
        additions += 32;
        add_ends(out.gains_, gain_ends);
        add_ends(out.costs_, cost_ends);
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
                centre.size += 2.0L * highest * mass * at(loss, k);
            }
        }
    }

    /// Positions of a lower distribution in units of their points, at most.
    [[nodiscard]] real highest_position() const {
        real most = 1.0L;
        for (const LossSum* sum : {&a, &b})
            for (const Side* side : {&sum->gains_, &sum->costs_})
                for (int k = 0; k < n; ++k)
                    if (at(side->mass, k) > 0.0L)
                        most =
                            std::max(most, at(side->moment, k) / (at(side->mass, k) * at(loss, k)));
        return most;
    }

    /// Moments of a lower distribution less what rounding may have added to a position.
    void lower_moments() {
        const Place nearest = place(1, false, true);
        const real largest = 2.0L * highest * std::exp2(static_cast<real>(-nearest.offset) / m);
        const real error =
            (2.0L * static_cast<real>(additions) + 32.0L + static_cast<real>(edges) * 0x1p-9L) *
            static_cast<real>(u) * largest;
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
        mass_error_ + other.mass_error_ +
        (static_cast<double>(product.additions) + 32.0 + product.edges * 0x1p-9) * u;
    result.products_ = products_ + (this == &other ? 0.0 : other.products_) + product.products;
    result.drop_small();
    return result;
}

}  // namespace assay
