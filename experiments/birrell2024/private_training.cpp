#include "experiments/birrell2024/private_training.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "assay/datasets/split.hpp"
#include "assay/dpsgd/trainer.hpp"
#include "assay/numeric/errors.hpp"
#include "experiments/epoch_training.hpp"
#include "experiments/real_data.hpp"
#include "experiments/significance.hpp"

namespace assay::experiments::birrell2024 {
namespace {

/// Left and right exchanged: other images than the ones trained on privately.
Dataset mirrored(Dataset data) {
    const auto width = static_cast<std::size_t>(data.shape.image.width);
    for (std::size_t row = 0; row < data.values.size(); row += width)
        std::reverse(data.values.begin() + static_cast<std::ptrdiff_t>(row),
                     data.values.begin() + static_cast<std::ptrdiff_t>(row + width));
    return data;
}

/// What the network sees before the private runs, and what these see.
struct Data {
    Dataset pretraining;
    Dataset training;
    Dataset test;
    std::string note;
    bool is_stand_in = false;
};

std::string real_note(const LoadedData& private_data, const LoadedData& public_data) {
    std::string note = fmt::format(
        "CIFAR-10: {} images to train, {} to test; the network was trained before on {} of "
        "CIFAR-100.",
        private_data.split.training.size(), private_data.split.test.size(),
        public_data.split.training.size());
    for (const LoadedData* data : {&private_data, &public_data})
        if (data->report.skipped > 0) note += fmt::format(" {}.", skipped_text(data->report));
    return note;
}

std::string stand_in_note(const Data& data, const std::string& missing) {
    return fmt::format(
        "STAND-IN: 8x8 optical digits (1,797, UCI) for CIFAR-10, {} to train and {} to test; for "
        "CIFAR-100 {} mirrored ones that the private runs never see{}{}.",
        data.training.size(), data.test.size(), data.pretraining.size(),
        missing.empty() ? "" : ": ", missing);
}

/// Real data, or digits of which a part that the private runs never see is mirrored.
Data read_data(const Params& params) {
    DataDescription description;
    description.kind = data_kind_from_string(params.text("real_data"));
    RealData real = read_real(params, description);
    const double share = params.number("pretraining_share");
    const DataKind stand_in = data_kind_from_string(params.text("data"));
    if (real.loaded) {
        description.kind = DataKind::cifar_100;
        RealData before = read_real(params, description);
        if (!before.loaded)
            throw FileError(params.text("data_folder"), 0,
                            "has CIFAR-10, but no CIFAR-100 to train the network on before");
        const std::string note = real_note(*real.loaded, *before.loaded);
        DataSplit& split = real.loaded->split;
        return {std::move(before.loaded->split.training), std::move(split.training),
                std::move(split.test), note, false};
    }
    description.kind = stand_in;
    DataSplit split = load_dataset(description).split;
    DataSplit parts = split_at_random(std::move(split.training), {0.0, share}, 0);
    Data data{mirrored(std::move(parts.test)), std::move(parts.training), std::move(split.test), "",
              true};
    data.note = stand_in_note(data, real.missing);
    return data;
}

/// The paper's batches are a smaller part of its data than those of the default are of the
/// stand-in.
std::string batch_note(const Params& params, std::int64_t examples) {
    const std::int64_t batch = params.integer("batch_size");
    const double paper_share = 120.0 / 50'000.0;
    return fmt::format(
        "|B| = {} is {:.2g} % of the examples, so an epoch has {} steps; the paper's 120 are "
        "{:.2g} % of CIFAR-10, which would be {:.0f} here (PRESET=proportional).",
        batch, 100.0 * static_cast<double>(batch) / static_cast<double>(examples),
        (examples + batch - 1) / batch, 100.0 * paper_share,
        std::max(1.0, paper_share * static_cast<double>(examples)));
}

void describe_data(const Params& params, const Data& data, TrainingSetup& setup) {
    setup.notes.push_back(data.note);
    if (data.is_stand_in) setup.notes.push_back(batch_note(params, data.training.size()));
    const std::string scaled = scaled_down(params, {"states"});
    if (!scaled.empty()) setup.notes.push_back(scaled);
    setup.other = data.is_stand_in ? "stand-in data" : scaled.empty() ? "" : "scaled network";
}

/// Parameters of a model for `shape` whose layers, all but the last, are those of another one: a
/// new last layer is what a new task needs.
std::vector<float> with_new_head(const Model<float>& trained, const ExampleShape& shape) {
    Model<float> model(trained.architecture(), shape, 0);
    // Everything before the last layer stands before its parameters.
    const std::size_t shared = trained.stages().back().first_parameter;
    std::copy_n(trained.parameters().begin(), shared, model.parameters().begin());
    return {model.parameters().begin(), model.parameters().end()};
}

std::vector<float> pretrained(const Params& params, const TrainingSetup& setup,
                              const Dataset& data) {
    TrainingPlan plan;
    plan.architecture = setup.network;
    plan.sampling = {SamplingScheme::shuffle, data.size(), params.integer("pretraining_batch_size"),
                     std::nullopt, 0};
    plan.optimiser = {Adam{}, params.number("pretraining_learning_rate"),
                      LearningRateSchedule::constant, 1};
    plan.steps = params.integer("pretraining_epochs") * batches_per_epoch(plan.sampling);
    Trainer trainer(plan, data, 1);
    static_cast<void>(train_by_epochs(trainer, setup.states, "pretraining",
                                      [](std::int64_t) { return std::vector<double>{}; }));
    return with_new_head(trainer.model(), setup.training.shape);
}

std::vector<int> sizes(const Params& params, const char* key) {
    std::vector<int> all;
    for (const std::int64_t size : params.integers(key)) all.push_back(static_cast<int>(size));
    return all;
}

}  // namespace

TrainingSetup read_training_setup(const Params& params) {
    Data data = read_data(params);
    TrainingSetup setup;
    describe_data(params, data, setup);
    setup.training = std::move(data.training);
    setup.test = std::move(data.test);
    setup.network = {sizes(params, "channels"), static_cast<int>(params.integer("groups")), {}};
    setup.clip_norm = params.number("clip_norm");
    setup.learning_rate = params.number("learning_rate");
    setup.epochs = params.integer("epochs");
    setup.delta = params.number("delta");
    if (params.has("states")) setup.states = params.text("states");
    setup.start = pretrained(params, setup, data.pretraining);
    return setup;
}

TrainingPlan plan_of(const TrainingSetup& setup, const PrivateRun& run) {
    TrainingPlan plan;
    plan.architecture = setup.network;
    plan.sampling = {run.scheme, setup.training.size(), run.batch_size, std::nullopt, run.seed};
    plan.clip_norm = setup.clip_norm;
    plan.noise_multiplier = run.noise_multiplier;
    plan.adjacency = run.adjacency;
    plan.optimiser = {Adam{}, setup.learning_rate, LearningRateSchedule::constant, 1};
    plan.steps = setup.epochs * batches_per_epoch(plan.sampling);
    plan.seed = run.seed;
    plan.path = run.path;
    return plan;
}

TrainingCell cell_of(const TrainingSetup& setup, const PrivateRun& run) {
    return {fmt::format("{}_noise_{}_batch_{}_seed_{}", name_of(run.scheme), run.noise_multiplier,
                        run.batch_size, run.seed),
            plan_of(setup, run),
            {}};
}

std::string on_data(const std::string& found, const TrainingSetup& setup) {
    return setup.other.empty() ? found : fmt::format("On {}: {}", setup.other, found);
}

std::string points_text(const PairedLead& lead) {
    return fmt::format("{:+.2f} ± {:.2f} points", 100.0 * lead.mean, 200.0 * lead.standard_error);
}

std::string more_seeds(const PairedLead& lead, std::size_t seeds) {
    return fmt::format(
        "{} seeds see a lead of {} points with a power of 80 % (planned from the deviation of "
        "these "
        "differences); PRESET=seeds takes 40, some minutes on stand-in data. {}",
        planned_pairs(lead, seeds, equivalent_accuracy), 100.0 * equivalent_accuracy, paper_runs);
}

std::string label_of(SamplingScheme scheme) {
    return scheme == SamplingScheme::poisson ? "Poisson" : "Fixed-size, without replacement";
}

std::string name_of(SamplingScheme scheme) {
    return scheme == SamplingScheme::poisson ? "poisson" : "fixed_size";
}

std::vector<double> accuracies(const std::vector<const TrainingCell*>& cells, std::size_t epoch) {
    std::vector<double> values;
    values.reserve(cells.size());
    for (const TrainingCell* cell : cells)
        values.push_back(cell->epochs.at(epoch).evaluation.accuracy);
    return values;
}

}  // namespace assay::experiments::birrell2024
