#pragma once
#include <algorithm>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "assay/numeric/enclosure.hpp"
#include "assay/pld/composition_plan.hpp"
#include "assay/pld/hockey_stick.hpp"

namespace assay {

/// Larger epsilon are not looked for: by sums in which e^epsilon is a double, and by those that
/// count from the middle of a window (TiltAim::farthest).
inline constexpr double largest_pld_epsilon = 500.0;
inline constexpr double farthest_pld_epsilon = 1e6;

/// Bounds of both divergences at one epsilon.
struct DeltaSides {
    double removal_lower = 0.0;
    double removal_upper = 1.0;
    double addition_lower = 0.0;
    double addition_upper = 1.0;

    [[nodiscard]] double lower() const { return std::max(removal_lower, addition_lower); }
    [[nodiscard]] double upper() const { return std::max(removal_upper, addition_upper); }
    [[nodiscard]] double relative_gap() const {
        return upper() > 0.0 ? 1.0 - lower() / upper() : 0.0;
    }

    /// The tighter of both brackets on every side.
    void tighten(const DeltaSides& other);
};

/// The smallest epsilon whose upper bound is at most delta, and the largest whose lower bound is
/// above it, to 1e-12; [.., +inf] where no epsilon up to `largest` is enough.
[[nodiscard]] Enclosure epsilon_crossing(const std::function<DeltaSides(double)>& sides_at,
                                         double delta, double largest = largest_pld_epsilon);

/// Rounding and the grid's ends may cost this part of the larger of delta and `smallest_delta`.
struct TiltAim {
    double part = 1e-4;
    double smallest_delta = 1e-12;
    double farthest = largest_pld_epsilon;  // epsilon
};

/// Both sides of one composition at one resolution. Every tilt gives bounds that are true at every
/// epsilon and accurate around one: the best of all tilts so far is taken.
class TiltedBracket {
public:
    TiltedBracket(const CompositionPlan& plan, const PldResolution& resolution,
                  std::size_t most_points, const TiltAim& aim);
    /// From distributions of the composition's blocks on both sides; `symmetric` where both
    /// directions have the same divergence.
    TiltedBracket(LossBlocks upper, LossBlocks lower, std::size_t most_points, const TiltAim& aim,
                  bool symmetric = false);

    /// Makes the bounds accurate around an epsilon, those of the addition direction only where they
    /// could decide the maximum.
    void tilt_to(double epsilon);
    /// The same for one of the two divergences, whatever the other is.
    void tilt_to(double epsilon, PayoffSide side);
    [[nodiscard]] std::size_t tilts() const { return uppers_.size(); }

    [[nodiscard]] DeltaSides at(double epsilon) const;

    /// Whether rounding and the grid's ends hardly matter at this epsilon.
    [[nodiscard]] bool accurate(double epsilon) const;
    [[nodiscard]] bool accurate(double epsilon, PayoffSide side) const;

    /// About how much rounding adds to a divergence; infinite where no tilt has anything to tell.
    [[nodiscard]] double rounding(double epsilon, PayoffSide side) const;

    /// What a shift of the losses costs, by nat; 0 before a tilt was taken.
    [[nodiscard]] double cost_of_shift(double epsilon, PayoffSide side) const;

    /// epsilon_crossing of these bounds.
    [[nodiscard]] Enclosure epsilon(double delta) const;

    /// Nats that the widest grid of a composition spans.
    [[nodiscard]] double width() const;

    /// The epsilon at which Chernoff's bound of delta is e^{log_delta}: where to tilt.
    [[nodiscard]] double chernoff_epsilon(double log_delta) const;

private:
    void compose(double epsilon, PayoffSide side, double slack);
    [[nodiscard]] double least(double epsilon, double (HockeyStick::*part)(double) const) const;
    [[nodiscard]] bool addition_accurate(double epsilon) const;

    LossBlocks upper_;
    LossBlocks lower_;
    std::size_t most_points_;
    TiltAim aim_;
    bool symmetric_;
    std::vector<HockeyStick> uppers_;
    std::vector<HockeyStick> lowers_;
};

/// One for each step of the uniform grid, the geometric grid's doublings being shared.
[[nodiscard]] std::vector<TiltedBracket> tilted_brackets(const CompositionPlan& plan,
                                                         double spacing,
                                                         std::span<const double> steps,
                                                         std::size_t most_points,
                                                         const TiltAim& aim);

}  // namespace assay
