#include "experiments/aydin2024/subset_size.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "assay/privacy/citations.hpp"
#include "experiments/aydin2024/aydin2024.hpp"
#include "experiments/aydin2024/response_sweep.hpp"
#include "experiments/aydin2024/sign_tests.hpp"
#include "experiments/aydin2024/statistics.hpp"
#include "experiments/significance.hpp"

namespace assay::experiments::aydin2024 {
namespace {

/// For every method that chooses sizes at all: the runs in which they are smaller in the first of
/// two settings than in the second.
struct SizesByMethod {
    SignTests all{};
    std::vector<std::string> details{};
    std::int64_t runs = 0;

    void add(const std::string& label, const SignTest& test) {
        if (test.is_empty()) return;
        all.add(label, test);
        details.push_back(fmt::format("{}: smaller in {} runs, larger in {} (p = {:.1g})", label,
                                      test.smaller, test.larger, test.p_value()));
    }
    /// `where` names the two settings: "at ρ = 0.01 than at ρ = 1".
    [[nodiscard]] Claim judged(const std::string& id, const std::string& statement,
                               const std::string& where) const {
        const std::string found =
            all.tests.empty()
                ? "no method has sets of two sizes."
                : fmt::format(
                      "the mean size is significantly smaller {} for {} of the {} methods "
                      "whose size varies, run by run (sign tests); the weakest is {}.",
                      where, all.significant(), all.tests.size(), all.weakest());
        return claim(id, "Section 7", statement, found, all_smaller(all.tests),
                     all.basis(details, runs));
    }
};

std::int64_t runs_of(const Sweep& sweep) {
    return std::ssize(sweep.cells.front().subset_size);
}

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
    SizesByMethod sizes{.runs = runs_of(sweep)};
    for (std::size_t method = 1; method < sweep.methods.size(); ++method) {
        SignTest test;
        for (const Cell& cell : sweep.cells)
            if (cell.variant == variant && cell.method == method && cell.concentration == least)
                test.add(cell.subset_size, sizes_at(sweep, cell, cell.epsilon, most));
        sizes.add(sweep.methods[method].label, test);
    }
    return sizes.judged(id + "-rises-with-rho",
                        "A larger ρ causes larger sets for each algorithm but the non-adaptive.",
                        fmt::format("at ρ = {} than at ρ = {}", least, most));
}

/// The largest epsilon against the smallest, at every K and the smallest rho.
Claim falls_with_epsilon(const Sweep& sweep, const Params& params, ResponseVariant variant,
                         const std::string& id) {
    const auto [least, most] = std::ranges::minmax(params.numbers("epsilons"));
    const double rho = std::ranges::min(params.numbers("concentrations"));
    SizesByMethod sizes{.runs = runs_of(sweep)};
    for (std::size_t method = 1; method < sweep.methods.size(); ++method) {
        SignTest test;
        for (const Cell& cell : sweep.cells)
            if (cell.variant == variant && cell.method == method && cell.epsilon == most &&
                cell.concentration == rho)
                test.add(cell.subset_size, sizes_at(sweep, cell, least, rho));
        sizes.add(sweep.methods[method].label, test);
    }
    return sizes.judged(id + "-falls-with-epsilon", "For small ρ a larger ε causes smaller sets.",
                        fmt::format("at ε = {} than at ε = {} (ρ = {})", most, least, rho));
}

/// The utility that the paper names against each of the others, run by run.
Claim largest_sets(const Sweep& sweep, ResponseVariant variant, const std::string& id) {
    const bool at_08 = sweep.budget_share == 0.8;
    // What the authors' program calls TV1 is twice U4, our marginal total variation.
    const bool swapped = variant == ResponseVariant::as_released;
    const char* tv1 = swapped ? "marginal_total_variation" : "posterior_total_variation";
    const std::string printed = at_08 ? tv1 : "fisher_information";
    SignTests others;
    std::vector<std::string> details;
    std::string named;
    double share_of_named = 0.0;
    std::string largest;
    double largest_share = -1.0;
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
        const std::string& label = sweep.methods[method].label;
        const double share = sum / cells;
        if (share > largest_share) {
            largest = label;
            largest_share = share;
        }
        std::string detail = fmt::format("{}: mean |S|/K {:.3f}", label, share);
        if (sweep.methods[method].name == printed) {
            named = label;
            share_of_named = share;
            detail += ", the utility named";
        } else {
            others.add(label, test);
            detail += fmt::format(
                "; smaller than that of the utility named in {} runs, larger in "
                "{} (p = {:.1g})",
                test.smaller, test.larger, test.p_value());
        }
        details.push_back(detail);
    }
    return claim(
        id + "-largest-sets", "Section 7",
        fmt::format("At ε1 = {} ε the utility with the largest sets is {}.", sweep.budget_share,
                    at_08 ? "TV1" : "FIM"),
        fmt::format("{}{} has a mean |S|/K of {:.3f} over the settings and is "
                    "significantly above {} of the {} others, run by run (sign tests); "
                    "the largest mean is {:.3f}, of {}.",
                    named, at_08 && swapped ? " (what the authors' program calls TV1)" : "",
                    share_of_named, others.significant(), others.tests.size(), largest_share,
                    largest),
        all_smaller(others.tests), others.basis(details, runs_of(sweep)));
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
