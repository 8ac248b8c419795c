#include "assay/pld/loss_sum.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "assay/numeric/errors.hpp"

namespace assay {

namespace {

const PairMass& cell_at(const std::vector<PairMass>& cells, int k) {
    return cells[static_cast<std::size_t>(k)];
}

constexpr double u = 0x1p-53;

}  // namespace

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
        if (cell.under_q < static_cast<real>(least)) {
            infinity_ += cell.under_p;
            return;
        }
        // In units of W at the left end, or, where W - 1 tells more, of 1.
        const bool near = std::fabs(left) < 0.5L;
        const real low = near ? std::expm1(left) : 0.0L;
        const real width = near ? std::expm1(right) - low : std::expm1(right - left);
        const real scaled = near ? 0.0L : cell.under_p * std::exp(-left);
        const real share =
            (near ? cell.excess - cell.under_q * low : scaled - cell.under_q) / width;
        const real size =
            near ? cell.moved + cell.under_q * (std::fabs(low) + width) : scaled + cell.under_q;
        // Points are rounded to doubles.
        const real place_error = 4.0L * static_cast<real>(u) * (std::fabs(left) + std::fabs(right));
        const real error = (mass_error + place_error) * (cell.under_q + size / width);
        to_right += static_cast<double>(std::clamp(share, 0.0L, cell.under_q) + error);
        to_left +=
            static_cast<double>(std::clamp(cell.under_q - share, 0.0L, cell.under_q) + error);
    };
    for (int k = 0; k + 1 < n; ++k) {
        const real low = at(points_->loss, k);
        const real high = at(points_->loss, k + 1);
        split(cell_at(cells, n + 2 + k), low, high, entry(gains_.mass, k),
              entry(gains_.mass, k + 1));
        split(cell_at(cells, n - 1 - k), -high, -low, entry(costs_.mass, k + 1),
              entry(costs_.mass, k));
    }
    const real first = at(points_->loss, 0);
    split(cell_at(cells, n + 1), 0.0L, first, zero_, entry(gains_.mass, 0));
    split(cell_at(cells, n), -first, 0.0L, entry(costs_.mass, 0), zero_);
    entry(costs_.mass, n - 1) += static_cast<double>(cells.front().under_q);
    infinity_ = (infinity_ + cells.back().under_p) * (1.0L + mass_error) +
                4.0L * static_cast<real>(std::numeric_limits<double>::denorm_min());
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
        put(cell_at(cells, n + 2 + k), k);
        put(cell_at(cells, n - 1 - k), k);
    }
    put(cell_at(cells, n + 1), -1);
    put(cell_at(cells, n), -1);
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
            const real moment = at(side->moment, k);
            if (at(side->mass, k) >= static_cast<real>(least)) {
                if (moment >= static_cast<real>(least)) {
                    if (k >= kept) continue;
                    centre.add(at(side->mass, k), sign * moment);
                } else if (sign > 0.0L) {  // not above 0, or below it where it may be
                    centre.add(at(side->mass, k),
                               moment < 0.0L ? moment - static_cast<real>(least) : 0.0L);
                } else {
                    centre.add(at(side->mass, k), -static_cast<real>(least));
                }
            }
            entry(side->mass, k) = 0.0;
            entry(side->moment, k) = 0.0;
        }
    }
    centre.moment -= centre.size * (0x1p-48L + static_cast<real>(centre.terms) * 0x1p-63L);
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
    zero_ = centre.mass < static_cast<real>(least) ? 0.0 : static_cast<double>(centre.mass);
    const real lacking = aim - taken;
    if (!below || lacking <= 0x1p-50L * aim || zero_ == 0.0) return;
    // Too few gains: the atom moves down to where its mean is, or to the first cost.
    const real mean = lacking * (1.0L + 0x1p-40L) / centre.mass;
    const real loss = std::max(mean, at(points_->loss, kept));
    const int k = std::max(kept, points_->place(static_cast<double>(loss)));
    entry(costs_.mass, k) += zero_;
    entry(costs_.moment, k) +=
        std::max(least, static_cast<double>(centre.mass * loss * (1.0L + 0x1p-48L)));
    zero_ = 0.0;
}

}  // namespace assay
