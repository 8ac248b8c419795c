#include "experiments/chua2025/click_training.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "assay/batch_sampling/truncation.hpp"
#include "assay/datasets/split.hpp"
#include "assay/dpsgd/model.hpp"
#include "experiments/real_data.hpp"
#include "experiments/training_cells.hpp"

namespace assay::experiments::chua2025 {
namespace {

/// chua2025 Section 5.
constexpr HeldOut by_time{.validation = 0.1, .test = 0.1};
constexpr HeldOut at_random{.validation = 0.0, .test = 0.2};

std::uint64_t seed_of(const Params& params) {
    return static_cast<std::uint64_t>(params.integer("seed"));
}

SyntheticClicks stand_in(const Params& section) {
    SyntheticClicks clicks;
    clicks.examples = section.integer("examples");
    clicks.seed = seed_of(section);
    clicks.integers = static_cast<int>(section.integer("integers"));
    clicks.fields = static_cast<int>(section.integer("fields"));
    clicks.largest = static_cast<std::int32_t>(section.integer("largest"));
    clicks.mean_log_odds = section.number("mean_log_odds");
    clicks.log_odds_spread = section.number("log_odds_spread");
    return clicks;
}

std::string note_of(const ClickData& data, const DataSplit& split, const RealData& real) {
    const std::string sizes =
        fmt::format("{} examples to train, {} to test", split.training.size(), split.test.size());
    if (data.is_stand_in)
        return fmt::format(
            "SYNTHETIC stand-in with a known true model (dotted: its AUC) for Criteo's {}, "
            "{} integers and {} fields, {}{}{}.",
            data.name == "ads" ? "display ads" : "sponsored search", split.training.shape.values,
            split.training.shape.categories.size(), sizes, real.missing.empty() ? "" : ": ",
            real.missing);
    const std::string skipped = skipped_text(real.loaded->report);
    return fmt::format("Criteo's {}: {}{}{}.", data.label, sizes, skipped.empty() ? "" : "; ",
                       skipped);
}

/// Parts of the real data set of this kind, or of its stand-in.
ClickData read(const Params& params, const char* name, const char* label, DataKind kind) {
    const Params section = params.section(name);
    const SyntheticClicks synthetic = stand_in(section);
    DataDescription description;
    description.kind = kind;
    description.read.limit = section.integer("examples");
    description.criteo.buckets = static_cast<std::int32_t>(section.integer("buckets"));
    description.split_seed = seed_of(params);

    constexpr std::uint64_t more_than_runs = 1'000'000;
    const bool is_ads = kind == DataKind::criteo_ads;
    ClickData data;
    data.name = name;
    data.label = label;
    data.first_seed = seed_of(params) + (is_ads ? 0 : more_than_runs);
    RealData real = read_real(params, description);
    DataSplit split;
    if (!real.loaded) {
        SyntheticSample sample = synthetic_sample(synthetic);
        data.is_stand_in = true;
        data.label += " (synthetic)";
        data.best_auc = best_possible_auc(sample.log_odds);
        split = is_ads ? split_by_time(std::move(sample.data), by_time)
                       : split_at_random(std::move(sample.data), at_random, description.split_seed);
    } else {
        split = std::move(real.loaded->split);
    }
    data.note = note_of(data, split, real);
    data.training = std::move(split.training);
    data.test = std::move(split.test);
    return data;
}

/// What the settings of one run are, besides its sampler.
struct Point {
    std::int64_t batch_size = 0;
    double noise_multiplier = 0.0;
    double learning_rate = 0.0;
    std::optional<double> clip_norm;
};

/// The numbers at `key`, refused unless there is one for each element at `beside`.
std::vector<double> one_each(const Params& params, const char* key, const char* beside,
                             std::size_t count) {
    std::vector<double> numbers = params.numbers(key);
    if (numbers.size() != count)
        params.refuse(key, fmt::format("has not as many numbers as {}", beside));
    return numbers;
}

std::vector<Point> points_of(const Params& params) {
    std::vector<Point> points;
    const auto sizes = params.integers("batch_sizes");
    const auto rates = one_each(params, "learning_rates", "batch_sizes", sizes.size());
    for (std::size_t i = 0; i < sizes.size(); ++i)
        points.push_back({sizes[i], 0.0, rates[i], std::nullopt});

    const auto private_sizes = params.integers("private_batch_sizes");
    const auto private_rates =
        one_each(params, "private_learning_rates", "private_batch_sizes", private_sizes.size());
    const auto clip_norms =
        one_each(params, "clip_norms", "private_batch_sizes", private_sizes.size());
    for (std::size_t i = 0; i < private_sizes.size(); ++i)
        for (const double sigma : params.numbers("noise_multipliers"))
            points.push_back({private_sizes[i], sigma, private_rates[i], clip_norms[i]});
    return points;
}

ClickNetwork network_of(const Params& params) {
    ClickNetwork network{static_cast<int>(params.integer("embedding")), {}};
    for (const std::int64_t width : params.integers("hidden"))
        network.hidden.push_back(static_cast<int>(width));
    return network;
}

/// `seed` is that of the batches and of the noise.
TrainingPlan plan_of(const Params& params, const Point& point, const BatchSampling& sampling,
                     std::uint64_t seed) {
    TrainingPlan plan;
    plan.architecture = network_of(params);
    plan.sampling = sampling;
    plan.sampling.seed = seed;
    plan.seed = seed;
    plan.clip_norm = point.clip_norm;
    plan.noise_multiplier = point.noise_multiplier;
    plan.adjacency = Adjacency::zero_out;
    plan.steps = batches_per_epoch(sampling);
    plan.optimiser = {Adam{}, point.learning_rate, LearningRateSchedule::cosine, plan.steps};
    return plan;
}

}  // namespace

ClickData read_ads(const Params& params) {
    return read(params, "ads", "display ads", DataKind::criteo_ads);
}

ClickData read_search(const Params& params) {
    return read(params, "search", "sponsored search", DataKind::criteo_search);
}

std::vector<AucSample> train_on_clicks(const Params& params, const ClickData& data) {
    const std::int64_t runs = params.integer("runs");
    if (runs < 2) params.refuse("runs", "is below 2: nothing could be said about a spread");
    std::vector<AucSample> samples;
    std::vector<TrainingCell> cells;
    for (const Point& point : points_of(params))
        for (const SamplingScheme scheme : drawn_schemes()) {
            const BatchSampling sampling =
                epoch_sampling(params, scheme, data.training.size(), point.batch_size);
            samples.push_back({scheme, point.batch_size, point.noise_multiplier, {}});
            for (std::int64_t run = 0; run < runs; ++run)
                cells.push_back(
                    {fmt::format("{}_{}_batch_{}_noise_{}_run_{}", data.name, name_of(scheme),
                                 point.batch_size, point.noise_multiplier, run),
                     plan_of(params, point, sampling, data.first_seed + cells.size()),
                     {}});
        }
    // The weights that all runs begin with.
    const Model<float> start(network_of(params), data.training.shape, data.first_seed);
    train_cells(cells, data.training, data.test, start.parameters(),
                params.has("states") ? params.text("states") : "");
    for (std::size_t i = 0; i < cells.size(); ++i)
        samples[i / static_cast<std::size_t>(runs)].aucs.push_back(final_evaluation(cells[i]).auc);
    return samples;
}

const std::vector<SamplingScheme>& drawn_schemes() {
    static const std::vector<SamplingScheme> schemes{
        SamplingScheme::shuffle, SamplingScheme::poisson, SamplingScheme::balls_and_bins};
    return schemes;
}

BatchSampling epoch_sampling(const Params& params, SamplingScheme scheme, std::int64_t examples,
                             std::int64_t batch_size) {
    BatchSampling sampling{scheme, examples, batch_size, std::nullopt, 0};
    if (scheme != SamplingScheme::shuffle)
        sampling.maximum_batch_size = smallest_maximum_batch_size(
            examples, batch_size, batches_per_epoch(sampling), params.number("truncation_epsilon"),
            params.number("truncation_delta"));
    return sampling;
}

std::string label_of(SamplingScheme scheme) {
    return scheme == SamplingScheme::shuffle   ? "Shuffle"
           : scheme == SamplingScheme::poisson ? "Poisson"
                                               : "Balls-and-bins";
}

std::string name_of(SamplingScheme scheme) {
    return scheme == SamplingScheme::shuffle   ? "shuffle"
           : scheme == SamplingScheme::poisson ? "poisson"
                                               : "balls_and_bins";
}

}  // namespace assay::experiments::chua2025
