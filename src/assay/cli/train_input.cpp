#include "assay/cli/train_input.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>

#include "assay/batch_sampling/truncation.hpp"
#include "assay/cli/option_text.hpp"
#include "assay/dpsgd/trainer.hpp"
#include "assay/numeric/errors.hpp"

namespace assay::cli {

namespace {

constexpr std::int64_t most_examples = 4'294'967'295;

bool is_positive(double x) {
    return x > 0.0;
}

std::vector<int> read_sizes(const char* name, const std::string& text) {
    std::vector<int> sizes;
    for (const std::string& item : list_items(text))
        sizes.push_back(static_cast<int>(read_integer_option(name, item, 1'000'000)));
    return sizes;
}

void refuse_if_given(const char* name, const std::optional<std::string>& text, const char* when) {
    if (text) throw DomainError(name, *text, when);
}

/// Options that the data named would not heed.
void refuse_unheeded(const TrainingOptions& options, DataKind kind) {
    if (kind != DataKind::criteo_ads && kind != DataKind::criteo_search)
        refuse_if_given("buckets", options.buckets, "only with --data criteo-ads or criteo-search");
    if (kind != DataKind::synthetic_clicks) {
        refuse_if_given("synthetic-examples", options.synthetic_examples,
                        "only with --data synthetic-clicks");
        return;
    }
    constexpr const char* no_files = "only with data that are read from files";
    refuse_if_given("data-folder", options.data_folder, no_files);
    refuse_if_given("limit", options.limit, no_files);
    if (options.skip_bad) throw Error(fmt::format("skip-bad is {}", no_files));
}

Architecture read_architecture(const TrainingOptions& options) {
    const std::string& model =
        required("model", options.model, "logistic, multilayer-perceptron, convolutional or click");
    if (model != "convolutional")
        refuse_if_given("channels", options.channels, "only with --model convolutional");
    if (model != "click")
        refuse_if_given("embedding", options.embedding, "only with --model click");
    if (model == "logistic") {
        refuse_if_given("hidden", options.hidden, "left out with --model logistic");
        return LogisticRegression{};
    }
    const auto hidden = [&](std::vector<int> otherwise) {
        return options.hidden ? read_sizes("hidden", *options.hidden) : std::move(otherwise);
    };
    if (model == "multilayer-perceptron") return MultilayerPerceptron{hidden({64})};
    if (model == "convolutional") {
        ConvolutionalNetwork network;
        network.hidden = hidden({});
        if (options.channels) network.channels = read_sizes("channels", *options.channels);
        return network;
    }
    if (model == "click") {
        ClickNetwork network;
        network.hidden = hidden(network.hidden);
        if (options.embedding)
            network.embedding =
                static_cast<int>(read_integer_option("embedding", *options.embedding, 100'000));
        return network;
    }
    throw DomainError("model", model, "logistic, multilayer-perceptron, convolutional or click");
}

OptimiserOptions read_optimiser(const TrainingOptions& options) {
    OptimiserOptions optimiser;
    if (options.optimiser == "sgd") {
        GradientDescent rule;
        if (options.momentum)
            rule.momentum = read_option(
                "momentum", *options.momentum, [](double x) { return x >= 0.0 && x < 1.0; },
                "0 <= momentum < 1");
        optimiser.rule = rule;
    } else if (options.optimiser == "adam") {
        refuse_if_given("momentum", options.momentum, "only with --optimiser sgd");
        optimiser.rule = Adam{};
    } else {
        throw DomainError("optimiser", options.optimiser, "sgd or adam");
    }
    optimiser.learning_rate =
        read_option("learning-rate", options.learning_rate, is_positive, "a positive number");
    if (options.schedule == "cosine")
        optimiser.schedule = LearningRateSchedule::cosine;
    else if (options.schedule != "constant")
        throw DomainError("schedule", options.schedule, "constant or cosine");
    return optimiser;
}

void read_privacy(const TrainingOptions& options, TrainingRequest& request) {
    TrainingPlan& plan = request.plan;
    plan.noise_multiplier = read_required(
        "noise-multiplier", options.noise_multiplier, [](double x) { return x >= 0.0; },
        "a number >= 0; 0 trains without privacy");
    if (options.clip_norm)
        plan.clip_norm =
            read_option("clip-norm", *options.clip_norm, is_positive, "a positive number");
    if (plan.noise_multiplier > 0.0) {
        static_cast<void>(required("clip-norm", options.clip_norm, "a positive number"));
        plan.adjacency = adjacency_from_string(
            required("adjacency", options.adjacency, "add-remove, replace-one or zero-out"));
    } else if (options.adjacency) {
        plan.adjacency = adjacency_from_string(*options.adjacency);
    }
    request.delta = read_option(
        "delta", options.delta, [](double x) { return x > 0.0 && x < 1.0; }, "0 < delta < 1");
}

std::int64_t read_steps(const TrainingOptions& options, const BatchSampling& sampling) {
    const double epochs = read_option("epochs", options.epochs, is_positive, "a positive number");
    const double steps = epochs * static_cast<double>(batches_per_epoch(sampling));
    if (steps > static_cast<double>(most_examples))
        throw DomainError("epochs", options.epochs,
                          fmt::format("at most {} steps in all", most_examples));
    return std::max<std::int64_t>(1, std::llround(steps));
}

/// The smallest maximum whose cost in delta is negligible at the epsilon that the whole run has
/// without it, or at 10 (chua2025 Appendix C), whichever is larger.
std::int64_t automatic_maximum(const TrainingRequest& request) {
    const TrainingPlan& plan = request.plan;
    const BatchSampling& sampling = plan.sampling;
    PrivacyLedger ledger = ledger_of(plan);  // without a maximum so far
    ledger.resume(plan.steps);
    const double epsilon = ledger.epsilon(0.99 * request.delta).upper.value;
    // One more: under add-remove a neighbour has one record more.
    return 1 + smallest_maximum_batch_size(sampling.dataset_size, sampling.batch_size, plan.steps,
                                           std::isfinite(epsilon) ? std::max(epsilon, 10.0) : 10.0,
                                           1e-5 * request.delta);
}

/// Where the digits are that come with the program: the repository's folder, or what was installed
/// beside it.
std::string own_data_folder() {
    const std::filesystem::path here = "data";
    std::error_code none;
    const auto program = std::filesystem::read_symlink("/proc/self/exe", none);
    const auto installed = program.parent_path().parent_path() / "share" / "assay" / "data";
    const bool is_here = std::filesystem::exists(here / "optical_digits.csv.gz", none);
    return !is_here && std::filesystem::is_directory(installed, none) ? installed.string()
                                                                      : here.string();
}

}  // namespace

DataDescription read_data_description(const TrainingOptions& options) {
    DataDescription description;
    description.kind = data_kind_from_string(options.data);
    refuse_unheeded(options, description.kind);
    description.folder = options.data_folder ? *options.data_folder : own_data_folder();
    description.read.skip_bad = options.skip_bad;
    if (options.limit)
        description.read.limit = read_integer_option("limit", *options.limit, most_examples);
    if (options.buckets)
        description.criteo.buckets =
            static_cast<std::int32_t>(read_integer_option("buckets", *options.buckets, 1 << 30));
    description.split_seed = read_seed(options.seed);
    description.synthetic.seed = description.split_seed;
    if (options.synthetic_examples)
        description.synthetic.examples =
            read_integer_option("synthetic-examples", *options.synthetic_examples, most_examples);
    return description;
}

TrainingRequest read_training_request(const TrainingOptions& options,
                                      std::optional<std::int64_t> examples) {
    TrainingRequest request;
    TrainingPlan& plan = request.plan;
    plan.architecture = read_architecture(options);
    plan.optimiser = read_optimiser(options);
    read_privacy(options, request);
    plan.seed = read_seed(options.seed);
    plan.sampling.seed = plan.seed;
    plan.sampling.scheme = sampling_scheme_from_string(
        required("sampling", options.sampling,
                 "deterministic, shuffle, poisson, fixed-size-without-replacement, "
                 "fixed-size-with-replacement or balls-and-bins"));
    plan.sampling.batch_size = read_integer_option(
        "batch-size", required("batch-size", options.batch_size, "examples in a step"),
        most_examples);
    const bool has_random_sizes = plan.sampling.scheme == SamplingScheme::poisson ||
                                  plan.sampling.scheme == SamplingScheme::balls_and_bins;
    if (options.maximum_batch_size == "auto" && !has_random_sizes)
        throw DomainError("maximum-batch-size", "auto", "only with poisson or balls-and-bins");
    if (options.maximum_batch_size && options.maximum_batch_size != "auto")
        plan.sampling.maximum_batch_size =
            read_integer_option("maximum-batch-size", *options.maximum_batch_size, most_examples);
    static_cast<void>(read_option("epochs", options.epochs, is_positive, "a positive number"));
    if (!examples) return request;
    plan.sampling.dataset_size = *examples;
    plan.steps = read_steps(options, plan.sampling);
    plan.optimiser.total_steps = plan.steps;
    if (options.maximum_batch_size == "auto")
        plan.sampling.maximum_batch_size = automatic_maximum(request);
    return request;
}

void add_training_options(CLI::App& command, TrainingOptions& options) {
    const auto add = [&](const char* name, auto& value, const char* type, const char* text) {
        return command.add_option(name, value, text)->type_name(type);
    };
    add("--data", options.data, "NAME",
        "optical-digits, cifar-10, cifar-100, criteo-ads, criteo-search or synthetic-clicks")
        ->capture_default_str();
    add("--data-folder", options.data_folder, "DIR",
        "where its files are, plain or .gz (./data, else what was installed with the program)");
    add("--limit", options.limit, "INTEGER", "read no more examples than this");
    add("--buckets", options.buckets, "INTEGER", "of the hash of a Criteo field (65536)");
    add("--synthetic-examples", options.synthetic_examples, "INTEGER", "to generate (100000)");
    command.add_flag("--skip-bad", options.skip_bad, "leave bad records out, and count them")
        ->disable_flag_override();
    add("--model", options.model, "NAME",
        "logistic, multilayer-perceptron, convolutional or click (required)");
    add("--hidden", options.hidden, "LIST",
        "sizes of its affine layers, as 64,32 (64 of multilayer-perceptron, 598,598,598 of click)");
    add("--channels", options.channels, "LIST", "of its convolutions (32,32,64,128,128,256)");
    add("--embedding", options.embedding, "INTEGER", "dimension of a category (48)");
    add("--sampling", options.sampling, "NAME",
        "deterministic, shuffle, poisson, fixed-size-without-replacement, "
        "fixed-size-with-replacement or balls-and-bins (required)");
    add("--adjacency", options.adjacency, "NAME",
        "add-remove, replace-one or zero-out (required with noise)");
    add("--batch-size", options.batch_size, "INTEGER",
        "examples in a step; expected ones for poisson and balls-and-bins (required)");
    add("--maximum-batch-size", options.maximum_batch_size, "INTEGER",
        "cut batches of random size here; auto: where it costs 1e-5 of delta");
    add("--noise-multiplier", options.noise_multiplier, "NUMBER",
        "noise standard deviation / clip norm; 0 trains without privacy (required)");
    add("--clip-norm", options.clip_norm, "NUMBER",
        "of an example's gradient (required with noise)");
    add("--epochs", options.epochs, "NUMBER",
        "passes of n/b steps, rounded up; assay epsilon takes the --steps of the run, or "
        "--batches-per-epoch and --epochs for samplers of epochs")
        ->capture_default_str();
    add("--optimiser", options.optimiser, "NAME", "sgd or adam")->capture_default_str();
    add("--momentum", options.momentum, "NUMBER", "of sgd (0)");
    add("--learning-rate", options.learning_rate, "NUMBER", "positive")->capture_default_str();
    add("--schedule", options.schedule, "NAME", "constant or cosine")->capture_default_str();
    add("--delta", options.delta, "NUMBER", "for the epsilon that is printed")
        ->capture_default_str();
    add("--seed", options.seed, "INTEGER", "of batches, initial weights, noise and random splits")
        ->capture_default_str();
}

}  // namespace assay::cli
