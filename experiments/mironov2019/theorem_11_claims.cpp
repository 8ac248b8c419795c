#include "experiments/mironov2019/theorem_11_claims.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "assay/rdp/theorem_11.hpp"
#include "experiments/mironov2019/direct_sums.hpp"
#include "experiments/mironov2019/mironov2019.hpp"

namespace assay::experiments::mironov2019 {

namespace {

/// Smallest and largest of what was seen.
struct Range {
    double least = std::numeric_limits<double>::infinity();
    double most = 0.0;

    void see(double x) {
        least = std::min(least, x);
        most = std::max(most, x);
    }
    [[nodiscard]] std::string text() const { return fmt::format("{:.4g} to {:.4g}", least, most); }
};

struct Findings {
    Range exact_over_bound;  // upper ends: certified
    Range bound_over_exact;
    Range lemma_9;           // the increment over 1, computed / bound
    Range lemma_9_in_logs;   // log bound / log A^(1)
    Range lemma_10;          // A^(2) / bound
    double last_step = 0.0;  // sigma^2 (e^{1/sigma^2} - 1)
};

std::vector<double> admitted_orders(const std::vector<double>& fractions, double largest) {
    std::vector<double> orders;
    orders.reserve(fractions.size());
    for (const double f : fractions) orders.push_back(std::min(largest, 1.0 + f * (largest - 1.0)));
    return orders;
}

void look(double sigma, double q, const std::vector<double>& fractions, Findings& findings) {
    const double largest =
        std::min(largest_order_condition_4(sigma, q), largest_order_condition_5(sigma, q));
    if (largest <= 1.0) return;
    const std::vector<double> orders = admitted_orders(fractions, largest);
    const std::vector<Enclosure> exact = exact_curve(orders, sigma, q);
    findings.last_step =
        std::max(findings.last_step, sigma * sigma * std::expm1(1 / sigma / sigma));
    for (std::size_t i = 0; i < orders.size(); ++i) {
        const Theorem11 theorem = theorem_11(orders[i], sigma, q);
        if (!theorem.applies) continue;
        findings.exact_over_bound.see(exact[i].upper / theorem.rdp.lower);
        findings.bound_over_exact.see(theorem.rdp.upper / exact[i].lower);

        const real a = orders[i];
        const SplitMoment split = split_moment({.sigma = sigma, .q = q}, a);
        const real base = static_cast<real>(q) * q * a * (a - 1.0L);
        const real bound_9 = base * std::expm1(1.0L / (static_cast<real>(sigma) * sigma));
        const real bound_10 = 0.9L * base / (static_cast<real>(sigma) * sigma);
        findings.lemma_9.see(static_cast<double>(split.left_less_one / bound_9));
        findings.lemma_9_in_logs.see(
            static_cast<double>(std::log1p(bound_9) / std::log1p(split.left_less_one)));
        findings.lemma_10.see(static_cast<double>(split.right / bound_10));
    }
}

}  // namespace

std::vector<Claim> theorem_11_claims(const Params& params) {
    const std::vector<double> fractions = params.numbers("fractions");
    const double boundary_q = params.number("boundary_q");
    const double small_factor = params.number("small_factor");
    const std::vector<double> close_to_2 = params.numbers("close_to_2");
    Findings all;
    Findings boundary;
    for (const double sigma : params.numbers("sigma")) {
        for (const double q : params.numbers("q")) look(sigma, q, fractions, all);
        look(sigma, boundary_q, fractions, boundary);
    }
    const Range& factor = all.lemma_9_in_logs;
    return {
        claim("theorem-11-holds", "Theorem 11",
              "2q²α/σ² bounds the divergence wherever q <= 1/5, σ >= 4, (4) and (5) hold.",
              fmt::format("The certified divergence is at most {:.6f} times the bound, on the "
                          "boundary too.",
                          all.exact_over_bound.most),
              decide(all.exact_over_bound.most <= 1.0)),
        claim("theorem-11-at-one-fifth", "Table 1 and Theorem 11",
              "The bound holds at q = 1/5 too: Theorem 11 asks for q <= 1/5, Table 1 for q < 1/5.",
              fmt::format("At q = {} the certified divergence is at most {:.6f} times the bound.",
                          boundary_q, boundary.exact_over_bound.most),
              decide(boundary.exact_over_bound.most <= 1.0)),
        claim(
            "nearly-tight", "Abstract, Section 3.2",
            "The closed form is nearly tight, within a small constant factor.",
            fmt::format("The bound is {} times the exact divergence.", all.bound_over_exact.text()),
            decide(all.bound_over_exact.most <= small_factor),
            {.criterion = fmt::format("Reproduced if it is at most {} times.", small_factor)}),
        claim("lemma-9", "Lemma 9", "A^(1) - 1 <= q²α(α-1)(e^{1/σ²} - 1).",
              fmt::format("The left side is at most {:.6f} times the right one.", all.lemma_9.most),
              decide(all.lemma_9.most <= 1.0)),
        claim("lemma-9-factor-2", "Below Lemma 9",
              "After taking the logarithm Lemma 9 is non-tight by a factor close to 2.",
              fmt::format("The logarithm of the bound is {} times that of A^(1).", factor.text()),
              decide(factor.least >= close_to_2.front() && factor.most <= close_to_2.back()),
              {.criterion = fmt::format("Reproduced if all of it lies in {} to {}.",
                                        close_to_2.front(), close_to_2.back())}),
        claim(
            "lemma-10", "Lemma 10", "A^(2) <= 0.9 q²α(α-1)/σ² under (4) and (5).",
            fmt::format("The left side is at most {:.6f} times the right one.", all.lemma_10.most),
            decide(all.lemma_10.most <= 1.0)),
        claim("theorem-11-last-step", "Proof of Theorem 11", "e^{1/σ²} - 1 <= 1.1/σ² for σ >= 4.",
              fmt::format("σ²(e^{{1/σ²}} - 1) is at most {:.6f}.", all.last_step),
              decide(all.last_step <= 1.1)),
    };
}

}  // namespace assay::experiments::mironov2019
