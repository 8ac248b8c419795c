#include "verify/oracles/confidence_bounds.hpp"

#include <functional>

#include "verify/oracles/integer_order_refine.hpp"

namespace assay::verify {

namespace {

/// Where an increasing function turns positive, between a place where it is not and one where it
/// is; only places of a certain sign narrow the answer.
Interval turn(Interval left, Interval right, const std::function<Interval(const Interval&)>& f) {
    const long p = left.bits();
    for (long i = 0; i < 2 * p; ++i) {
        const Interval x =
            Interval::decimal(((left + right) / 2.0).upper_text(static_cast<int>(p / 3) + 3), p);
        const Interval value = f(x);
        if (value.is_positive())
            right = x;
        else if (mpfr_sgn(value.upper()) < 0)
            left = x;
        else
            break;
    }
    return Interval::between(left, right);
}

Interval one_like(const Interval& x) {
    return {1.0, x.bits()};
}

Interval zero_like(const Interval& x) {
    return {0.0, x.bits()};
}

}  // namespace

Interval bernoulli_divergence(const Interval& q, const Interval& p) {
    if (q.is_zero()) return -log1p(-p);
    if ((1.0 - q).is_zero()) return -log(p);
    return q * log(q / p) + (1.0 - q) * log((1.0 - q) / (1.0 - p));
}

Interval kl_upper_mean(const Interval& q, const Interval& level) {
    if (q.is_zero()) return -expm1(-level);
    if ((1.0 - q).is_zero()) return q;
    return turn(q, one_like(q),
                [&](const Interval& p) { return bernoulli_divergence(q, p) - level; });
}

Interval kl_lower_mean(const Interval& q, const Interval& level) {
    if (q.is_zero()) return q;
    if ((1.0 - q).is_zero()) return exp(-level);
    return q - turn(zero_like(q), q, [&](const Interval& down) {
               return bernoulli_divergence(q, q - down) - level;
           });
}

Interval bennett_upper_mean(const Interval& q, const Interval& v, const Interval& level) {
    const Interval root = sqrt(v);
    if (certainly_at_most(root, q)) return root;
    return min(root, turn(q, root, [&](const Interval& p) {
                   if (certainly_at_most(p, v)) return bernoulli_divergence(q, p) - level;
                   return bernoulli_divergence(q * p / v, square(p) / v) - level;
               }));
}

Interval bennett_lower_mean(const Interval& q, const Interval& v, const Interval& level) {
    if (q.is_zero()) return q;
    const auto excess = [&](const Interval& t) {
        const Interval ratio = t / v;
        return v * ((1.0 + ratio) * log1p(ratio) - ratio) - level;
    };
    if (!excess(q).is_positive()) return zero_like(q);
    return q - turn(zero_like(q), q, excess);
}

Interval bernstein_upper_mean(const Interval& q, const Interval& variance, double m, double beta) {
    const Interval level = log(2.0 / Interval(beta, q.bits()));
    const Interval radius = sqrt(2.0 * variance * level / m) + 7.0 * level / (3.0 * (m - 1.0));
    return min(one_like(q), q + radius);
}

}  // namespace assay::verify
