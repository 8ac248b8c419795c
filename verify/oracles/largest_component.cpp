#include "verify/oracles/largest_component.hpp"

namespace assay::verify::component {

namespace {

/// What all of them are made of: a, a - 1 and c^2/2.
struct Setting {
    Interval order;
    Interval beta;
    Interval shift;
    Interval half_square;

    Setting(double a, double noise, double scale, long bits)
        : order(a, bits),
          beta(order - 1.0),
          shift(Interval(scale, bits) / noise),
          half_square(square(shift) / 2.0) {}

    /// Between the logarithms of a lower and an upper bound of E[P^a Q^{1-a}], over a - 1.
    [[nodiscard]] Interval divergence(const Interval& below, const Interval& above) const {
        return Interval::between(below / beta, above / beta);
    }
};

/// log(1 + e^x), without forming e^x where it is large.
Interval softplus(const Interval& x) {
    return max(x, Interval(0.0, x.bits())) + log1p(exp(-abs(x)));
}

/// a log((1-q) + q e^{(a-1)c^2/2}), as a sum of positive numbers.
Interval minkowski(const Setting& s, const Interval& log_q, const Interval& log_rest) {
    return s.order * (log_rest + softplus(log_q - log_rest + s.beta * s.half_square));
}

/// q^a e^{a(a-1)c^2/2}.
Interval largest(const Setting& s, const Interval& log_q) {
    return s.order * (log_q + s.beta * s.half_square);
}

constexpr long guard_bits = 128;

}  // namespace

Interval removal(double order, double noise, double scale, double q, long bits) {
    const Setting s(order, noise, scale, bits + guard_bits);
    const Interval log_q = log(Interval(q, bits + guard_bits));
    const Interval log_rest = log1p(-Interval(q, bits + guard_bits));
    return s.divergence(largest(s, log_q), minkowski(s, log_q, log_rest));
}

Interval addition(double order, double noise, double scale, double q, long bits) {
    const Setting s(order, noise, scale, bits + guard_bits);
    const Interval weight(q, bits + guard_bits);
    const Interval most = (1.0 - weight) + weight * exp(-(s.half_square / 2.0));
    return s.divergence(log(normal_cdf(s.shift / 4.0)) - s.beta * log(most),
                        -(s.beta * log1p(-weight)));
}

Interval replacement(double order, double noise, double q, long bits) {
    const Setting s(order, noise, 1.0, bits + guard_bits);
    const Interval weight(q, bits + guard_bits);
    const Interval log_q = log(weight);
    const Interval log_rest = log1p(-weight);
    const Interval most = (1.0 - weight) + weight * exp(-s.half_square);
    const Interval below =
        largest(s, log_q) + log(normal_cdf(s.order * s.shift)) - s.beta * log(most);
    return s.divergence(below, minkowski(s, log_q, log_rest) - s.beta * log_rest);
}

Interval with_replacement(double order, double noise, long batch, long dataset, long bits) {
    const long working = bits + guard_bits;
    const Setting s(order, noise, 2.0, working);
    const Interval p = 1.0 / Interval::integer(dataset, working);
    const auto draws = static_cast<double>(batch);
    Interval log_weight = draws * log1p(-p);
    const Interval log_odds = -log(Interval::integer(dataset - 1, working));
    Interval below = s.order * log_weight;
    Interval above = log_weight;
    const auto add = [](Interval& sum, const Interval& term) { sum = sum + softplus(term - sum); };
    for (long n = 1; n <= batch; ++n) {
        const auto k = static_cast<double>(n);
        log_weight += log(Interval(draws - k + 1.0, working) / k) + log_odds;
        const Interval exponent = s.beta * (k * k) * s.half_square;
        add(below, s.order * (log_weight + exponent));
        add(above, log_weight + exponent);
    }
    return s.divergence(below, s.order * above);
}

}  // namespace assay::verify::component
