#include "experiments/aydin2024/subset_size.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "assay/privacy/citations.hpp"
#include "experiments/aydin2024/aydin2024.hpp"
#include "experiments/aydin2024/response_sweep.hpp"
#include "experiments/aydin2024/statistics.hpp"
#include "experiments/significance.hpp"

namespace assay::experiments::aydin2024 {
namespace {

/// For every method that chooses sizes at all: the runs in which they are smaller in the first of
/// two settings than in the second, one after the other.
struct SizesByMethod {
    std::vector<SignTest> tests{};
    std::string found{};

    void add(const std::string& label, const SignTest& test) {
        if (test.is_empty()) return;
        tests.push_back(test);
        found += fmt::format("{}{} {}", found.empty() ? "" : ", ", label, test.text());
    }
    [[nodiscard]] std::string text() const {
        return found.empty() ? "no method has two sizes" : found;
    }
};

const std::vector<double>& sizes_at(const Sweep& sweep, const Cell& cell, double epsilon,
                                    double concentration) {
    return sweep
        .at(cell.variant, cell.categories, epsilon, concentration, sweep.methods[cell.method].name)
        .subset_size;
}

/// The smallest rho against the largest, at every K and epsilon.
Claim rises_with_rho(const Sweep& sweep, const Params& params, ResponseVariant variant,
                     const std::string& id) {
    const auto [least, most] = std::ranges::minmax(params.numbers("concentrations"));
    SizesByMethod sizes;
    for (std::size_t method = 1; method < sweep.methods.size(); ++method) {
        SignTest test;
        for (const Cell& cell : sweep.cells)
            if (cell.variant == variant && cell.method == method && cell.concentration == least)
                test.add(cell.subset_size, sizes_at(sweep, cell, cell.epsilon, most));
        sizes.add(sweep.methods[method].label, test);
    }
    return claim(id + "-rises-with-rho", "Section 7",
                 fmt::format("A larger ρ causes larger sets for each algorithm but the "
                             "non-adaptive; found: runs in which the mean size is smaller at ρ = "
                             "{} : smaller at ρ = {}, by method, those with one size left out",
                             least, most),
                 sizes.text(), all_smaller(sizes.tests));
}

/// The largest epsilon against the smallest, at every K and the smallest rho.
Claim falls_with_epsilon(const Sweep& sweep, const Params& params, ResponseVariant variant,
                         const std::string& id) {
    const auto [least, most] = std::ranges::minmax(params.numbers("epsilons"));
    const double rho = std::ranges::min(params.numbers("concentrations"));
    SizesByMethod sizes;
    for (std::size_t method = 1; method < sweep.methods.size(); ++method) {
        SignTest test;
        for (const Cell& cell : sweep.cells)
            if (cell.variant == variant && cell.method == method && cell.epsilon == most &&
                cell.concentration == rho)
                test.add(cell.subset_size, sizes_at(sweep, cell, least, rho));
        sizes.add(sweep.methods[method].label, test);
    }
    return claim(id + "-falls-with-epsilon", "Section 7",
                 fmt::format("For small ρ a larger ε causes smaller sets; found: runs at ρ = {} in "
                             "which the mean size is smaller at ε = {} : smaller at ε = {}, by "
                             "method, those with one size left out",
                             rho, most, least),
                 sizes.text(), all_smaller(sizes.tests));
}

/// The utility that the paper names against each of the others, run by run.
Claim largest_sets(const Sweep& sweep, ResponseVariant variant, const std::string& id) {
    const bool at_08 = sweep.budget_share == 0.8;
    // What the authors' program calls TV1 is twice U4, our marginal total variation.
    const bool swapped = variant == ResponseVariant::as_released;
    const char* tv1 = swapped ? "marginal_total_variation" : "posterior_total_variation";
    const std::string printed = at_08 ? tv1 : "fisher_information";
    std::vector<SignTest> tests;
    std::string found;
    for (std::size_t method = 0; method < sweep.methods.size(); ++method) {
        if (!std::holds_alternative<ByUtility>(sweep.methods[method].rule)) continue;
        SignTest test;
        double sum = 0.0;
        double cells = 0.0;
        for (const Cell& cell : sweep.cells) {
            if (cell.variant != variant || cell.method != method) continue;
            test.add(cell.subset_size,
                     sweep.at(variant, cell.categories, cell.epsilon, cell.concentration, printed)
                         .subset_size);
            sum += mean_of(cell.subset_size) / cell.categories;
            cells += 1.0;
        }
        const bool is_printed = sweep.methods[method].name == printed;
        found +=
            fmt::format("{}{} {:.3f}{}", found.empty() ? "" : ", ", sweep.methods[method].label,
                        sum / cells, is_printed ? "" : ", " + test.text());
        if (!is_printed) tests.push_back(test);
    }
    return claim(id + "-largest-sets", "Section 7",
                 fmt::format("At ε1 = {} ε the utility with the largest sets is {}{}; found: mean "
                             "of |S|/K over the settings, and runs in which it is smaller than "
                             "that of the utility named : larger",
                             sweep.budget_share, at_08 ? "TV1" : "FIM",
                             at_08 && swapped ? " (in the authors' program that is twice U4)" : ""),
                 found, all_smaller(tests));
}

std::vector<Claim> claims(const Sweep& sweep, const Params& params, ResponseVariant variant) {
    const std::string id = fmt::format("size-{}-{}", sweep.budget_share, to_string(variant));
    return {rises_with_rho(sweep, params, variant, id),
            falls_with_epsilon(sweep, params, variant, id), largest_sets(sweep, variant, id)};
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
        for (Claim& one : claims(*sweep, params, variant))
            all.push_back(labelled(std::move(one), *sweep, variant));
    return {std::move(table), std::move(all)};
}

}  // namespace assay::experiments::aydin2024
