#include "verify/oracles/balls_and_bins_epoch.hpp"

#include "verify/oracles/balls_and_bins_split.hpp"
#include "verify/oracles/integer_order_refine.hpp"

namespace assay::verify {

namespace {

constexpr long guard = 40;  // bits of the working precision that quadrature does not aim at

/// Every summand that is integrated out multiplies the cost: it halves the bits given for those
/// asked.
template <class At>
Interval probability(long T, long bits, At at) {
    const long most_bits = T == 1 ? 5000 : T == 2 ? 700 : 100;
    const Interval value = refined(bits >> (T - 1), [&](long p) {
        if (p > most_bits) throw Unaffordable();
        return at(p);
    });
    return min(nonnegative(value), Interval(1.0, value.bits()));
}

Interval delta_remove(const Point& point, long bits) {
    const long T = point.integer("T");
    return probability(T, bits, [&](long p) {
        const Interval e = exp(Interval(point["eps"], p));
        const Interval shortfall =
            sum_shortfall(T, e * whole(T), Interval(point["sigma"], p), p - guard);
        return shortfall / whole(T) + 1.0 - e;
    });
}

Interval delta_add(const Point& point, long bits) {
    const long T = point.integer("T");
    return probability(T, bits, [&](long p) {
        const Interval k = exp(-Interval(point["eps"], p)) * whole(T);
        return sum_shortfall(T, k, Interval(point["sigma"], p), p - guard) / k;
    });
}

Interval poisson_remove(const Point& point, long bits) {
    if (point["q"] == 0.0) return Interval(0.0, bits);
    const long T = point.integer("T");
    return probability(T, bits, [&](long p) {
        const Interval e = exp(Interval(point["eps"], p));
        const Interval shortfall = poisson_shortfall(T, e, Interval(point["q"], p),
                                                     Interval(point["sigma"], p), p - guard);
        return shortfall + 1.0 - e;
    });
}

bool few_batches(const Point& point) {
    return point["T"] >= 1 && point["T"] <= 3 && point["eps"] >= 0;
}

bool few_steps(const Point& point) {
    return point["T"] >= 1 && point["T"] <= 2 && point["eps"] >= 0 && point["q"] < 1;
}

}  // namespace

// The conditions of split_integral: for |arg k| < pi the integral along the ray of k gives
// |P_T(k)| <= e^{T sigma^2 (arg k)^2 / 2} P_T(|k|), and P_T(|k|) <= |k|. With |Im a| <= d the
// arguments of p and 1-p have opposite signs and differ by Im a. For real k > 0
// P_T(k) <= k P(X <= k) = k Phi(sigma (log k + w^2/2)).
Interval sum_shortfall(long T, const Interval& k, const Interval& sigma, long goal) {
    if (T == 1) return one_shortfall(k, sigma);
    const Rest rest = [&](const Interval&, const Interval& other) {
        return sum_shortfall(T - 1, k * other, sigma, goal);
    };
    return split_integral(k, sigma, k, static_cast<double>(T - 1), rest, goal);
}

// W_1 = w = 1-q + q u, u = k* p, where w W_2 < k: u < k* = (k/(1-q) - (1-q))/q. Then
// E (k - w W_2)_+ = q w P_1(v), v = (k - (1-q) w)/(q w) = (1-q) k* (1-p)/w; q w v = q (1-q) k*
// (1-p), |arg v| <= |Im a|, as arg w lies between 0 and arg p, and v <= k* (1-p) on the line.
Interval poisson_shortfall(long T, const Interval& k, const Interval& q, const Interval& sigma,
                           long goal) {
    const Interval unsampled = 1.0 - q;
    if (T == 1) {
        const Interval left = k - unsampled;
        if (mpfr_sgn(left.upper()) <= 0) return Interval(0.0, k.bits());
        if (!left.is_positive()) return Interval::whole_line(k.bits());
        return q * one_shortfall(left / q, sigma);
    }
    const Interval most = (k / unsampled - unsampled) / q;
    const Rest rest = [&](const Interval& p, const Interval& other) {
        const Interval w = unsampled + q * most * p;
        return q * w * one_shortfall(unsampled * most * other / w, sigma);
    };
    return split_integral(most, sigma, q * unsampled * most, 2.0, rest, goal);
}

std::vector<Oracle> balls_and_bins_epoch_oracles() {
    constexpr auto method = "trapezoid rule, one summand after the other";
    return {
        {"balls_and_bins.delta_remove", method, delta_remove, few_batches},
        {"balls_and_bins.delta_add", method, delta_add, few_batches},
        {"poisson.delta_remove", method, poisson_remove, few_steps},
    };
}

}  // namespace assay::verify
