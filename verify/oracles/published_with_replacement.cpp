#include "verify/oracles/published_with_replacement.hpp"

#include <algorithm>
#include <cmath>

#include "verify/oracles/integer_order_binomial.hpp"
#include "verify/oracles/integer_order_refine.hpp"
#include "verify/oracles/published_add_remove.hpp"
#include "verify/oracles/published_weights.hpp"

namespace assay::verify {

namespace {

constexpr double most_bounds_work = 5e8;  // about 1 s for all n <= K together

enum class Bound { taylor, taylor_capped, exact };

/// The H of one n at order sigma/n: (112) asks for it at the noise sigma/n.
Interval mixture_moment(const Point& point, Bound kind, long n, const Interval& q, long p) {
    const double alpha = point["alpha"];
    const Interval c = Interval::integer(2 * n, p) / point["sigma"];
    const Interval c_squared = square(c);
    if (kind == Bound::exact) return binomial_moment(static_cast<long>(alpha), q, c_squared);
    const long m = point.integer("m");
    const Moments moments(c_squared, orders_that_matter(alpha, m, q.upper_double(), c_squared,
                                                        largest_order(alpha, m), 0.0, 0.0));
    return 1.0 + taylor_bound_excess(alpha, m, q, moments);
}

/// (112) with the smallest q~, for which a~_0 = 0.
Interval theorem_3_6_at(const Point& point, Bound kind, long p) {
    const double alpha = point["alpha"];
    const long B = point.integer("B");
    const long K = std::min(point.integer("K"), B);
    const double work = static_cast<double>(K) * (alpha + 20) * static_cast<double>(p + 200);
    if (work > most_bounds_work) throw Unaffordable();
    const std::vector<Interval> weights = copy_weights(B, point.integer("D"), B, p);
    const Interval q = smallest_q_tilde(weights, K);
    const Interval a(alpha, p);
    // e^{2 alpha (alpha-1) n^2 / sigma^2}, by its ratio e^{x (2n+1)}.
    const Interval e_x = exp(2.0 * a * (a - 1.0) / square(Interval(point["sigma"], p)));
    const Interval e_2x = square(e_x);
    Interval plain(1.0, p);
    Interval ratio = e_x;
    Interval sum(0.0, p);
    for (long n = 1; n <= B; ++n) {
        plain *= ratio;
        ratio *= e_2x;
        const Interval& weight = weights[static_cast<std::size_t>(n)];
        if (n > K) {
            sum += weight * plain;
            continue;
        }
        Interval h = mixture_moment(point, kind, n, q, p);
        if (kind == Bound::taylor_capped) h = min(h, plain);
        sum += weight / q * h;
    }
    return log(sum) / (a - 1.0);
}

Interval theorem_3_6(const Point& point, Bound kind, long bits) {
    // Every H and its bound is >= 1, and the weights of (112) add up to 1.
    return nonnegative(refined(bits, [&](long p) { return theorem_3_6_at(point, kind, p); }));
}

Interval taylor_bound(const Point& point, long bits) {
    return theorem_3_6(point, Bound::taylor, bits);
}

Interval capped_bound(const Point& point, long bits) {
    return theorem_3_6(point, Bound::taylor_capped, bits);
}

Interval exact_h_bound(const Point& point, long bits) {
    return theorem_3_6(point, Bound::exact, bits);
}

Interval q_tilde(const Point& point, long bits) {
    const long B = point.integer("B");
    const long K = std::min(point.integer("K"), B);
    return refined(bits, [&](long p) {
        return smallest_q_tilde(copy_weights(B, point.integer("D"), K, p), K);
    });
}

/// alpha B / (alpha-1) (2 B (alpha-1) / sigma^2 - log D).
Interval equation_120(const Point& point, long bits) {
    return refined(bits, [&](long p) {
        const Interval a(point["alpha"], p);
        const Interval B = Interval::integer(point.integer("B"), p);
        const Interval D = Interval::integer(point.integer("D"), p);
        return a * B / (a - 1.0) *
               (2.0 * B * (a - 1.0) / square(Interval(point["sigma"], p)) - log(D));
    });
}

/// The theorem's assumption.
bool dataset_is_larger(const Point& point) {
    return point["D"] > point["B"];
}

}  // namespace

Interval smallest_q_tilde(const std::vector<Interval>& weights, long K) {
    Interval sum(0.0, weights[0].bits());
    for (long n = 1; n <= K; ++n) sum += weights[static_cast<std::size_t>(n)];
    return 1.0 / (1.0 + weights[0] / sum);
}

std::vector<Oracle> published_with_replacement_oracles() {
    return {
        {"birrell2024.q_tilde", "(113) as printed", q_tilde, dataset_is_larger},
        {"birrell2024.thm_3_6", "(112) as printed", taylor_bound, dataset_is_larger},
        {"birrell2024.thm_3_6_capped", "(112) with capped terms", capped_bound, dataset_is_larger},
        {"birrell2024.thm_3_6_exact_h", "(112) with binomial sums", exact_h_bound,
         [](const Point& point) { return dataset_is_larger(point) && is_integer(point["alpha"]); }},
        {"birrell2024.eq_120", "(120) as printed", equation_120},
    };
}

}  // namespace assay::verify
