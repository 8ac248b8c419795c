#include "assay/rdp/theorem_11.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "assay/numeric/bisect.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/rdp/log_excess.hpp"
#include "assay/rdp/sampled_gaussian.hpp"

namespace assay {

namespace {

/// Both sides of (4) and (5), with bounds on the absolute error of the right-hand ones.
struct Conditions {
    real right_4;
    real error_4;
    real numerator_5;
    real numerator_error_5;
    real denominator_5;  // positive; relative error at most 2 libm_error
};

Conditions conditions(real alpha, real s, real q) {
    const real y = q * (alpha - 1.0L);
    const real level = std::log1p(1.0L / y);  // L
    const real log_s = std::log(s);
    const real half = 0.5L * s * s;
    Conditions result{};
    result.right_4 = half * level - 2.0L * log_s;
    result.error_4 = 2.0L * libm_error * (half * level + 2.0L * std::fabs(log_s));
    const real square = half * level * level;
    result.numerator_5 = square - std::log(5.0L) - 2.0L * log_s;
    result.numerator_error_5 = 3.0L * libm_error * (square + 2.0L + 2.0L * std::fabs(log_s));
    // L + log(q alpha) = log((1 + y) alpha / (alpha - 1)) = log1p(1/(alpha-1)) + log1p(y) > 0.
    result.denominator_5 = std::log1p(1.0L / (alpha - 1.0L)) + std::log1p(y) + 0.5L / (s * s);
    return result;
}

bool holds_4(real alpha, real s, real q) {
    const Conditions c = conditions(alpha, s, q);
    return alpha <= c.right_4 - c.error_4;
}

bool holds_5(real alpha, real s, real q) {
    const Conditions c = conditions(alpha, s, q);
    return alpha * c.denominator_5 * (1.0L + 4.0L * libm_error) <=
           c.numerator_5 - c.numerator_error_5;
}

/// Largest alpha > 1 with holds(alpha), for a set (1, largest]; rounded down, 0 when it is empty.
template <class Holds>
double largest(Holds holds) {
    real low = 1.0L + 0x1p-52L;
    if (!holds(low)) return 0.0;
    real high = 2.0L;
    while (holds(high)) {
        low = high;
        high *= 2.0L;
    }
    for (int i = 0; i < 80; ++i) {
        const real middle = low + (high - low) / 2.0L;
        (holds(middle) ? low : high) = middle;
    }
    return round_down(low);
}

void check_largest(double s, double q) {
    require(s >= 4.0 && std::isfinite(s), "s", s, "s >= 4 and finite");
    require(q > 0.0 && q <= 1.0, "q", q, "0 < q <= 1");
}

}  // namespace

Theorem11 theorem_11(double order, double s, double q) {
    require(order > 1.0 && std::isfinite(order), "alpha", order, "alpha > 1 and finite");
    require(s > 0.0 && std::isfinite(s), "s", s, "s > 0 and finite");
    require(q >= 0.0 && q <= 1.0, "q", q, "0 <= q <= 1");
    Theorem11 result;
    const bool in_domain = q <= 0.2 && s >= 4.0;
    if (q == 0.0) {
        // L is infinite and both conditions hold.
        result.rdp = exactly(0.0);
        result.condition_4 = result.condition_5 = std::numeric_limits<double>::infinity();
        result.applies = in_domain;
        return result;
    }
    const real alpha = order;
    const real rate = static_cast<real>(q) / s;
    const real value = 2.0L * rate * rate * alpha;
    result.rdp = enclose(value, 6.0L * unit_roundoff * value);
    const Conditions c = conditions(alpha, s, q);
    result.condition_4 = static_cast<double>(c.right_4);
    result.condition_5 = static_cast<double>(c.numerator_5 / c.denominator_5);
    result.applies = in_domain && holds_4(alpha, s, q) && holds_5(alpha, s, q);
    return result;
}

// (4): L falls with alpha, so alpha - s^2 L/2 + 2 log s rises strictly from -inf at alpha -> 1: the
// set is an interval (1, largest].
double largest_order_condition_4(double s, double q) {
    check_largest(s, q);
    return largest([&](real alpha) { return holds_4(alpha, s, q); });
}

// (5), multiplied by its positive denominator: h = s^2 L^2/2 - log 5 - 2 log s
//      - alpha [log(alpha/(alpha-1)) + log1p(y) + 1/(2 s^2)] >= 0 with y = q (alpha-1).
// h falls strictly for s >= 2, q <= 1, from +inf at alpha -> 1:
//   h' = -s^2 L / ((alpha-1)(1+y)) + [1/(alpha-1) - log(alpha/(alpha-1))]
//        - log1p(y) - q alpha/(1+y) - 1/(2 s^2).
//   y <= s/2: s^2 L/(1+y) falls in y and is >= s^2 (2/(s+2)) (2/(s+2)) = 4 s^2/(s+2)^2 >= 1, so the
//   first term outweighs 1/(alpha-1).
//   y > s/2: the square bracket is <= 1/(2 (alpha-1)^2) <= 1/(2 y^2) < 2/s^2 <= 1/2 < log 2
//   <= log1p(y).
double largest_order_condition_5(double s, double q) {
    check_largest(s, q);
    return largest([&](real alpha) { return holds_5(alpha, s, q); });
}

LargestOrders largest_orders(double s, double q) {
    LargestOrders result;
    result.condition_4 = largest_order_condition_4(s, q);
    result.condition_5 = largest_order_condition_5(s, q);
    result.both = std::min(result.condition_4, result.condition_5);
    const auto below = [&](double order) {
        return poisson_add_remove_rdp(order, s, q).upper <= theorem_11(order, s, q).rdp.lower;
    };
    double low = 1.001;
    if (!below(low)) return result;
    double high = 2.0;
    while (high < 1e6 && below(high)) {
        low = high;
        high *= 2.0;
    }
    result.exact = bisect(low, high, 1e-12, std::not_fn(below), 50).low;
    return result;
}

}  // namespace assay
