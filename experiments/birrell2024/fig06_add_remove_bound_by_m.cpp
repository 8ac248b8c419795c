#include <fmt/format.h>

#include "assay/privacy/citations.hpp"
#include "assay/rdp/fixed_size_without_replacement.hpp"
#include "assay/rdp/rdp_to_epsilon_delta.hpp"
#include "assay/rdp/taylor_add_remove.hpp"
#include "experiments/birrell2024/birrell2024.hpp"
#include "experiments/birrell2024/curves.hpp"

namespace assay::experiments::birrell2024 {
namespace {

constexpr double negligible = 1.01;  // what we take the word to mean: below one per cent

/// Theorem 3.3 with m = 3 over the same with m = 4.
double effect_of_m(double order, double sigma, double q) {
    return ratio(theorem_3_3_rdp(order, sigma, 3, q), theorem_3_3_rdp(order, sigma, 4, q));
}

std::vector<Claim> claims(const Setting& now, double smaller_q, const Table& table) {
    const Range effect = range_of_ratios(table, "theorem_3_3_m3", "theorem_3_3_m4");
    const Range m3 = range_of_ratios(table, "theorem_3_3_m3", "exact");
    const Range m4 = range_of_ratios(table, "theorem_3_3_m4", "exact");
    const double largest = opacus_orders().back();
    const double at_largest = effect_of_m(largest, now.sigma, now.q);
    const double last_negligible =
        crossing([&](double order) { return effect_of_m(order, now.sigma, now.q); }, negligible,
                 3.0, largest);
    const double with_smaller_q = effect_of_m(largest, now.sigma, smaller_q);
    return {
        claim(
            "fig06-m3-and-m4", "Appendix B, Figure 6",
            "m = 3 and m = 4 differ negligibly over a range of orders that covers Opacus' default.",
            fmt::format("They differ by less than 1 % only up to order {:.4g}, and by {:.2f} % at "
                        "Opacus' largest order {}.",
                        last_negligible, 100.0 * (at_largest - 1.0), largest),
            decide(at_largest < negligible),
            {.criterion = "Reproduced if below 1 % there.",
             .details = {fmt::format("{:.2f} % at order {:.4g}", 100.0 * (effect.most - 1.0),
                                     effect.most_at)}}),
        claim("fig06-m3-sufficient", "Sec 3.2.1; Appendix B",
              "m = 3 is sufficiently accurate in practice.",
              fmt::format("With m = 3 the bound is at most {:.4f} times the exact divergence, at "
                          "order {:.4g}.",
                          m3.most, m3.most_at),
              decide(m3.most < 1.1),
              {.criterion = "Reproduced if below 1.1 times.",
               .details = {fmt::format("m = 4: at most {:.6f} times", m4.most)}}),
        claim("fig06-smaller-q", "Appendix B", "A smaller q makes the effect of m less important.",
              fmt::format("At order {} it is {:.4f} % at q = {:g} and {:.4f} % at q = {:g}.",
                          largest, 100.0 * (at_largest - 1.0), now.q,
                          100.0 * (with_smaller_q - 1.0), smaller_q),
              decide(with_smaller_q < at_largest)),
    };
}

}  // namespace

FigureResult run_fig06_add_remove_bound_by_m(const Params& params) {
    const Setting now = read_setting(params);
    const auto orders = params.numbers("orders");

    Table table = curve_table("order α", "nats");
    for (const std::int64_t m : params.integers("taylor_orders"))
        add_curve(table,
                  {fmt::format("theorem_3_3_m{}", m), fmt::format("Theorem 3.3, m = {}", m),
                   Direction::upper, drawn::thm_3_3},
                  orders, at_each(orders, [&](double order) {
                      return theorem_3_3_rdp(order, now.sigma, static_cast<int>(m), now.q);
                  }));
    add_curve(table, {"exact", "exact", Direction::upper, cite::birrell2024_thm_3_1}, orders,
              fixed_size_without_replacement_rdp(orders, now.sigma, now.q));
    return {table, claims(now, params.number("smaller_sampling_probability"), table)};
}

}  // namespace assay::experiments::birrell2024
