#include "experiments/birrell2024/private_training.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "assay/datasets/load_dataset.hpp"
#include "assay/datasets/split.hpp"
#include "assay/dpsgd/trainer.hpp"

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
};

Data read_data(const Params& params) {
    const std::string folder = params.text("data_folder");
    const std::string stand_in = params.text("data");
    const std::string real = params.text("real_data");
    DataDescription description;
    description.kind = data_kind_from_string(folder.empty() ? stand_in : real);
    if (!folder.empty()) description.folder = folder;
    DataSplit split = load_dataset(description).split;
    const double share = params.number("pretraining_share");
    if (description.kind == DataKind::cifar_10) {
        description.kind = DataKind::cifar_100;
        return {load_dataset(description).split.training, std::move(split.training),
                std::move(split.test)};
    }
    // A part of the digits that the private runs never see, mirrored.
    DataSplit parts = split_at_random(std::move(split.training), {0.0, share}, 0);
    return {mirrored(std::move(parts.test)), std::move(parts.training), std::move(split.test)};
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

std::vector<float> pretrained(const Params& params, const TrainingScene& scene,
                              const Dataset& data) {
    TrainingPlan plan;
    plan.architecture = scene.network;
    plan.sampling = {SamplingScheme::shuffle, data.size(), params.integer("pretraining_batch_size"),
                     std::nullopt, 0};
    plan.optimiser = {Adam{}, params.number("pretraining_learning_rate"),
                      LearningRateSchedule::constant, 1};
    plan.steps = params.integer("pretraining_epochs") * steps_per_epoch(plan.sampling);
    Trainer trainer(plan, data, 1);
    while (!trainer.finished()) static_cast<void>(trainer.step());
    return with_new_head(trainer.model(), scene.training.shape);
}

std::vector<int> sizes(const Params& params, const char* key) {
    std::vector<int> all;
    for (const std::int64_t size : params.integers(key)) all.push_back(static_cast<int>(size));
    return all;
}

}  // namespace

TrainingScene read_training_scene(const Params& params) {
    Data data = read_data(params);
    TrainingScene scene;
    scene.training = std::move(data.training);
    scene.test = std::move(data.test);
    scene.network = {sizes(params, "channels"), static_cast<int>(params.integer("groups")), {}};
    scene.clip_norm = params.number("clip_norm");
    scene.learning_rate = params.number("learning_rate");
    scene.epochs = params.integer("epochs");
    scene.delta = params.number("delta");
    if (params.has("states")) scene.states = params.text("states");
    scene.start = pretrained(params, scene, data.pretraining);
    return scene;
}

TrainingPlan plan_of(const TrainingScene& scene, const PrivateRun& run) {
    TrainingPlan plan;
    plan.architecture = scene.network;
    plan.sampling = {run.scheme, scene.training.size(), run.batch_size, std::nullopt, run.seed};
    plan.clip_norm = scene.clip_norm;
    plan.noise_multiplier = run.noise_multiplier;
    plan.optimiser = {Adam{}, scene.learning_rate, LearningRateSchedule::constant, 1};
    plan.steps = scene.epochs * steps_per_epoch(plan.sampling);
    plan.seed = run.seed;
    plan.path = run.path;
    return plan;
}

TrainingCell cell_of(const TrainingScene& scene, const PrivateRun& run) {
    return {fmt::format("{}_noise_{}_batch_{}_seed_{}", name_of(run.scheme), run.noise_multiplier,
                        run.batch_size, run.seed),
            plan_of(scene, run),
            {}};
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
