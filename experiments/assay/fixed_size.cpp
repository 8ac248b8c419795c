#include "assay/account/account.hpp"
#include "assay/privacy/batches.hpp"
#include "assay/privacy/citations.hpp"
#include "assay/rdp/epsilon_bracket.hpp"
#include "experiments/assay/assay.hpp"

namespace assay::experiments::brackets {

FigureResult run_fixed_size(const Params& params) {
    const std::int64_t batch = params.integer("batch_size");
    const std::int64_t records = params.integer("dataset_size");
    const auto steps = static_cast<std::int64_t>(
        steps_of_epochs(params.number("epochs"), static_cast<double>(all_batches(records, batch))));
    const double q = static_cast<double>(batch) / static_cast<double>(records);
    const double noise = params.number("noise_multiplier");
    const Release fixed{Adjacency::replace_one, {{FixedSizeGaussian{noise, q}, steps}}};
    const Release poisson{Adjacency::replace_one, {{SampledGaussian{noise, q}, steps}}};
    const std::vector<double> epsilons = params.numbers("epsilons");

    const auto column = [](const char* name, const char* unit, Direction direction) {
        return Column{.name = name,
                      .unit = unit,
                      .direction = direction,
                      .golden_tolerance = searched_tolerance};
    };
    Table table({{.name = "x", .unit = "epsilon", .golden_tolerance = 0.0},
                 column("lower", "delta", Direction::lower),
                 column("upper", "delta", Direction::upper)});
    const auto add = [&](const char* name, const char* label, const auto& bracket_at) {
        std::vector<Bracket> found;
        found.reserve(epsilons.size());
        for (const double epsilon : epsilons) found.push_back(bracket_at(epsilon));
        table.add_series({name, label, Direction::upper, found.front().upper.theorem});
        for (std::size_t i = 0; i < epsilons.size(); ++i)
            table.add(name, {epsilons[i], found[i].lower.value, found[i].upper.value});
    };
    add("fixed_size_chain", "fixed size, both sides (thorough)",
        [&](double x) { return delta(fixed, x, goal_of(Effort::thorough)); });
    add("fixed_size_jump", "fixed size, both sides (normal)",
        [&](double x) { return delta(fixed, x); });
    add("fixed_size_renyi", "fixed size, Rényi divergences alone", [&](double x) {
        const PrivacyBracket renyi = delta_bracket(fixed.phases, Adjacency::replace_one, x);
        Bracket found;
        found.lower = renyi.lower;
        found.upper = renyi.upper;
        return found;
    });
    add("poisson", "Poisson, both sides", [&](double x) { return delta(poisson, x); });
    return {std::move(table), {}};
}

}  // namespace assay::experiments::brackets
