#pragma once
#include <vector>

#include "assay/pld/privacy_loss_pmf.hpp"

namespace assay {

/// delta at any epsilon from one privacy loss distribution, rounding included, on its side.
///   removal   D(P || Q) = E_Q (W - e^epsilon)_+
///   addition  D(Q || P) = E_Q (1 - e^epsilon W)_+
///   Cost      two exponentials a grid point once; a binary search a question
/// Bounds are cut to [0, 1]; an allowance that swamps the value leaves 1 (upper) or 0 (lower).
class HockeyStick {
public:
    explicit HockeyStick(const PrivacyLossPmf& pmf);

    [[nodiscard]] Direction direction() const { return direction_; }
    /// Domain  epsilon finite; negative ones are admitted       Throws  DomainError
    [[nodiscard]] double removal(double epsilon) const;
    [[nodiscard]] double addition(double epsilon) const;
    /// The larger of the two.
    [[nodiscard]] double delta(double epsilon) const;

    /// The smallest epsilon >= 0 on the grid of doubles with delta(epsilon) <= target, to 1e-12
    /// relative, on the same side as the distribution: +inf where none up to 700 does.
    [[nodiscard]] double epsilon(double target) const;

    /// About how much of the bound comes from the transform's rounding and from the grid's ends.
    [[nodiscard]] double allowance_of_removal(double epsilon) const;
    [[nodiscard]] double allowance_of_addition(double epsilon) const;

    /// Mass under Q per nat at a loss: what a shift of the losses costs.
    [[nodiscard]] double density(double loss) const;

    /// Nats that the grid spans.
    [[nodiscard]] double width() const { return static_cast<double>(above_p_.size()) * step_; }

private:
    [[nodiscard]] double point(std::size_t i) const;
    [[nodiscard]] double rounding_between(double rate, double from, double to) const;
    [[nodiscard]] bool is_unknown(long double masses) const;
    [[nodiscard]] std::size_t first_above(double loss) const;

    Direction direction_;
    double step_;
    double offset_;
    std::int64_t first_;
    double factor_;  // e^{mass_error}
    double loss_error_;
    double infinity_mass_;
    double null_mass_;
    double below_p_mass_;
    double above_q_mass_;
    double aliased_;
    // Sums over points from i on (removal) and before i (addition) under P and Q, each within
    // n 2^-64 relative.
    std::vector<long double> above_p_, above_q_, below_p_, below_q_;
    double tilt_, log_scale_, rounding_;
};

}  // namespace assay
