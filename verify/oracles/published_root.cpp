#include "verify/oracles/published_root.hpp"

#include <cmath>
#include <utility>

#include "verify/oracles/integer_order_refine.hpp"

namespace assay::verify {

namespace {

/// One number of x, enclosed by a decimal of the full precision: iterates stay narrow.
Interval one_of(const Interval& x, long p) {
    return Interval::decimal(x.upper_text(static_cast<int>(p / 3) + 3), p);
}

/// A point and log(profile / delta) there.
struct Sample {
    Interval x;
    Interval value;

    [[nodiscard]] bool is_left() const { return value.is_positive(); }
    [[nodiscard]] bool is_right() const { return mpfr_sgn(value.upper()) < 0; }
};

/// Keeps the root between two samples whose sides are certain.
class Bracket {
public:
    Bracket(double delta, long accuracy, const PrivacyProfile& profile)
        : accuracy_(accuracy),
          log_delta_(log(Interval(delta, accuracy + 64))),
          profile_(profile),
          left_(sample(Interval(0.0, accuracy + 64))),
          right_(left_) {}

    /// The root is at 0; or, failing both, its side of 0 is uncertain.
    [[nodiscard]] bool starts_right() const { return left_.is_right(); }
    [[nodiscard]] bool starts_left() const { return left_.is_left(); }

    /// Finds the right side, from 1 outward or inward.
    bool open() {
        Interval x(1.0, accuracy_ + 64);
        for (int tries = 0; tries < 100; ++tries) {
            const Sample next = sample(x);
            if (next.is_right()) {
                right_ = next;
                return true;
            }
            if (next.is_left()) left_ = next;
            x = x * 2.0;
        }
        return false;
    }

    /// Halves the right side as long as it stays right, so that the ends differ by a factor 2.
    void descend() {
        for (int tries = 0; tries < 2000 && left_.x.is_zero(); ++tries)
            if (!shortfall(right_.x / 2.0)) return;
    }

    /// Places a sample and keeps the half with the root; false when its side is uncertain.
    bool shortfall(const Interval& x) {
        Sample next = sample(x);
        if (next.is_left())
            left_ = std::move(next);
        else if (next.is_right())
            right_ = std::move(next);
        else
            return false;
        return true;
    }

    /// Where the chord meets 0.
    [[nodiscard]] Interval chord() const {
        const Interval share = left_.value / (left_.value - right_.value);
        const Interval x = left_.x + share * (right_.x - left_.x);
        return x.is_finite() ? x : middle();
    }
    [[nodiscard]] Interval middle() const { return (left_.x + right_.x) / 2.0; }
    [[nodiscard]] Interval hull() const { return Interval::between(left_.x, right_.x); }

private:
    [[nodiscard]] Sample sample(const Interval& around) const {
        Interval x = one_of(around, accuracy_ + 64);
        Interval value = log(profile_(x, accuracy_)) - log_delta_;
        return {std::move(x), std::move(value)};
    }

    long accuracy_;
    Interval log_delta_;
    const PrivacyProfile& profile_;
    Sample left_;
    Sample right_;
};

/// Chord steps, each followed by two samples close to where it led: once the step is good they
/// shut the root in; else the interval is halved.
Interval shut_in(Bracket& bracket, long bits) {
    const double wanted = std::ldexp(1.0, static_cast<int>(-bits));
    double width = bracket.hull().relative_width();
    while (width > wanted) {
        const Interval x = bracket.chord();
        const Interval pad = x * (width * width + wanted / 4);
        const bool certain = bracket.shortfall(x - pad) && bracket.shortfall(x + pad);
        if (bracket.hull().relative_width() > width / 2 && !bracket.shortfall(bracket.middle()))
            break;
        width = bracket.hull().relative_width();
        if (!certain && width <= 16 * wanted) break;
    }
    return bracket.hull();
}

}  // namespace

Interval least_epsilon(double delta, long bits, const PrivacyProfile& profile) {
    return nonnegative(refined(bits, [&](long p) {
        Bracket bracket(delta, p - 32, profile);
        if (bracket.starts_right()) return Interval(0.0, p);
        if (!bracket.open()) return Interval::whole_line(p);
        // The profile at 0 may equal delta: then the root is between 0 and the right side.
        if (!bracket.starts_left()) return Interval::between(Interval(0.0, p), bracket.hull());
        bracket.descend();
        return shut_in(bracket, bits);
    }));
}

}  // namespace assay::verify
