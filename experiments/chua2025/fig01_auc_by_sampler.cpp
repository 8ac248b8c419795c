#include <fmt/format.h>

#include "experiments/chua2025/chua2025.hpp"
#include "experiments/chua2025/click_training.hpp"
#include "experiments/chua2025/fig01_claims.hpp"
#include "experiments/real_data.hpp"
#include "experiments/significance.hpp"

namespace assay::experiments::chua2025 {
namespace {

constexpr Theorem simulation{"chua2025 Section 5", Standing::published};
constexpr Theorem truth{"the model that drew the labels", Standing::ours};

void add_curves(Table& table, const ClickData& data, const std::vector<AucSample>& samples) {
    for (const SamplingScheme scheme : drawn_schemes()) {
        const std::string series = fmt::format("{}_{}", data.name, name_of(scheme));
        table.add_series({series, fmt::format("{}, {}", label_of(scheme), data.label),
                          Direction::estimate, simulation});
        for (const AucSample& sample : samples) {
            if (sample.scheme != scheme) continue;
            const Spread spread = spread_of(sample.aucs);
            table.add(series,
                      {static_cast<double>(sample.batch_size), sample.noise_multiplier, spread.mean,
                       spread.deviation},
                      "statistical");
        }
    }
    if (!data.best_auc) return;
    const std::string series = data.name + "_best_possible";
    table.add_series(
        {series, fmt::format("True model, {}", data.label), Direction::estimate, truth});
    table.add(series, {static_cast<double>(data.training.size()), 0.0, *data.best_auc, 0.0},
              "statistical");
}

/// What is of no size: where states are kept, how the stand-ins are drawn.
std::vector<std::string> settings_of_stand_ins() {
    std::vector<std::string> keys{"states"};
    for (const char* section : {"ads", "search"})
        for (const char* key : {"largest", "mean_log_odds", "log_odds_spread", "seed"})
            keys.push_back(fmt::format("{}.{}", section, key));
    return keys;
}

TrainedOnClicks train(const Params& params, const ClickData& data, Table& table) {
    TrainedOnClicks trained{data.label, data.training.size(), train_on_clicks(params, data)};
    add_curves(table, data, trained.samples);
    return trained;
}

}  // namespace

FigureResult run_fig01_auc_by_sampler(const Params& params) {
    // A libm that rounds otherwise moves a run a little.
    Table table({{.name = "batch_size", .unit = "1", .golden_tolerance = 0.0},
                 {.name = "noise_multiplier", .unit = "1", .golden_tolerance = 0.0},
                 {.name = "auc", .unit = "1", .golden_tolerance = 0.05},
                 {.name = "deviation", .unit = "1", .golden_tolerance = 0.9}});
    // Both are read first: a file that is missing must not show after hours.
    const ClickData ads = read_ads(params);
    const ClickData search = read_search(params);
    std::vector<TrainedOnClicks> trained;
    trained.push_back(train(params, ads, table));
    trained.push_back(train(params, search, table));
    std::vector<std::string> notes{ads.note, search.note};
    const std::string scaled = scaled_down(params, settings_of_stand_ins());
    if (!scaled.empty()) notes.push_back(scaled);
    const bool is_stand_in = ads.is_stand_in || search.is_stand_in;
    const std::string other = is_stand_in       ? "stand-in data"
                              : !scaled.empty() ? "scaled network"
                                                : "";
    return {std::move(table), auc_claims(params, trained, other), std::move(notes)};
}

}  // namespace assay::experiments::chua2025
