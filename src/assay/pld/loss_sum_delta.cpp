#include <algorithm>
#include <cmath>
#include <utility>

#include "assay/numeric/errors.hpp"
#include "assay/pld/loss_sum.hpp"

namespace assay {

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
