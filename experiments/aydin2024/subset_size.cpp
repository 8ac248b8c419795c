#include "experiments/aydin2024/subset_size.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "assay/privacy/citations.hpp"
#include "experiments/aydin2024/aydin2024.hpp"
#include "experiments/aydin2024/response_sweep.hpp"
#include "experiments/aydin2024/statistics.hpp"

namespace assay::experiments::aydin2024 {
namespace {

/// Slack for the order of two means of few runs: a twentieth of a category.
constexpr double slack = 0.05;

/// Over how many of the sequences of cells the mean size rises (or falls) all along. A sequence has
/// the same everything but the parameter.
struct Monotone {
    int holds = 0;
    int of = 0;

    /// A method that always chooses one size says nothing.
    void add(const std::vector<double>& sizes, bool rising) {
        if (std::ranges::all_of(sizes, [&](double size) { return size == sizes.front(); })) return;
        ++of;
        for (std::size_t i = 1; i < sizes.size(); ++i)
            if (rising ? sizes[i] < sizes[i - 1] - slack : sizes[i] > sizes[i - 1] + slack) return;
        ++holds;
    }
    [[nodiscard]] std::string text() const { return fmt::format("{} of {}", holds, of); }
    [[nodiscard]] bool mostly() const { return 10 * holds >= 9 * of; }
};

double size_of(const Sweep& sweep, ResponseVariant variant, std::int64_t categories, double epsilon,
               double concentration, const Method& method) {
    return mean_of(
        sweep.at(variant, static_cast<int>(categories), epsilon, concentration, method.name)
            .subset_size);
}

std::vector<Claim> claims(const Sweep& sweep, const Params& params, ResponseVariant variant) {
    const std::string id = fmt::format("size-{}-{}", sweep.budget_share, to_string(variant));
    const auto categories = params.integers("categories");
    const auto epsilons = params.numbers("epsilons");
    const auto concentrations = params.numbers("concentrations");
    Monotone with_rho;
    Monotone with_epsilon;
    std::string largest;
    double most = -1.0;
    std::string sizes;
    for (const Method& method : sweep.methods) {
        if (std::holds_alternative<NonAdaptive>(method.rule)) continue;
        double sum = 0.0;
        for (const std::int64_t k : categories) {
            for (const double epsilon : epsilons) {
                std::vector<double> by_rho;
                for (const double rho : concentrations) {
                    by_rho.push_back(size_of(sweep, variant, k, epsilon, rho, method));
                    sum += by_rho.back() / static_cast<double>(k);
                }
                with_rho.add(by_rho, true);
            }
            std::vector<double> by_epsilon;
            by_epsilon.reserve(epsilons.size());
            for (const double epsilon : epsilons)
                by_epsilon.push_back(
                    size_of(sweep, variant, k, epsilon, concentrations.front(), method));
            with_epsilon.add(by_epsilon, false);
        }
        if (!std::holds_alternative<ByUtility>(method.rule)) continue;
        const double mean =
            sum / static_cast<double>(categories.size() * epsilons.size() * concentrations.size());
        sizes += fmt::format("{}{} {:.3f}", sizes.empty() ? "" : ", ", method.label, mean);
        if (mean > most) {
            most = mean;
            largest = method.name;
        }
    }
    const bool at_08 = sweep.budget_share == 0.8;
    // What the authors' program calls TV1 is twice U4, our marginal total variation.
    const bool swapped = variant == ResponseVariant::as_released;
    const char* tv1 = swapped ? "marginal_total_variation" : "posterior_total_variation";
    const char* printed = at_08 ? tv1 : "fisher_information";
    return {
        claim(id + "-rises-with-rho", "Section 7",
              "A larger ρ causes larger sets for each algorithm but the non-adaptive; found: "
              "sequences of K, ε and method in which the mean size does not fall with ρ",
              with_rho.text(), decide(with_rho.mostly())),
        claim(id + "-falls-with-epsilon", "Section 7",
              "For small ρ a larger ε causes smaller sets; found: sequences of K and method in "
              "which the mean size does not rise with ε at the smallest ρ",
              with_epsilon.text(), decide(with_epsilon.mostly())),
        claim(id + "-largest-sets", "Section 7",
              fmt::format("At ε1 = {} ε the utility with the largest sets is {}{}; found: mean of "
                          "|S|/K over the settings",
                          sweep.budget_share, at_08 ? "TV1" : "FIM",
                          at_08 && swapped ? " (in the authors' program that is twice U4)" : ""),
              sizes, decide(largest == printed)),
    };
}

}  // namespace

FigureResult run_subset_size(const Params& params) {
    const auto sweep = response_sweep(params, params.number("budget_share"));
    Table table({{.name = "categories", .unit = "1", .golden_tolerance = 0.0},
                 {.name = "epsilon", .unit = "nats", .golden_tolerance = 0.0},
                 {.name = "concentration", .unit = "1", .golden_tolerance = 0.0},
                 {.name = "runs", .unit = "1", .golden_tolerance = 0.0},
                 {.name = "mean_subset_size", .unit = "categories", .golden_tolerance = 1e-9},
                 {.name = "true_epsilon", .unit = "nats", .direction = Direction::upper}});
    add_method_series(table, *sweep);
    for (const Cell& cell : sweep->cells)
        table.add(series_of(cell.variant, sweep->methods[cell.method]),
                  {static_cast<double>(cell.categories), cell.epsilon, cell.concentration,
                   static_cast<double>(cell.subset_size.size()), mean_of(cell.subset_size),
                   audited_epsilon(*sweep, cell)},
                  "statistical");
    std::vector<Claim> all;
    for (const ResponseVariant variant : variants)
        std::ranges::move(claims(*sweep, params, variant), std::back_inserter(all));
    return {std::move(table), std::move(all)};
}

}  // namespace assay::experiments::aydin2024
