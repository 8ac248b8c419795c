#include <fmt/format.h>

#include "experiments/birrell2024/birrell2024.hpp"
#include "experiments/birrell2024/curves.hpp"
#include "experiments/birrell2024/private_training.hpp"
#include "experiments/real_data.hpp"
#include "experiments/significance.hpp"

namespace assay::experiments::birrell2024 {
namespace {

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

std::vector<Claim> claims_of(const std::vector<TrainingCell>& cells,
                             const std::vector<Setting10>& settings, const TrainingSetup& setup) {
    int ahead = 0;
    int behind = 0;
    int equivalent = 0;
    std::vector<std::string> numbers;
    std::size_t seeds = 0;
    PairedLead least_sure;
    for (const Setting10& setting : settings) {
        const auto final_of = [&](SamplingScheme scheme) {
            const auto chosen = cells_of(cells, setting, scheme);
            return accuracies(chosen, chosen.front()->epochs.size() - 1);
        };
        const auto fixed = final_of(schemes[0]);
        const auto poisson = final_of(schemes[1]);
        const PairedLead lead = paired_lead(fixed, poisson, equivalent_accuracy);
        ahead += lead.is_ahead() ? 1 : 0;
        behind += lead.is_behind() ? 1 : 0;
        equivalent += !lead.is_ahead() && !lead.is_behind() && lead.is_equivalent() ? 1 : 0;
        numbers.push_back(fmt::format(
            "{}: {:.1f} against {:.1f} %, {} (p = {:.2g}; equivalent at p = {:.2g}; a lead of "
            "{:.2f} "
            "points is seen with a power of 80 %)",
            setting.label, 100.0 * spread_of(fixed).mean, 100.0 * spread_of(poisson).mean,
            points_text(lead), lead.p_ahead, lead.p_equivalent, 100.0 * lead.seen));
        seeds = fixed.size();
        if (lead.seen > least_sure.seen) least_sure = lead;
    }
    const auto count = static_cast<int>(settings.size());
    const Verdict verdict = ahead == count                      ? Verdict::reproduced
                            : (behind + equivalent) * 2 > count ? Verdict::differs
                                                                : Verdict::undecidable;
    const std::string found = fmt::format(
        "Over {} seeds fixed-size batches are ahead in {} of {} settings, behind in {} and "
        "equivalent to within {} points in {} (paired t tests, p < 0.05).",
        seeds, ahead, count, behind, 100.0 * equivalent_accuracy, equivalent);
    return {judged_here(
        claim("fig10-not-sensitive", "App. H, Figure 10",
              "Fixed-size batches beat Poisson ones at every sigma and |B| shown.",
              on_data(found, setup), verdict,
              {.criterion = "Reproduced if so in every setting at one-sided p < 0.05 "
                            "(paired t tests; settings share seeds and noise), differs if they "
                            "are behind or equivalent (two one-sided tests) in more than half.",
               .details = numbers,
               .would_decide = verdict == Verdict::undecidable ? more_seeds(least_sure, seeds)
                                                               : std::string()}),
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
