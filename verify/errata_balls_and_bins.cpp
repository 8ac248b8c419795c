#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "assay/monte_carlo/order_statistics.hpp"
#include "verify/errata_parts.hpp"
#include "verify/space.hpp"

namespace assay::verify {

namespace {

Point epoch(double T, double sigma, double eps) {
    return {{"T", T}, {"sigma", sigma}, {"eps", eps}};
}

Erratum threshold_of_addition() {
    const Point at = epoch(5000, 0.4, 0.1);
    Numbers numbers;
    const Interval sigma = number(0.4);
    const Interval printed = numbers.add("C_eps as printed, 1/2 - sigma^2 eps, at " + at.text(),
                                         0.5 - square(sigma) * number(0.1));
    numbers.add("C_eps with sigma^2 log T there", "chua2025.c_eps_add", Method::formula, at);
    const Interval probability =
        numbers.add("probability of the event of the printed C_eps, above every estimate from it",
                    power(normal_cdf(printed / sigma), 5000));
    // Q(A) - e^eps P(A), A = {max_t x_t <= 1.3}.
    const Interval C = number(1.3);
    const Interval others = power(normal_cdf(C / sigma), 4999);
    const Interval delta = numbers.add(
        "Q(A) - e^eps P(A) for A = {every x_t <= 1.3}, below D(Q || P)",
        others * (normal_cdf(C / sigma) - exp(number(0.1)) * normal_cdf((C - 1.0) / sigma)));
    return tried(16, chua2025,
                 "Section 4 gives C_eps = 1/2 - sigma^2 eps for D(Q || P). It has to be 1/2 + "
                 "sigma^2 (log T - eps): the mean of T terms is below e^-eps only if every term is "
                 "below T e^-eps. The event as printed is rarer than delta.",
                 numbers, certainly_below(probability, delta));
}

/// Mean of the encoding (4) of a sum of R uniforms, as a share of the sum's mean R/2.
Interval encoded_share(const std::vector<std::int64_t>& orders, long R, long end) {
    Interval sum = number(0.0);
    for (std::size_t i = 0; i < orders.size(); ++i) {
        const long next = i + 1 < orders.size() ? orders[i + 1] : end;
        sum += Interval::integer(next - orders[i], erratum_bits) *
               Interval::integer(R + 1 - orders[i], erratum_bits) /
               Interval::integer(R + 1, erratum_bits);
    }
    return 2.0 * sum / Interval::integer(R, erratum_bits);
}

Erratum last_index() {
    const std::vector<std::int64_t> all{1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    Numbers numbers;
    const Interval printed = numbers.add(
        "mean of (4) over the mean of the sum, 10 uniforms, orders 1 .. 10, k_{r+1} = R",
        encoded_share(all, 10, 10));
    const Interval right = numbers.add("the same with k_{r+1} = R + 1", encoded_share(all, 10, 11));
    return tried(17, chua2025,
                 "In (4) k_{r+1} = R drops the smallest element, and the bound is no upper bound. "
                 "It has to be R + 1. (4) also needs k_1 = 1; (5) does not.",
                 numbers, certainly_below(printed, number(1.0)) && overlap(right, number(1.0)));
}

Erratum restricted_coordinate() {
    const Point at = epoch(5000, 0.4, 1);
    Numbers numbers;
    const Interval y =
        numbers.add("y* = C_eps at " + at.text(), "chua2025.c_eps_remove", Method::formula, at);
    const Interval sigma = number(0.4);
    const Interval right =
        numbers.add("P(x_1 - 1 <= y*), x_1 ~ N(1, sigma^2)", normal_cdf(y / sigma));
    const Interval printed = numbers.add("P(x_1 <= y*)", normal_cdf((y - 1.0) / sigma));
    return tried(
        18, chua2025,
        "Appendix B.3, t* other than 1: x_1 is restricted to (-inf, y* + 1], as E compares "
        "x_1 - 1 with the others, and not to (-inf, y*]. Where t* = 1 the other "
        "coordinates are at most y* too.",
        numbers, certainly_below(printed, right));
}

Erratum event_probability() {
    Numbers numbers;
    const auto at = [&](double eps) {
        const Point point = epoch(5000, 0.4, eps);
        return numbers.add("1 - Phi(C/sigma)^T at " + point.text(),
                           "chua2025.event_probability_remove", Method::formula, point);
    };
    const Interval nine = at(9.0);
    const Interval twelve = at(12.0);
    return tried(
        19, chua2025,
        "The factor of the importance sampler is P_1(E) = 1 - Phi(C/sigma)^T, x_1 having "
        "mean 1, and not P(E): E singles out x_1. The probability 3.75e-3 quoted for T = "
        "5000, sigma = 0.4, eps = 12 is that at eps = 9.",
        numbers,
        std::abs(nine.upper_double() - 3.75e-3) < 5e-6 && certainly_below(twelve, number(1e-5)));
}

Erratum counts_of_orders() {
    Numbers numbers;
    bool expected = true;
    for (const OrderList& list : paper_order_lists()) {
        const auto count = static_cast<long>(list.orders.size());
        numbers.add(fmt::format("orders of {}", list.name), count);
        if (list.steps == 1563) expected = expected && count == 549;
        if (list.steps == 4517) expected = expected && count == 589;
        if (list.steps == 12497) expected = expected && count == 609;
        if (list.steps == 36133) expected = expected && count == 739;
        if (list.steps >= 100'000) expected = expected && count == 590;
    }
    return tried(20, chua2025,
                 "Appendix C counts 589 orders for T = 1563; the list given has 549. The other "
                 "counts (739, 589, 609, 590, 590) are those of the lists.",
                 numbers, expected);
}

Erratum conditioning() {
    // The means of the 2nd and the 5th largest of 10 uniforms, the 5th from the 2nd.
    const auto share = [](double a, double b) {
        return number(a) / (a + b);
    };  // mean of Beta(a, b)
    const Interval second = share(9.0, 2.0);
    Numbers numbers;
    const Interval fifth = numbers.add("mean of the 5th largest of 10 uniforms", share(6.0, 5.0));
    const Interval right = numbers.add("mean of the 2nd times that of Beta(R-k_r+1, k_r-k_{r-1})",
                                       second * share(6.0, 3.0));
    const Interval beta = numbers.add("the same with Beta(R-k_{r-1}+1, k_r-k_{r-1}), as printed",
                                      second * share(9.0, 3.0));
    const Interval count = numbers.add(
        "the same with the 3rd largest of R - k_r variables, as printed", second * share(3.0, 3.0));
    return tried(
        21, chua2025,
        "The proof of Theorem B.5 conditions on R - k_r variables and draws from "
        "Beta(R-k_{r-1}+1, k_r-k_{r-1}). It has to be R - k_{r-1} variables and "
        "Beta(R-k_r+1, k_r-k_{r-1}), from which Algorithm 6 itself draws.",
        numbers,
        overlap(right, fifth) && certainly_below(fifth, beta) && certainly_below(count, fifth));
}

Erratum average_of_loss() {
    const Point at{{"sigma", 0.5}, {"eps", 1.0}};
    Numbers numbers;
    const Interval mean = numbers.add("average of L under P, one batch, sigma = 0.5",
                                      1.0 / (2.0 * square(number(0.5))));
    const Interval delta = numbers.add("average of [1 - e^{eps-L}]_+ at " + at.text(),
                                       "exact.deterministic_delta", Method::formula, at);
    return tried(22, chua2025,
                 "Section 4 says that the average of L is returned; it is that of [1 - "
                 "e^{eps-L}]_+. Proposition 2.4 names P_D and Q_D as P_P and Q_P.",
                 numbers,
                 certainly_below(number(1.0), mean) && certainly_below(delta, number(1.0)));
}

Erratum shared_confidence() {
    // One sample x in {0, 1} with P(x = 1) just above 1 - beta: x = 0 gives the bound 1 - beta.
    Numbers numbers;
    const Interval miss = numbers.add(
        "probability that one bound misses, beta = 0.1, one sample, "
        "mean 0.9001",
        1.0 - number(0.9001));
    const Interval bound = numbers.add("the bound of x = 0, chua2025.kl_upper_confidence",
                                       "chua2025.kl_upper_confidence", Method::formula,
                                       {{"q", 0.0}, {"m", 1.0}, {"beta", 0.1}});
    const Interval either =
        numbers.add("that one of two such bounds misses", 1.0 - square(1.0 - miss));
    return tried(23, chua2025,
                 "beta of Algorithm 4 covers one epsilon in one direction. The larger of both "
                 "directions needs beta/2 each, and a curve from shared samples a union bound.",
                 numbers,
                 certainly_below(bound, number(0.9001)) && certainly_below(miss, number(0.1)) &&
                     certainly_below(number(0.1), either));
}

/// What (4) adds to a sum of R lognormals of noise sigma, as a share of the sum's mean R, from
/// sampled ones: both sums of one sample are known, so the noise of the sum itself drops out.
double sampled_excess(const std::vector<std::int64_t>& orders, long R, double sigma) {
    constexpr int samples = 60;
    double sum = 0.0;
    std::vector<double> y(static_cast<std::size_t>(R));
    for (std::uint64_t sample = 0; sample < samples; ++sample) {
        Draws draws(24, "order statistics", sample);
        for (double& x : y) x = std::exp(draws.normal() / sigma - 0.5 / (sigma * sigma));
        std::ranges::sort(y, std::greater<>());
        for (std::size_t i = 0; i < orders.size(); ++i) {
            const long next = i + 1 < orders.size() ? orders[i + 1] : R + 1;
            const double first = y[static_cast<std::size_t>(orders[i] - 1)];
            for (long k = orders[i]; k < next; ++k)
                sum += first - y[static_cast<std::size_t>(k - 1)];
        }
    }
    return sum / samples / static_cast<double>(R);
}

Erratum inflated_mean() {
    Numbers numbers;
    bool inflated = true;
    for (const char* name : {"fig2_36133", "fig2_1563"}) {
        const OrderList& list = paper_order_list(name);
        const auto R = static_cast<long>(list.steps);
        const Interval share = numbers.add(
            fmt::format("mean of the encoding of {} over the mean of the sum, uniforms", name),
            encoded_share(list.orders, R, R + 1));
        inflated = inflated && certainly_below(number(1.0), share);
    }
    const double excess = sampled_excess(paper_order_list("fig2_36133").orders, 36133, 0.4);
    numbers.add(
        "percent by which that of fig2_36133 exceeds the mean, lognormals at sigma = 0.4, "
        "sampled",
        fmt::format("{:.1f}", 100.0 * excess));
    return tried(24, chua2025,
                 "The encoding by order statistics inflates the mean of the sum it bounds, however "
                 "many samples are drawn: an estimate from it does not converge to delta.",
                 numbers, inflated);
}

Erratum tail_quantile() {
    Numbers numbers;
    const Interval tail = numbers.add("1 - Phi(8.3)", normal_cdf(-number(8.3)));
    const Interval half = numbers.add("half the spacing of doubles below 1", number(0x1p-54));
    const Interval beyond = numbers.add("1 - Phi(8.4)", normal_cdf(-number(8.4)));
    return tried(25, chua2025,
                 "Inverting Phi near 1 fails in double precision once C/sigma exceeds about 8.3, "
                 "where Phi rounds to 1: the upper tail has to be inverted.",
                 numbers, certainly_below(tail, number(0x1p-53)) && certainly_below(beyond, half));
}

Erratum noise_of_figure_2() {
    return not_decidable(26, chua2025, "The noise of each panel of Figure 2 is not in the text.",
                         {},
                         "the caption says that sigma varies, and Appendix C gives the orders and "
                         "the samples of each panel but no sigma; no value of the curves is "
                         "printed, so nothing could be recomputed under one sigma and refuted "
                         "under another. The figures here say which noise they use");
}

}  // namespace

std::vector<Erratum> balls_and_bins_errata() {
    return {threshold_of_addition(), last_index(),    restricted_coordinate(), event_probability(),
            counts_of_orders(),      conditioning(),  average_of_loss(),       shared_confidence(),
            inflated_mean(),         tail_quantile(), noise_of_figure_2()};
}

}  // namespace assay::verify
