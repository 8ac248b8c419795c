#include <algorithm>
#include <cmath>
#include <utility>

#include "assay/numeric/errors.hpp"
#include "assay/pld/loss_sum.hpp"

namespace assay {

/// The atoms of a sum by their loss, each position rounded to its side: away from the truth by more
/// than it and its exponential are rounded.
SumDivergence::Atoms::Atoms(const LossSum& sum) {
    constexpr real slack = 0x1p-50L;
    const bool upper = sum.direction_ == Direction::upper;
    const int n = sum.points_->size();
    const auto position = [&](const LossSum::Side& side, int k) {
        return upper ? at(sum.points_->loss, k) : at(side.moment, k) / at(side.mass, k);
    };
    const auto add = [&](real where, real more) {
        if (more == 0.0L) return;
        loss.push_back(where);
        mass.push_back(more);
    };
    for (int k = n - 1; k >= 0; --k)
        add(-position(sum.costs_, k) * (upper ? 1.0L - slack : 1.0L + slack),
            at(sum.costs_.mass, k));
    add(0.0L, static_cast<real>(sum.zero_));
    for (int k = 0; k < n; ++k)
        add(position(sum.gains_, k) * (upper ? 1.0L + slack : 1.0L - slack),
            at(sum.gains_.mass, k));
    if (upper) return;
    // Positions of a lower distribution may overlap by a cell.
    for (std::size_t i = 1; i < loss.size(); ++i)
        for (std::size_t j = i; j > 0 && loss[j] < loss[j - 1]; --j) {
            std::swap(loss[j], loss[j - 1]);
            std::swap(mass[j], mass[j - 1]);
        }
}

SumDivergence::Payoff::Payoff(Atoms atoms, bool upper)
    : loss_(std::move(atoms.loss)),
      sign_(upper ? 1.0L : -1.0L),
      above_(loss_.size() + 1, 0.0L),
      excess_(above_),
      size_(above_) {
    for (std::size_t i = loss_.size(); i-- > 0;) {
        const real excess = atoms.mass[i] * std::expm1(loss_[i]);
        above_[i] = above_[i + 1] + atoms.mass[i];
        excess_[i] = excess_[i + 1] + excess;
        size_[i] = size_[i + 1] + std::fabs(excess);
    }
}

real SumDivergence::Payoff::at(real threshold) const {
    const auto i = static_cast<std::size_t>(
        std::upper_bound(loss_.begin(), loss_.end(), threshold) - loss_.begin());
    const real cost = std::expm1(threshold);
    const real sum = excess_[i] - cost * above_[i];
    const real rounding = (static_cast<real>(above_.size()) + 16.0L) * unit_roundoff *
                          (size_[i] + std::fabs(cost) * above_[i]);
    return std::max(0.0L, sum + sign_ * rounding);
}

bool SumDivergence::Payoff::is_finite() const {
    return std::isfinite(above_.front()) && std::isfinite(excess_.front());
}

SumDivergence::SumDivergence(const LossSum& sum, const LossSum* other)
    : upper_(sum.direction_ == Direction::upper),
      payoff_(Atoms(sum), upper_),
      is_known_(payoff_.is_finite()),
      infinite_(sum.infinity_),
      error_(static_cast<real>(sum.mass_error_ * 1.001 + 1e-14)) {
    if (other == nullptr) {
        shifts_ = {0.0L};
        weights_ = {1.0L};
        return;
    }
    Atoms factor(*other);
    is_known_ = is_known_ && Payoff(factor, upper_).is_finite();
    shifts_ = std::move(factor.loss);
    weights_ = std::move(factor.mass);
    for (std::size_t i = 0; i < shifts_.size(); ++i) weights_[i] *= std::exp(shifts_[i]);
    error_ += static_cast<real>(other->mass_error_ * 1.001);
    infinite_ = sum.infinity_ * (other->other_mass() + other->infinity_) +
                other->infinity_ * sum.other_mass();
}

double SumDivergence::delta(double epsilon) const {
    require(epsilon >= 0.0 && std::isfinite(epsilon), "epsilon", epsilon, "0 <= epsilon < inf");
    const auto threshold = static_cast<real>(epsilon);
    real sum = 0.0L;
    for (std::size_t i = 0; i < shifts_.size(); ++i)
        sum += weights_[i] * payoff_.at(threshold - shifts_[i]);
    // Steps of so little loss, and so many, that roundings outweigh them tell nothing.
    if (!is_known_ || !std::isfinite(sum + infinite_) || !(error_ < 600.0L))
        return upper_ ? 1.0 : 0.0;
    if (!upper_) return round_down(sum * std::exp(-error_));
    return std::min(1.0, round_up((sum + infinite_) * std::exp(error_)));
}

double LossSum::delta(double epsilon, const LossSum* other) const {
    return SumDivergence(*this, other).delta(epsilon);
}

}  // namespace assay
