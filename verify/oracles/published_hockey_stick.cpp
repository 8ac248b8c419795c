#include "verify/oracles/published_hockey_stick.hpp"

#include "verify/oracles/integer_order_refine.hpp"
#include "verify/oracles/published_root.hpp"

namespace assay::verify {

namespace {

/// x with p bits of precision: operations give the larger precision of their operands.
Interval at_precision(const Interval& x, long p) {
    return x + Interval(0.0, p);
}

/// The z with W = y, given (y - (1-q)) / q > 0: log of it over c, plus c/2.
Interval threshold(const Interval& ratio, const Interval& c) {
    return log(ratio) / c + c / 2.0;
}

/// E[(W - y)_+], y = e^eps: with z* where W = y, P(z > z*) is Phi(-z*) under N(0,1) and Phi(c-z*)
/// under N(c,1).
Interval remove_at(double c_value, double q_value, const Interval& epsilon, long p) {
    const Interval c(c_value, p);
    const Interval q(q_value, p);
    const Interval above = exp(at_precision(epsilon, p)) - (1.0 - q);  // y - (1-q)
    const Interval everywhere = q - above;                             // 1 - y: W > y for all z
    if (mpfr_sgn(above.upper()) <= 0) return everywhere;
    const Interval z = threshold(above / q, c);
    const Interval delta = q * normal_cdf(c - z) - above * normal_cdf(-z);
    return above.is_positive() ? delta : Interval::whole_line(p);
}

/// E[(1 - e^eps W)_+]: W < e^-eps below z*.
Interval add_at(double c_value, double q_value, const Interval& epsilon, long p) {
    const Interval c(c_value, p);
    const Interval q(q_value, p);
    const Interval e = exp(at_precision(epsilon, p));
    const Interval above = 1.0 / e - (1.0 - q);
    if (mpfr_sgn(above.upper()) <= 0) return Interval(0.0, p);  // W >= 1-q >= e^-eps
    if (!above.is_positive()) return Interval::whole_line(p);
    const Interval z = threshold(above / q, c);
    return normal_cdf(z) - e * ((1.0 - q) * normal_cdf(z) + q * normal_cdf(z - c));
}

/// Phi(mu/2 - eps/mu) - e^eps Phi(-mu/2 - eps/mu), mu = c sqrt T.
Interval gaussian_at(const Interval& mu, const Interval& epsilon, long p) {
    const Interval e = at_precision(epsilon, p);
    return normal_cdf(mu / 2.0 - e / mu) - exp(e) * normal_cdf(-mu / 2.0 - e / mu);
}

/// Probabilities.
Interval clipped(const Interval& delta) {
    return min(nonnegative(delta), Interval(1.0, delta.bits()));
}

}  // namespace

Interval one_step_delta_remove(double c, double q, const Interval& epsilon, long bits) {
    if (q == 0 && mpfr_sgn(epsilon.lower()) >= 0) return Interval(0.0, bits);
    if (q == 0)
        return clipped(refined(bits, [&](long p) {
            return 1.0 - exp(at_precision(epsilon, p));  // W = 1
        }));
    return clipped(refined(bits, [&](long p) { return remove_at(c, q, epsilon, p); }));
}

Interval one_step_delta_add(double c, double q, const Interval& epsilon, long bits) {
    if (q == 0) return one_step_delta_remove(c, q, epsilon, bits);  // P = Q
    return clipped(refined(bits, [&](long p) { return add_at(c, q, epsilon, p); }));
}

Interval gaussian_delta(double c, double T, const Interval& epsilon, long bits) {
    return clipped(
        refined(bits, [&](long p) { return gaussian_at(c * sqrt(Interval(T, p)), epsilon, p); }));
}

namespace {

Interval epsilon_of(const Point& point, long bits) {
    return Interval(point["eps"], bits);
}

Interval delta_remove(const Point& point, long bits) {
    return one_step_delta_remove(point["c"], point["q"], epsilon_of(point, bits), bits);
}

Interval delta_add(const Point& point, long bits) {
    return one_step_delta_add(point["c"], point["q"], epsilon_of(point, bits), bits);
}

Interval delta_of_gaussian(const Point& point, long bits) {
    return gaussian_delta(point["c"], point["T"], epsilon_of(point, bits), bits);
}

/// exact.deterministic_delta: shift 1/sigma.
Interval deterministic_delta(const Point& point, long bits) {
    return clipped(refined(bits, [&](long p) {
        return gaussian_at(1.0 / Interval(point["sigma"], p), epsilon_of(point, bits), p);
    }));
}

Interval one_step_epsilon(const Point& point, long bits) {
    const double c = point["c"];
    const double q = point["q"];
    return least_epsilon(point["delta"], bits, [&](const Interval& epsilon, long accuracy) {
        return max(one_step_delta_remove(c, q, epsilon, accuracy),
                   one_step_delta_add(c, q, epsilon, accuracy));
    });
}

Interval gaussian_epsilon(const Point& point, long bits) {
    const double c = point["c"];
    const double T = point["T"];
    return least_epsilon(point["delta"], bits, [&](const Interval& epsilon, long accuracy) {
        return gaussian_delta(c, T, epsilon, accuracy);
    });
}

}  // namespace

std::vector<Oracle> published_hockey_stick_oracles() {
    constexpr auto method = "normal probabilities";
    constexpr auto root = "root of normal probabilities";
    return {
        {"one_step.delta_remove", method, delta_remove},
        {"one_step.delta_add", method, delta_add},
        {"gaussian.delta", method, delta_of_gaussian},
        {"exact.deterministic_delta", method, deterministic_delta},
        {"one_step.epsilon", root, one_step_epsilon},
        {"gaussian.epsilon", root, gaussian_epsilon},
    };
}

}  // namespace assay::verify
