#include "assay/numeric/threshold_search.hpp"

#include <algorithm>
#include <cmath>

#include "assay/numeric/errors.hpp"

namespace assay {

namespace {

constexpr int most_evaluations = 40;
/// Enclosures decide at this width first.
constexpr double coarse = 0.1;
/// Logarithms of the quantity further from the target say little of its slope there.
constexpr double near = 3.0;
/// Half an enclosure's width, in logarithms, from which it tells little.
constexpr double wide = 0.7;

/// Between its ends no evaluation decided; empty where they are in the wrong order. How far, in
/// logarithms, the enclosures at its ends reached below and above the target.
struct Gap {
    double from = 0.0;
    double to = -1.0;
    double lack = 0.0;
    double excess = 0.0;

    [[nodiscard]] bool empty() const { return from > to; }
    void include(double x, const Enclosure& value, double target) {
        const bool first = empty();
        if (first || x <= from) {
            from = x;
            lack = std::log(target / std::max(value.lower, 1e-300));
        }
        if (first || x >= to) {
            to = x;
            excess = std::log(value.upper / target);
        }
    }
};

/// A place on the logarithmic axis, and the logarithm of quantity over target there.
struct Point {
    double x;
    double y;
};

class Search {
public:
    Search(const ValueWithin& value_at, double target, double low, const SufficientPlace& high,
           double precision)
        : value_at_(value_at),
          target_(target),
          precision_(precision),
          left_{std::log(low), std::log(1e300)},
          right_{std::log(high.x), height(high.value)},
          found_{0.0, high.x, high.value} {}

    Threshold run(double low) {
        if (!has(low, coarse)) return found_;
        for (int i = 0; i < most_evaluations && !is_done(); ++i) has(std::exp(next()), tolerance());
        return found_;
    }

private:
    [[nodiscard]] double height(const Enclosure& value) const {
        const double middle = 0.5 * (value.lower + value.upper);
        return std::log(std::max(middle, 1e-300) / target_);
    }

    /// Takes one evaluation in; false where x is sufficient.
    bool has(double x, double tolerance) {
        Enclosure value = value_at_(x, std::max(tolerance, coarse));
        const auto is_decided = [&] { return value.upper <= target_ || value.lower > target_; };
        if (!is_decided() && tolerance < coarse) value = value_at_(x, tolerance);
        const Point point{std::log(x), height(value)};
        if (value.upper <= target_) {
            found_.sufficient = x;
            found_.value = value;
            right_ = point;
            if (open_.from >= point.x) open_ = {};
            return false;
        }
        if (value.lower > target_) {
            found_.insufficient = x;
            left_ = point;
            if (open_.to <= point.x) open_ = {};
        } else {
            open_.include(point.x, value, target_);
        }
        return true;
    }

    /// How far from an end of what is open an enclosure as wide should decide; nothing is foretold
    /// from one that says hardly anything.
    [[nodiscard]] double reach(double height) const {
        return height < wide ? 1.2 * height / steepness() : 0.0;
    }

    [[nodiscard]] bool is_done() const {
        if (right_.x - left_.x <= precision_) return true;
        return !open_.empty() &&
               right_.x - open_.to <= std::max(0.2 * precision_, 1.5 * reach(open_.excess)) &&
               open_.from - left_.x <= std::max(0.2 * precision_, 1.5 * reach(open_.lack));
    }

    [[nodiscard]] double steepness() const {
        const double slope = (left_.y - right_.y) / (right_.x - left_.x);
        return left_.y < near ? std::clamp(slope, 0.1, 1e3) : 20.0;
    }

    [[nodiscard]] double tolerance() const {
        return std::clamp(0.2 * precision_ * steepness(), 1e-6, 1e-2);
    }

    /// Far from the target the logarithm falls ever faster.
    static double bent(double y) { return std::copysign(std::log1p(std::fabs(y)), y); }

    /// Beside what is open, where an enclosure as wide should decide; else beside the interpolated
    /// crossing, on the side that is farther away.
    [[nodiscard]] double next() {
        if (!open_.empty()) {
            const double above = open_.to + reach(open_.excess);
            const double below = open_.from - reach(open_.lack);
            if (right_.x - above > below - left_.x)
                return above > open_.to && above < right_.x ? above : 0.5 * (open_.to + right_.x);
            return below < open_.from && below > left_.x ? below : 0.5 * (left_.x + open_.from);
        }
        const double middle = 0.5 * (left_.x + right_.x);
        if (++turns_ % 4 == 0) return middle;
        const double above = bent(left_.y);
        const double part = above / std::max(above - bent(right_.y), 1e-300);
        const double crossing = left_.x + (right_.x - left_.x) * part;
        const double beside = right_.x - crossing > crossing - left_.x ? 0.3 : -0.3;
        const double x = crossing + beside * precision_;
        return x > left_.x && x < right_.x ? x : middle;
    }

    const ValueWithin& value_at_;
    double target_;
    double precision_;
    Point left_;   // insufficient, or the beginning
    Point right_;  // sufficient
    Gap open_;
    Threshold found_;
    int turns_ = 0;
};

}  // namespace

std::optional<SufficientPlace> first_sufficient(const ValueWithin& value_at, double target,
                                                double most) {
    SufficientPlace place{1.0, {}};
    while (place.x <= most) {
        place.value = value_at(place.x, coarse);
        if (place.value.upper <= target) return place;
        place.x *= 2.0;
    }
    return std::nullopt;
}

Threshold find_threshold(const ValueWithin& value_at, double target, double low,
                         const SufficientPlace& high, double precision) {
    require(low > 0.0 && low <= high.x && std::isfinite(high.x), "low", low,
            "0 < low <= high < inf");
    require(target > 0.0, "target", target, "a positive number");
    require(high.value.upper <= target, "high", high.value.upper, "at most the target");
    require(precision > 0.0 && precision < 1.0, "precision", precision, "0 < precision < 1");
    return Search(value_at, target, low, high, precision).run(low);
}

}  // namespace assay
