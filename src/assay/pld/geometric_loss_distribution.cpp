#include "assay/pld/geometric_loss_distribution.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace assay {

namespace {

constexpr double u = 0x1p-53;

}  // namespace

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
    const auto size = static_cast<std::size_t>(n);
    const auto masses_under = [&](real PairMass::*measure) {
        const auto at = [&](std::size_t i) { return static_cast<double>(masses[i].*measure); };
        CellMasses cells;
        for (std::size_t k = 0; k < size; ++k) {
            cells.costs.push_back(at(size - 1 - k));
            cells.gains.push_back(at(size + 2 + k));
        }
        cells.small_cost = at(size);
        cells.small_gain = at(size + 1);
        cells.one = static_cast<double>(mass_at_one(pair));
        return cells;
    };
    if (direction_ == Direction::upper) {
        const PairMass beyond = mass_beyond(pair);
        infinity_mass_ = static_cast<double>(beyond.under_p);
        null_mass_ = static_cast<double>(beyond.under_q);
    }
    mass_error_ = pair_mass_error + 4.0 * u;
    loss_error_ = 2.0 * (pair_mass_error + 4.0 * u);
    settle({masses_under(&PairMass::under_q), masses_under(&PairMass::under_p)},
           2.0 * static_cast<double>(masses.size()));
}

/// From above, but for `mass_error_`.
double GeometricLossDistribution::finite_mass(const CellMasses& masses) {
    double sum = masses.one;
    for (const auto* cells : {&masses.gains, &masses.costs})
        sum = std::accumulate(cells->begin(), cells->end(), sum);
    return sum * (1.0 + (2.0 * static_cast<double>(masses.gains.size()) + 2.0) * u);
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
void GeometricLossDistribution::drop_small(double& q, double& p) {
    if (q < least_mass || p < least_mass) escape(q, p);
}

void GeometricLossDistribution::settle(Cells cells, double operations) {
    auto& [q, p] = cells;
    for (std::size_t k = 0; k < q.gains.size(); ++k) {
        drop_small(q.gains[k], p.gains[k]);
        drop_small(q.costs[k], p.costs[k]);
    }
    drop_small(q.small_gain, p.small_gain);
    drop_small(q.small_cost, p.small_cost);
    drop_small(q.one, p.one);
    if (direction_ == Direction::upper)
        settle_upper(cells);
    else
        settle_lower(std::move(cells));
    // A split or a merger: at most eight roundings of a mass or of a barycentre.
    mass_error_ += 8.0 * u;
    loss_error_ += 8.0 * u;
    // Masses that would only slow the arithmetic down leave as well.
    constexpr double tiny = 1e-60;
    const auto thin_out = [&](std::vector<double>& under_q, std::vector<double>& under_p) {
        for (std::size_t k = 0; k < under_q.size(); ++k) {
            drop_small(under_q[k], under_p[k]);
            if (under_q[k] < tiny && under_p[k] < tiny) escape(under_q[k], under_p[k]);
        }
    };
    thin_out(masses_.q.gains, masses_.p.gains);
    thin_out(masses_.q.costs, masses_.p.costs);
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

void GeometricLossDistribution::settle_lower(Cells cells) {
    masses_ = std::move(cells);
    for (CellMasses* masses : {&masses_.q, &masses_.p}) {
        masses->one += masses->small_gain + masses->small_cost;
        masses->small_gain = masses->small_cost = 0.0;
    }
}

void GeometricLossDistribution::settle_upper(const Cells& cells) {
    const auto n = static_cast<std::size_t>(grid_->size);
    const std::vector<double>& gain = grid_->gain;
    const std::vector<double>& cost = grid_->cost;
    const auto& [from_q, from_p] = cells;
    // Mean-preserving: mass q with barycentre p/q in [left, right].
    const auto right_part = [](double q, double p, double left, double right) {
        return std::clamp((p - q * left) / (right - left), 0.0, q);
    };
    CellMasses q{std::vector<double>(n, 0.0), std::vector<double>(n, 0.0)};
    q.one = from_q.one;
    const auto kept = static_cast<std::size_t>(smallest_);
    for (std::size_t k = kept; k + 1 < n; ++k) {
        const double up = right_part(from_q.gains[k], from_p.gains[k], gain[k], gain[k + 1]);
        q.gains[k] += from_q.gains[k] - up;
        q.gains[k + 1] += up;
        const double down = right_part(from_q.costs[k], from_p.costs[k], cost[k + 1], cost[k]);
        q.costs[k] += down;
        q.costs[k + 1] += from_q.costs[k] - down;
    }
    const double high = right_part(from_q.small_gain, from_p.small_gain, 1.0, gain[kept]);
    q.gains[kept] += high;
    const double near = right_part(from_q.small_cost, from_p.small_cost, cost[kept], 1.0);
    q.costs[kept] += from_q.small_cost - near;
    q.one += (from_q.small_gain - high) + near;
    // Above the top: the mass stays there, the rest of the mean goes to infinity; and the mirror.
    q.gains[n - 1] += from_q.gains[n - 1];
    infinity_mass_ += std::max(0.0, from_p.gains[n - 1] - from_q.gains[n - 1] * gain[n - 1]);
    const double reached = std::min(from_q.costs[n - 1], from_p.costs[n - 1] / cost[n - 1]);
    q.costs[n - 1] += reached;
    null_mass_ += from_q.costs[n - 1] - reached;
    masses_ = {q, q};
    for (std::size_t k = kept; k < n; ++k) {
        masses_.p.gains[k] *= gain[k];
        masses_.p.costs[k] *= cost[k];
    }
}

GeometricLossDistribution GeometricLossDistribution::doubled(int smallest_kept) const {
    GeometricLossDistribution result;
    result.grid_ = grid_;
    result.direction_ = direction_;
    result.smallest_ = std::clamp(smallest_kept, smallest_, grid_->size - 2);
    const GeometricProducts products(*grid_, direction_, result.smallest_);
    const double roundings = products.roundings();
    result.mass_error_ = 2.0 * mass_error_ + roundings * u;
    result.loss_error_ = 2.0 * loss_error_ + 2.0 * roundings * u;
    // I + p I, p the finite mass, which rounding may have made larger than 1 - I.
    const auto doubled_beyond = [](double beyond, double finite) {
        return beyond * (1.0 + std::max(1.0, finite)) * (1.0 + 4.0 * u);
    };
    result.infinity_mass_ = doubled_beyond(infinity_mass_, finite_mass(masses_.p));
    result.null_mass_ = doubled_beyond(null_mass_, finite_mass(masses_.q));
    result.settle({products.squared(masses_.q), products.squared(masses_.p)},
                  2.0 * products.operations());
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
    const auto& [q, p] = masses_;
    for (std::size_t k = q.costs.size(); k-- > 0;) add(q.costs[k], p.costs[k]);
    add(q.one, p.one);
    for (std::size_t k = 0; k < q.gains.size(); ++k) add(q.gains[k], p.gains[k]);
    atoms.infinity_mass = infinity_mass_;
    atoms.null_mass = null_mass_;
    atoms.mass_error = mass_error_;
    atoms.loss_error = loss_error_;
    return atoms;
}

}  // namespace assay
