#include <cmath>

#include "verify/checks/control_formulas.hpp"
#include "verify/checks/control_parts.hpp"
#include "verify/checks/spaces.hpp"

namespace assay::verify {

namespace {

constexpr const char* exact = "exact.fixed_size_with_replacement";

Space batches() {
    return {{integer_order_dimension(6.0), noise_dimension("sigma", 1.0, 6.0),
             count_dimension("B", 2, 12, {2, 3, 12}), count_dimension("D", 3, 1000, {13, 100}),
             count_dimension("K", 1, 3, {1, 2, 3})},
            [](const Point& p) { return p["B"] < p["D"] && p["K"] < p["B"]; }};
}

/// a_n = C(B,n) D^{-n} (1-1/D)^{B-n}.
long double weight(long B, long double D, long n) {
    return plain::binomial(static_cast<long double>(B), n) *
           std::pow(D, -static_cast<long double>(n)) *
           std::pow(1.0L - 1.0L / D, static_cast<long double>(B - n));
}

/// (113) with equality; the sum begins at n = `first`.
long double q_tilde(long B, long double D, long K, long first) {
    long double sum = 0.0L;
    for (long n = first; n <= K; ++n) sum += weight(B, D, n);
    return 1.0L / (1.0L + weight(B, D, 0) / sum);
}

enum class Slip { none, no_tail, same_noise };

/// birrell2024 (112) with the exact H at integer orders. Its weights add up to 1: 1 is taken off
/// every term.
Enclosure theorem_3_6(const Point& p, Slip slip) {
    const long order = p.integer("alpha");
    const long B = p.integer("B");
    const long K = p.integer("K");
    const long double D = p["D"];
    const long double sigma = p["sigma"];
    const long double q = q_tilde(B, D, K, 1);
    long double excess = 0.0L;
    for (long n = 1; n <= B; ++n) {
        const auto copies = static_cast<long double>(slip == Slip::same_noise ? 1 : n);
        const long double c = 2.0L * copies / sigma;
        const auto a = static_cast<long double>(order);
        if (n <= K)
            excess += weight(B, D, n) / q * plain::sampled_excess(order, q, c);
        else if (slip != Slip::no_tail)
            excess += weight(B, D, n) * std::expm1(a * (a - 1.0L) * c * c / 2.0L);
    }
    return near(std::log1p(excess) / static_cast<long double>(order - 1));
}

}  // namespace

std::vector<Control> with_replacement_controls() {
    const Space large_orders{
        {integer_order_dimension(32.0), noise_dimension("sigma", 0.5, 3.0),
         count_dimension("B", 2, 12, {2, 4, 12}), count_dimension("D", 3, 100, {13, 100})},
        [](const Point& p) { return p["B"] < p["D"]; }};
    const auto cap = [](const Point& p, long double copies) {
        const long double sigma = p["sigma"];
        return near(2.0L * p["alpha"] * copies * copies / (sigma * sigma));
    };
    const auto honest = [](const Point& p) { return theorem_3_6(p, Slip::none); };
    return {
        control(
            "with_replacement_tail_dropped",
            "birrell2024 (112) truncated after n = K without the terms for n > K",
            bounds(exact, Method::sum), batches(),
            [](const Point& p) { return theorem_3_6(p, Slip::no_tail); }, honest),
        control(
            "with_replacement_noise_not_divided",
            "H at sigma instead of sigma/n for the n-th term of birrell2024 (112)",
            bounds(exact, Method::sum), batches(),
            [](const Point& p) { return theorem_3_6(p, Slip::same_noise); }, honest),
        control(
            "with_replacement_capped_like_one_draw",
            "2 alpha/sigma^2 taken for the unsampled value with replacement, where the record "
            "may fill the batch",
            bounds(exact, Method::trapezoid), large_orders,
            [=](const Point& p) { return cap(p, 1.0L); },
            [=](const Point& p) { return cap(p, p["B"]); }),
        control(
            "q_tilde_forgets_one_copy", "q~ of birrell2024 (113) with its sum begun at n = 2",
            encloses("birrell2024.q_tilde", Method::formula),
            {{count_dimension("B", 2, 200, {2, 3, 120}), count_dimension("D", 3, 1e5, {121, 50000}),
              count_dimension("K", 2, 10, {2, 3})},
             [](const Point& p) { return p["B"] < p["D"] && p["K"] <= p["B"]; }},
            [](const Point& p) { return near(q_tilde(p.integer("B"), p["D"], p.integer("K"), 2)); },
            [](const Point& p) {
                return near(q_tilde(p.integer("B"), p["D"], p.integer("K"), 1));
            }),
    };
}

}  // namespace assay::verify
