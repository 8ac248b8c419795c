#include "assay/numeric/threshold_search.hpp"

#include <algorithm>
#include <cmath>

#include "assay/numeric/errors.hpp"
#include "assay/numeric/work_limit.hpp"

namespace assay {

namespace {

constexpr int most_evaluations = 40;
/// Enclosures decide at this width first.
constexpr double coarse = 0.1;
/// Logarithms of the quantity further from the target say little of its slope there.
constexpr double near = 3.0;

/// Where one end of the enclosures passes the target: between two places on the logarithmic axis,
/// with the logarithm of that end over the target at each.
struct Crossing {
    double left;   // there the end exceeds the target
    double above;  // > 0
    double right;  // there it does not
    double below;  // <= 0

    [[nodiscard]] double width() const { return right - left; }
    void include(double x, double height) {
        if (height > 0.0 && x > left) {
            left = x;
            above = height;
        } else if (height <= 0.0 && x < right) {
            right = x;
            below = height;
        }
    }
    [[nodiscard]] double steepness() const {
        return above < near ? std::clamp((above - below) / width(), 0.1, 1e3) : 20.0;
    }
    /// Beside the interpolated crossing, on the side that is farther away.
    [[nodiscard]] double next(double precision, bool halve) const {
        const double middle = 0.5 * (left + right);
        if (halve) return middle;
        // Far from the target the logarithm falls ever faster.
        const auto bent = [](double y) { return std::copysign(std::log1p(std::fabs(y)), y); };
        const double part = bent(above) / std::max(bent(above) - bent(below), 1e-300);
        const double crossing = left + width() * part;
        const double shift = std::min(0.3 * precision, 0.2 * width());
        const double x = crossing + (right - crossing > crossing - left ? shift : -shift);
        return x > left && x < right ? x : middle;
    }
};

class Search {
public:
    Search(const ValueWithin& value_at, double target, double low, const SufficientPlace& high,
           double precision)
        : value_at_(value_at),
          target_(target),
          precision_(precision),
          lower_{std::log(low), std::log(1e300), std::log(high.x), height(high.value.lower)},
          upper_{std::log(low), std::log(1e300), std::log(high.x), height(high.value.upper)},
          found_{0.0, high.x, high.value} {}

    Threshold run(double low) {
        try {
            narrow(low);
        } catch (const WorkEnded&) {
        }
        return found_;
    }

private:
    void narrow(double low) {
        if (!has(low, coarse)) return;
        for (int i = 0; i < most_evaluations && !is_done(); ++i) {
            const Crossing& wider = lower_.width() > upper_.width() ? lower_ : upper_;
            const double tolerance = std::clamp(0.2 * precision_ * wider.steepness(), 1e-6, 1e-2);
            has(std::exp(wider.next(precision_, i % 4 == 3)), tolerance);
        }
    }

    [[nodiscard]] double height(double value) const {
        return std::log(std::max(value, 1e-300) / target_);
    }

    /// Takes one evaluation in; false where x is sufficient.
    bool has(double x, double tolerance) {
        Enclosure value = value_at_(x, std::max(tolerance, coarse));
        const auto is_decided = [&] { return value.upper <= target_ || value.lower > target_; };
        // An enclosure that is wider than it was asked to be gets no narrower.
        const bool is_stuck = value.upper - value.lower > 1.5 * coarse * value.upper;
        if (!is_decided() && !is_stuck && tolerance < coarse) value = value_at_(x, tolerance);
        const double place = std::log(x);
        lower_.include(place, value.lower > target_ ? std::max(height(value.lower), 1e-300)
                                                    : std::min(height(value.lower), 0.0));
        upper_.include(place, value.upper > target_ ? std::max(height(value.upper), 1e-300)
                                                    : std::min(height(value.upper), 0.0));
        if (value.lower > target_ && x > found_.insufficient) found_.insufficient = x;
        if (value.upper <= target_ && x <= found_.sufficient) {
            found_.sufficient = x;
            found_.value = value;
        }
        return value.upper > target_;
    }

    /// Together within the precision, or each to a fiftieth of what the enclosures hide.
    [[nodiscard]] bool is_done() const {
        const double apart = upper_.right - lower_.left;
        return apart <= precision_ ||
               std::max(lower_.width(), upper_.width()) <= std::max(0.2 * precision_, 0.02 * apart);
    }

    const ValueWithin& value_at_;
    double target_;
    double precision_;
    Crossing lower_;
    Crossing upper_;
    Threshold found_;
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
