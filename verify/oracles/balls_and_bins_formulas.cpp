#include "verify/oracles/balls_and_bins_formulas.hpp"

#include <vector>

#include "verify/oracles/integer_order_refine.hpp"

namespace assay::verify {

namespace {

constexpr double most_shares = 2e4;
constexpr long most_bits = 1500;  // of a bisection: probabilities down to 1e-400
constexpr long most_reciprocals = 5000;

struct Epoch {
    long T;
    double sigma;
    double eps;

    explicit Epoch(const Point& p) : T(p.integer("T")), sigma(p["sigma"]), eps(p["eps"]) {}
};

/// 1/2 + sigma^2 (eps - log(1 + (e^{1/sigma^2} - 1)/T))
Interval threshold_remove(const Epoch& e, long p) {
    const Interval s2 = square(Interval(e.sigma, p));
    return 0.5 + s2 * (Interval(e.eps, p) - log1p(expm1(1.0 / s2) / whole(e.T)));
}

/// 1/2 + sigma^2 (log T - eps)
Interval threshold_add(const Epoch& e, long p) {
    return 0.5 + square(Interval(e.sigma, p)) * (log(Interval::integer(e.T, p)) - e.eps);
}

/// Phi(C/sigma)^T
Interval all_below(const Epoch& e, const Interval& threshold) {
    return power(normal_cdf(threshold / e.sigma), e.T);
}

/// Values of the largest coordinate's distribution, T-1 with mean 0 and one with mean a (in units
/// of noise).
struct Largest {
    Interval density;       // over Phi(C)^{T-2}
    Interval distribution;  // over Phi(C)^{T-1}
};

Interval bell(const Interval& x) {
    return exp(-(square(x) / 2.0));
}

Largest largest_at(const Interval& C, const Interval& a, long T) {
    const Interval below = normal_cdf(C - a);
    const Interval root = sqrt(2.0 * Interval::pi(C.bits()));
    return {(bell(C - a) * normal_cdf(C) + whole(T - 1) * below * bell(C)) / root, below};
}

/// Sides of the root of e^eps - density ratio.
Interval slope_at(const Interval& C, const Interval& a, const Interval& b, const Interval& e,
                  long T) {
    return e * largest_at(C, b, T).density - largest_at(C, a, T).density;
}

Interval supremum_at(long T, double sigma, double shift, double eps, long p) {
    if (p > most_bits) throw Unaffordable();
    const Interval a = Interval(shift, p) / sigma;
    const Interval b = (Interval(shift, p) - 1.0) / sigma;
    const Interval e = exp(Interval(eps, p));
    // Odd ends: no half of halves is a root, of which no sign would be certain.
    double bottom = -2.0 / sigma - 10.0471;
    double top = 2.0 / sigma + 10.1337;
    for (int i = 0; i < 60 && !slope_at(Interval(bottom, p), a, b, e, T).is_positive(); ++i)
        bottom *= 2.0;
    for (int i = 0; i < 60 && mpfr_sgn(slope_at(Interval(top, p), a, b, e, T).upper()) >= 0; ++i)
        top *= 2.0;
    Interval left(bottom, p);
    Interval right(top, p);
    if (!slope_at(left, a, b, e, T).is_positive()) return Interval::whole_line(p);
    if (mpfr_sgn(slope_at(right, a, b, e, T).upper()) >= 0) return Interval::whole_line(p);
    for (long i = 0; i < p; ++i) {
        const Interval both = (left + right) / 2.0;
        const Interval middle = Interval::decimal(both.upper_text(static_cast<int>(p / 3) + 3), p);
        const Interval slope = slope_at(middle, a, b, e, T);
        if (slope.is_positive())
            left = middle;
        else if (mpfr_sgn(slope.upper()) < 0)
            right = middle;
        else
            break;
    }
    const Interval C = Interval::between(left, right);
    return 1.0 - e + power(normal_cdf(C), T - 1) * (e * normal_cdf(C - b) - normal_cdf(C - a));
}

/// KL(q || x), 0 < q < 1.
Interval divergence(const Interval& q, const Interval& x) {
    return q * log(q / x) + (1.0 - q) * log((1.0 - q) / (1.0 - x));
}

/// The sum over the shares of `left` among `places` more summands, each term over alpha!.
Interval shares(long left, long places, const std::vector<Interval>& weight) {
    if (places == 1) return weight[static_cast<std::size_t>(left)];
    Interval sum(0.0, weight.front().bits());
    for (long a = 0; a <= left; ++a)
        sum += weight[static_cast<std::size_t>(a)] * shares(left - a, places - 1, weight);
    return sum;
}

Interval probability(const Interval& x) {
    return min(nonnegative(x), Interval(1.0, x.bits()));
}

template <Interval (*threshold)(const Epoch&, long)>
Interval c_eps(const Point& point, long bits) {
    return refined(bits, [e = Epoch(point)](long p) { return threshold(e, p); });
}

Interval event_remove(const Point& point, long bits) {
    return probability(refined(
        bits, [e = Epoch(point)](long p) { return 1.0 - all_below(e, threshold_remove(e, p)); }));
}

Interval event_add(const Point& point, long bits) {
    return probability(
        refined(bits, [e = Epoch(point)](long p) { return all_below(e, threshold_add(e, p)); }));
}

template <int shift>
Interval largest_coordinate(const Point& point, long bits) {
    const Epoch e(point);
    return largest_coordinate_supremum(e.T, e.sigma, shift, e.eps, bits);
}

Interval upper_confidence(const Point& point, long bits) {
    return smallest_mean(point["q"], point["m"], point["beta"], bits);
}

Interval rdp(const Point& point, long bits) {
    return shared_moment(point.integer("T"), point["sigma"], point.integer("alpha"), bits);
}

bool few_shares(const Point& point) {
    const long alpha = point.integer("alpha");
    double count = 1.0;  // C(alpha + T-1, T-1)
    for (long t = 1; t < point.integer("T") && count < most_shares; ++t)
        count = count * static_cast<double>(alpha + t) / static_cast<double>(t);
    return count < most_shares;
}

/// -(1/(R-k+1) + .. + 1/R)
Interval mean_log_uniform(const Point& point, long bits) {
    return refined(bits, [&](long p) {
        const long R = point.integer("R");
        Interval sum(0.0, p);
        for (long j = 0; j < point.integer("k"); ++j) sum -= Interval(1.0, p) / whole(R - j);
        return sum;
    });
}

bool few_reciprocals(const Point& point) {
    return point["k"] >= 1 && point["k"] <= point["R"] && point["k"] <= most_reciprocals;
}

}  // namespace

Interval largest_coordinate_supremum(long T, double sigma, double shift, double eps, long bits) {
    return probability(refined(bits, [&](long p) { return supremum_at(T, sigma, shift, eps, p); }));
}

Interval smallest_mean(double q_value, double m, double beta, long bits) {
    if (q_value == 1.0) return Interval(1.0, bits);
    return refined(bits, [&](long p) {
        const Interval q(q_value, p);
        const Interval goal = -(log(Interval(beta, p)) / m);
        if (q_value == 0.0) return -expm1(-goal);
        Interval left = q;
        Interval right(1.0, p);
        for (long i = 0; i < 2 * p; ++i) {
            const Interval x = Interval::decimal(
                ((left + right) / 2.0).upper_text(static_cast<int>(p / 3) + 3), p);
            const Interval excess = divergence(q, x) - goal;
            if (excess.is_positive())
                right = x;
            else if (mpfr_sgn(excess.upper()) < 0)
                left = x;
            else
                break;
        }
        return Interval::between(left, right);
    });
}

Interval shared_moment(long T, double sigma, long alpha, long bits) {
    return nonnegative(refined(bits, [&](long p) {
        const Interval twice = 2.0 * square(Interval(sigma, p));
        std::vector<Interval> weight;  // e^{a(a-1)/(2 sigma^2)} / a!
        Interval factorial(1.0, p);
        for (long a = 0; a <= alpha; ++a) {
            if (a > 1) factorial *= whole(a);
            weight.push_back(exp(whole(a * (a - 1)) / twice) / factorial);
        }
        const Interval moment =
            factorial * shares(alpha, T, weight) / power(Interval::integer(T, p), alpha);
        return log(moment) / whole(alpha - 1);
    }));
}

std::vector<Oracle> balls_and_bins_formula_oracles() {
    constexpr auto formula = "formula";
    constexpr auto root = "bisection";
    return {
        {"chua2025.c_eps_remove", formula, c_eps<threshold_remove>},
        {"chua2025.c_eps_add", formula, c_eps<threshold_add>},
        {"chua2025.event_probability_remove", formula, event_remove},
        {"chua2025.event_probability_add", formula, event_add},
        {"chua2025.kl_upper_confidence", root, upper_confidence},
        {"chua2025.eq_6", root, largest_coordinate<1>},
        {"chua2025.shuffle_lower", root, largest_coordinate<2>},
        {"order_statistics.mean_log_uniform", "sum of reciprocals", mean_log_uniform,
         few_reciprocals},
    };
}

std::vector<Oracle> balls_and_bins_sum_oracles() {
    return {{"exact.balls_and_bins_rdp", "sum over all shares", rdp, few_shares}};
}

}  // namespace assay::verify
