#include "verify/oracles/trapezoid_strip.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace assay::verify::trapezoid {

namespace {

constexpr double widest_height = 1e4;

// Below pi/zero_rate, so that no zero is met and the cosine is positive.
double largest_height(const Strip& strip) {
    if (strip.zero_rate <= 0.0) return widest_height;
    return std::min(widest_height, 0.999999 * std::numbers::pi / strip.zero_rate);
}

// log of |g(x+iy)| / g(x).
double log_growth(const Strip& strip, double y) {
    return y * y / 2 - strip.power * std::log(std::cos(strip.sector * y / 2));
}

// The minimum of a function falling, then rising, on a logarithmic scale of heights.
template <class Function>
double best_height(const Strip& strip, Function&& cost) {
    double high = std::log(largest_height(strip));
    double low = high - 60.0;
    for (int i = 0; i < 120; ++i) {
        const double a = low + (high - low) / 3;
        const double b = high - (high - low) / 3;
        (cost(std::exp(a)) < cost(std::exp(b)) ? high : low) =
            cost(std::exp(a)) < cost(std::exp(b)) ? b : a;
    }
    return std::min(std::exp((low + high) / 2), largest_height(strip));
}

}  // namespace

double widest_step(const Strip& strip, double nats) {
    const double y =
        best_height(strip, [&](double t) { return (nats + 1.0 + log_growth(strip, t)) / t; });
    const double step = 2 * std::numbers::pi * y / (nats + 1.0 + log_growth(strip, y));
    int exponent = 0;
    const double mantissa = std::frexp(std::min(step, 1.0), &exponent);
    return std::ldexp(std::floor(mantissa * 1024), exponent - 10);
}

Interval rule_error(const Strip& strip, const Interval& step) {
    const double h = step.upper_double();
    const double y = best_height(
        strip, [&](double t) { return log_growth(strip, t) - 2 * std::numbers::pi * t / h; });
    // Any height below the zeros is valid. Trefethen & Weideman, Theorem 5.1, with
    // M = int g * e^{y^2/2} cos(sector y/2)^-power.
    const long bits = step.bits();
    const Interval height(y, bits);
    const Interval angle = Interval(strip.sector, bits) * height / 2.0;
    const Interval growth = square(height) / 2.0 - Interval(strip.power, bits) * log(cos(angle));
    const Interval twice_pi_over_step = Interval::pi(bits) * 2.0 / step;
    return 2.0 * exp(growth) / expm1(twice_pi_over_step * height);
}

Interval sum_over_all(const Interval& step) {
    // e^{s|x| - x^2/2} = e^{s^2/2} e^{-(|x|-s)^2/2}: on each side one maximum, so the nodes' sum is
    // at most that maximum plus the integral over the step.
    const Interval whole = sqrt(2.0 * Interval::pi(step.bits()));
    return 2.0 * (1.0 + whole / step);
}

Interval sum_beyond(const Interval& width, const Interval& step) {
    // Decreasing there: first node, plus integral / step; int_w^inf e^{-t^2/2} dt <= e^{-w^2/2}/w.
    return 2.0 * exp(-square(width) / 2.0) * (1.0 + 1.0 / (width * step));
}

Interval parabola_maximum(const Interval& slope, const Interval& range) {
    const double centre = (slope.lower_double() + slope.upper_double()) / 2;
    const double at = std::clamp(centre, range.lower_double(), range.upper_double());
    const Interval best(std::isfinite(at) ? at : 0.0, slope.bits());
    // A concave function is below its tangent: s x - x^2/2 <= s b - b^2/2 + (s - b)(x - b).
    return slope * best - square(best) / 2.0 + (slope - best) * (range - best);
}

}  // namespace assay::verify::trapezoid
