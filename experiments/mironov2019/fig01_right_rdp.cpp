#include <fmt/format.h>

#include <optional>

#include "assay/rdp/sampled_gaussian.hpp"
#include "assay/rdp/theorem_11.hpp"
#include "experiments/mironov2019/discussion_claims.hpp"
#include "experiments/mironov2019/exact_claims.hpp"
#include "experiments/mironov2019/mironov2019.hpp"

namespace assay::experiments::mironov2019 {

FigureResult run_fig01_right_rdp(const Params& params) {
    Table table({{.name = "x", .unit = "order α", .golden_tolerance = 1e-14},
                 {.name = "y", .unit = "nats"},
                 {.name = "lower", .unit = "nats", .direction = Direction::lower},
                 {.name = "upper", .unit = "nats", .direction = Direction::upper}});
    const std::vector<double> orders = params.numbers("alpha");
    const std::vector<double> probabilities = params.numbers("q");
    for (const double sigma : params.numbers("sigma")) {
        const auto draw = [&](const std::string& kind, const std::string& label, double q,
                              Direction direction, Theorem theorem, const auto& enclosure) {
            const std::string name = fmt::format("{}_sigma_{}_q_{}", kind, sigma, q);
            table.add_series(
                {name, fmt::format("{}, σ = {}, q = {}", label, sigma, q), direction, theorem});
            for (const double order : orders)
                if (const std::optional<Enclosure> rdp = enclosure(order)) {
                    const bool upper = direction == Direction::upper;
                    table.add(name, {order, upper ? rdp->upper : rdp->midpoint(), rdp->lower,
                                     rdp->upper});
                }
        };
        for (const double q : probabilities) {
            draw("exact", "exact", q, Direction::estimate, section_3_3_citation,
                 [&](double a) { return std::optional(poisson_add_remove_rdp(a, sigma, q)); });
            draw("theorem_11", "Theorem 11", q, Direction::upper, theorem_11_citation,
                 [&](double a) {
                     const Theorem11 theorem = theorem_11(a, sigma, q);
                     return theorem.applies ? std::optional(theorem.rdp) : std::nullopt;
                 });
            draw("exact_addition", "exact, addition direction", q, Direction::estimate,
                 corollary_7_citation,
                 [&](double a) { return std::optional(poisson_addition_rdp(a, sigma, q)); });
        }
        draw("unsampled", "without sampling", 1.0, Direction::upper, section_3_3_citation,
             [&](double a) { return std::optional(poisson_add_remove_rdp(a, sigma, 1.0)); });
    }
    std::vector<Claim> claims = exact_claims(params.section("exact"));
    for (Claim& each : discussion_claims(params.section("discussion")))
        claims.push_back(std::move(each));
    return {std::move(table), std::move(claims)};
}

}  // namespace assay::experiments::mironov2019
