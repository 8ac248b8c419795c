#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "assay/pld/privacy_loss_pmf.hpp"

namespace assay {

/// Sums of a list of numbers >= 0 from an index on, and before it, each within (n + 16) 2^-64
/// relative.
///   Cost       at most 64 additions a question; sums of blocks of 64 once
class TailSums {
public:
    TailSums(std::unique_ptr<const long double[]> values, std::size_t size);
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] long double operator[](std::size_t i) const { return values_[i]; }
    [[nodiscard]] long double above(std::size_t first) const;
    [[nodiscard]] long double below(std::size_t end) const;

private:
    static constexpr std::size_t block = 64;
    std::unique_ptr<const long double[]> values_;
    std::size_t size_;
    std::vector<long double> above_, below_;  // from the begin of a block on, and before it
};

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

    /// About how much of the bound comes from the transform's rounding.
    [[nodiscard]] double rounding_of_removal(double epsilon) const;
    [[nodiscard]] double rounding_of_addition(double epsilon) const;
    /// The same, and what the grid's ends add.
    [[nodiscard]] double allowance_of_removal(double epsilon) const;
    [[nodiscard]] double allowance_of_addition(double epsilon) const;

    /// What a shift of the losses costs, by nat: the mass under P, or under Q, per nat at the kink.
    [[nodiscard]] double shift_of_removal(double epsilon) const;
    [[nodiscard]] double shift_of_addition(double epsilon) const;

    /// Nats that the grid spans.
    [[nodiscard]] double width() const { return static_cast<double>(size()) * step_; }

private:
    [[nodiscard]] std::size_t size() const { return under_q_.size(); }
    [[nodiscard]] double point(std::size_t i) const;
    [[nodiscard]] double rounding_between(double rate, double from, double to) const;
    [[nodiscard]] long double density(double loss) const;
    [[nodiscard]] bool is_unknown(long double masses) const;
    [[nodiscard]] std::size_t first_above(double loss) const;

    Direction direction_;
    double step_;
    double offset_;
    double base_;  // 0, or the middle of a window where e^loss leaves the range of numbers
    std::int64_t first_;
    double factor_;  // e^{mass_error}
    double loss_error_;
    double infinity_mass_;
    double null_mass_;
    double below_p_mass_;
    double above_q_mass_;
    double aliased_;
    double tilt_, log_scale_, rounding_;
    // Extended: delta and e^{-epsilon} together leave the range of doubles. Times e^base under Q
    // for a base above 0, times e^-base under P for one below.
    TailSums under_q_, under_p_;
};

}  // namespace assay
