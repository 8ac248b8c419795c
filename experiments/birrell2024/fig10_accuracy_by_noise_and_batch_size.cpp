#include <fmt/format.h>

#include "experiments/birrell2024/birrell2024.hpp"
#include "experiments/birrell2024/curves.hpp"
#include "experiments/birrell2024/private_training.hpp"
#include "experiments/real_data.hpp"
#include "experiments/significance.hpp"

namespace assay::experiments::birrell2024 {
namespace {

constexpr SamplingScheme schemes[] = {SamplingScheme::fixed_size_without_replacement,
                                      SamplingScheme::poisson};

/// One pair of curves: both samplers at one noise multiplier and batch size.
struct Setting10 {
    std::string name;
    std::string label;
    double noise_multiplier = 0.0;
    std::int64_t batch_size = 0;
};

std::vector<Setting10> settings_of(const Params& params) {
    std::vector<Setting10> all;
    for (const double sigma : params.numbers("noise_multipliers"))
        all.push_back({fmt::format("noise_{:g}", 10.0 * sigma), fmt::format("σ = {:g}", sigma),
                       sigma, params.integer("batch_size")});
    for (const std::int64_t batch : params.integers("batch_sizes"))
        all.push_back({fmt::format("batch_{}", batch), fmt::format("|B| = {}", batch),
                       params.number("noise_multiplier"), batch});
    return all;
}

std::vector<const TrainingCell*> cells_of(const std::vector<TrainingCell>& cells,
                                          const Setting10& setting, SamplingScheme scheme) {
    std::vector<const TrainingCell*> chosen;
    for (const TrainingCell& cell : cells)
        if (cell.plan.sampling.scheme == scheme &&
            cell.plan.noise_multiplier == setting.noise_multiplier &&
            cell.plan.sampling.batch_size == setting.batch_size)
            chosen.push_back(&cell);
    return chosen;
}

std::string more_seeds_of_each(std::size_t seeds) {
    return fmt::format(
        "{} seeds of each setting instead of {}, which shrink the standard errors to "
        "a third (on stand-in data about {} minutes on two cores). {}",
        10 * seeds, seeds, 4 * seeds, paper_runs);
}

std::vector<Claim> claims_of(const std::vector<TrainingCell>& cells,
                             const std::vector<Setting10>& settings, const TrainingSetup& setup) {
    int ahead = 0;
    int behind = 0;
    std::vector<std::string> numbers;
    std::size_t seeds = 0;
    for (const Setting10& setting : settings) {
        const auto final_of = [&](SamplingScheme scheme) {
            const auto chosen = cells_of(cells, setting, scheme);
            return accuracies(chosen, chosen.front()->epochs.size() - 1);
        };
        const auto fixed = final_of(schemes[0]);
        const auto poisson = final_of(schemes[1]);
        const double p = paired_p_value(fixed, poisson);
        ahead += p < 0.05 ? 1 : 0;
        behind += p > 0.95 ? 1 : 0;
        numbers.push_back(fmt::format("{}: {:.1f} against {:.1f} %, p = {:.2g}", setting.label,
                                      100.0 * spread_of(fixed).mean,
                                      100.0 * spread_of(poisson).mean, p));
        seeds = fixed.size();
    }
    const auto count = static_cast<int>(settings.size());
    const Verdict verdict = ahead == count       ? Verdict::reproduced
                            : behind * 2 > count ? Verdict::differs
                                                 : Verdict::undecidable;
    const std::string found = fmt::format(
        "Fixed-size batches are ahead in {} of {} settings and behind in {} (paired t tests, "
        "one-sided p < 0.05).",
        ahead, count, behind);
    return {judged_here(
        claim("fig10-not-sensitive", "App. H, Figure 10",
              "Fixed-size batches beat Poisson ones at every sigma and |B| shown.",
              on_data(found, setup), verdict,
              {.criterion = "Reproduced if so in every setting at one-sided p < 0.05 "
                            "(paired t tests; settings share seeds and noise), differs "
                            "if the other way round in more than half of them.",
               .details = numbers,
               .would_decide =
                   verdict == Verdict::undecidable ? more_seeds_of_each(seeds) : std::string()}),
        setup.other, paper_runs)};
}

}  // namespace

FigureResult run_fig10_accuracy_by_noise_and_batch_size(const Params& params) {
    const TrainingSetup setup = read_training_setup(params);
    const std::vector<Setting10> settings = settings_of(params);
    std::vector<TrainingCell> cells;
    for (const Setting10& setting : settings)
        for (const SamplingScheme scheme : schemes)
            for (const std::int64_t seed : params.integers("seeds"))
                cells.push_back(cell_of(setup, {.scheme = scheme,
                                                .noise_multiplier = setting.noise_multiplier,
                                                .batch_size = setting.batch_size,
                                                .seed = static_cast<std::uint64_t>(seed)}));
    train_cells(cells, setup.training, setup.test, setup.start, setup.states);

    Table table({{.name = "epoch", .unit = "1", .golden_tolerance = 0.0},
                 {.name = "accuracy", .unit = "1", .golden_tolerance = 0.1},
                 {.name = "deviation", .unit = "1", .golden_tolerance = 0.9}});
    for (const Setting10& setting : settings)
        for (const SamplingScheme scheme : schemes) {
            const std::string series = fmt::format("{}_{}", name_of(scheme), setting.name);
            table.add_series({series, fmt::format("{}, {}", label_of(scheme), setting.label),
                              Direction::estimate, section_4});
            const auto chosen = cells_of(cells, setting, scheme);
            for (std::size_t epoch = 0; epoch < chosen.front()->epochs.size(); ++epoch) {
                const Spread spread = spread_of(accuracies(chosen, epoch));
                table.add(series, {static_cast<double>(epoch + 1), spread.mean, spread.deviation},
                          "statistical");
            }
        }
    return {std::move(table), claims_of(cells, settings, setup), setup.notes};
}

}  // namespace assay::experiments::birrell2024
