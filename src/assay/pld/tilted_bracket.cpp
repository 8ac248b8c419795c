#include "assay/pld/tilted_bracket.hpp"

#include <algorithm>
#include <array>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

#include "assay/numeric/side_by_side.hpp"

namespace assay {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
/// What logarithms of bounds over delta are kept within.
constexpr double least_excess = 1e-300;
constexpr double largest_excess = 1e3;

}  // namespace

void DeltaSides::tighten(const DeltaSides& other) {
    removal_lower = std::max(removal_lower, other.removal_lower);
    removal_upper = std::min(removal_upper, other.removal_upper);
    addition_lower = std::max(addition_lower, other.addition_lower);
    addition_upper = std::min(addition_upper, other.addition_upper);
}

Enclosure epsilon_crossing(const std::function<DeltaSides(double)>& sides_at, double delta,
                           double largest) {
    // The logarithm of a bound over delta is nearly straight; never 0, which is not above.
    const auto excess = [delta](double bound) {
        const double log = std::log(bound) - std::log(delta);
        return bound > delta ? std::max(log, least_excess)
                             : std::clamp(log, -largest_excess, -least_excess);
    };
    struct Point {
        double epsilon;
        double excess;
    };
    const auto close = [](double low, double high) { return high - low <= 1e-12 * high; };
    const auto between = [&](const Point& low, const Point& high, auto&& at) {
        if (close(low.epsilon, high.epsilon)) return Enclosure{low.epsilon, high.epsilon};
        std::uintmax_t evaluations = 200;
        const auto [from, to] = boost::math::tools::toms748_solve(
            at, low.epsilon, high.epsilon, low.excess, high.excess, close, evaluations);
        return Enclosure{from, to};
    };
    const auto crossing = [&](auto&& at) {
        Point low{0.0, at(0.0)};
        Point high{1.0, 0.0};
        if (low.excess < 0.0) return Enclosure{0.0, 0.0};
        while ((high.excess = at(high.epsilon)) > 0.0) {
            if (high.epsilon == largest) return Enclosure{largest, infinity};
            low = high;
            high.epsilon =
                std::min(high.epsilon == 256.0 ? largest_pld_epsilon : 2.0 * high.epsilon, largest);
        }
        return between(low, high, at);
    };
    const auto upper_at = [&](double epsilon) { return excess(sides_at(epsilon).upper()); };
    const auto lower_at = [&](double epsilon) { return excess(sides_at(epsilon).lower()); };
    const double upper = crossing(upper_at).upper;
    // Lower bounds fall away on either side of the epsilon that they were tilted for, while delta
    // does not rise with epsilon: one that holds near the upper crossing holds for all before it.
    if (std::isfinite(upper)) {
        Point beyond{upper, lower_at(upper)};
        for (double part = 0x1p-20; part < 1.0 && beyond.excess < 0.0; part *= 4.0) {
            const double near = (1.0 - part) * upper;
            const Point point{near, lower_at(near)};
            if (point.excess > 0.0) return {between(point, beyond, lower_at).lower, upper};
            beyond = point;
        }
    }
    return {crossing(lower_at).lower, upper};
}

std::vector<TiltedBracket> tilted_brackets(const CompositionPlan& plan, double spacing,
                                           std::span<const double> steps, std::size_t most_points,
                                           const TiltAim& aim) {
    std::array<std::vector<LossBlocks>, 2> sides;
    const std::vector<PairCells> cells = plan.cells(steps);
    side_by_side(2, [&](std::size_t i) {
        sides[i] = plan.blocks(i == 0 ? Direction::upper : Direction::lower, spacing, steps, cells);
    });
    std::vector<TiltedBracket> brackets;
    for (std::size_t i = 0; i < steps.size(); ++i)
        brackets.emplace_back(std::move(sides[0][i]), std::move(sides[1][i]), most_points, aim,
                              plan.symmetric());
    return brackets;
}

TiltedBracket::TiltedBracket(const CompositionPlan& plan, const PldResolution& resolution,
                             std::size_t most_points, const TiltAim& aim)
    : TiltedBracket(std::move(
          tilted_brackets(plan, resolution.spacing, {&resolution.step, 1}, most_points, aim)
              .front())) {}

TiltedBracket::TiltedBracket(LossBlocks upper, LossBlocks lower, std::size_t most_points,
                             const TiltAim& aim, bool symmetric)
    : upper_(std::move(upper)),
      lower_(std::move(lower)),
      most_points_(most_points),
      aim_(aim),
      symmetric_(symmetric) {}

void TiltedBracket::tilt_to(double epsilon) {
    tilt_to(epsilon, PayoffSide::removal);
    for (const double slack : {7.0, 0.0}) {
        if (addition_accurate(epsilon)) break;
        compose(epsilon, PayoffSide::addition, slack);
    }
}

void TiltedBracket::tilt_to(double epsilon, PayoffSide side) {
    // First a tilt that may lose three digits of the transform, then the best one.
    for (const double slack : {7.0, 0.0}) {
        compose(epsilon, side, slack);
        if (accurate(epsilon, side)) break;
    }
}

DeltaSides TiltedBracket::at(double epsilon) const {
    DeltaSides sides;
    for (const HockeyStick& distribution : uppers_) {
        sides.removal_upper = std::min(sides.removal_upper, distribution.removal(epsilon));
        sides.addition_upper = std::min(sides.addition_upper, distribution.addition(epsilon));
    }
    for (const HockeyStick& distribution : lowers_) {
        sides.removal_lower = std::max(sides.removal_lower, distribution.removal(epsilon));
        sides.addition_lower = std::max(sides.addition_lower, distribution.addition(epsilon));
    }
    if (symmetric_) {
        sides.removal_upper = std::min(sides.removal_upper, sides.addition_upper);
        sides.removal_lower = std::max(sides.removal_lower, sides.addition_lower);
        sides.addition_upper = sides.removal_upper;
        sides.addition_lower = sides.removal_lower;
    }
    return sides;
}

bool TiltedBracket::accurate(double epsilon) const {
    return accurate(epsilon, PayoffSide::removal) && addition_accurate(epsilon);
}

bool TiltedBracket::accurate(double epsilon, PayoffSide side) const {
    const bool removal = side == PayoffSide::removal;
    const DeltaSides sides = at(epsilon);
    const double delta =
        std::max(removal ? sides.removal_upper : sides.addition_upper, aim_.smallest_delta);
    return least(epsilon, removal ? &HockeyStick::allowance_of_removal
                                  : &HockeyStick::allowance_of_addition) <= aim_.part * delta;
}

double TiltedBracket::rounding(double epsilon, PayoffSide side) const {
    return least(epsilon, side == PayoffSide::removal ? &HockeyStick::rounding_of_removal
                                                      : &HockeyStick::rounding_of_addition);
}

double TiltedBracket::cost_of_shift(double epsilon, PayoffSide side) const {
    const bool removal = side == PayoffSide::removal;
    double least = infinity;
    double cost = 0.0;
    for (const HockeyStick& upper : uppers_) {  // the one that is accurate there
        const double allowance =
            removal ? upper.allowance_of_removal(epsilon) : upper.allowance_of_addition(epsilon);
        if (!(allowance < least)) continue;
        least = allowance;
        cost = removal ? upper.shift_of_removal(epsilon) : upper.shift_of_addition(epsilon);
    }
    return cost;
}

Enclosure TiltedBracket::epsilon(double delta) const {
    return epsilon_crossing([this](double epsilon) { return at(epsilon); }, delta, aim_.farthest);
}

double TiltedBracket::width() const {
    double widest = 0.0;
    for (const std::vector<HockeyStick>* side : {&uppers_, &lowers_})
        for (const HockeyStick& distribution : *side)
            widest = std::max(widest, distribution.width());
    return widest;
}

double TiltedBracket::chernoff_epsilon(double log_delta) const {
    const std::vector<RepeatedLoss> parts = lower_.parts();
    double best = infinity;
    double worse = 0.0;
    // (log E W^t - log delta)/(t-1) falls and then rises with t; wide losses want small orders.
    for (double order = are_wide(parts) ? 1e-5 : 0.1; order < 1e7 && worse < 4.0; order *= 1.4) {
        const double value = (log_moment(parts, 1.0 + order) - log_delta) / order;
        worse = value < best ? 0.0 : worse + 1.0;
        if (value < best) best = value;
    }
    return std::isfinite(best) ? std::max(0.0, best) : 0.0;
}

void TiltedBracket::compose(double epsilon, PayoffSide side, double slack) {
    const std::vector<RepeatedLoss> up = upper_.parts();
    const std::vector<RepeatedLoss> low = lower_.parts();
    const double tilt = tilt_for(low, epsilon, side, slack);
    const double widest = aim_.farthest > largest_pld_epsilon ? 1.5 * aim_.farthest : 680.0;
    std::array<std::optional<HockeyStick>, 2> made;
    side_by_side(2, [&](std::size_t i) {
        const std::vector<RepeatedLoss>& parts = i == 0 ? up : low;
        // A distribution without finite moments there, or without mass, has nothing to tell.
        if (std::isfinite(log_moment(parts, tilt)))
            made[i].emplace(convolve(parts, tilt, most_points_, widest));
    });
    if (!made[0] || !made[1]) return;
    uppers_.push_back(std::move(*made[0]));
    lowers_.push_back(std::move(*made[1]));
}

double TiltedBracket::least(double epsilon, double (HockeyStick::*part)(double) const) const {
    double smallest = infinity;
    for (const HockeyStick& distribution : uppers_)
        smallest = std::min(smallest, (distribution.*part)(epsilon));
    return smallest;
}

bool TiltedBracket::addition_accurate(double epsilon) const {
    const DeltaSides sides = at(epsilon);
    const double delta = std::max(sides.removal_upper, aim_.smallest_delta);
    return symmetric_ || sides.addition_upper <= delta ||
           least(epsilon, &HockeyStick::allowance_of_addition) <= aim_.part * sides.addition_upper;
}

}  // namespace assay
