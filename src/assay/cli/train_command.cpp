#include <fmt/format.h>
#include <tbb/info.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "assay/batch_sampling/batch_sampler.hpp"
#include "assay/cli/bracket_report.hpp"
#include "assay/cli/commands.hpp"
#include "assay/cli/json_number.hpp"
#include "assay/cli/monte_carlo_interruption.hpp"
#include "assay/cli/option_text.hpp"
#include "assay/cli/output_file.hpp"
#include "assay/cli/release_input.hpp"
#include "assay/cli/train_input.hpp"
#include "assay/cli/training_status.hpp"
#include "assay/dpsgd/training_run.hpp"
#include "assay/files/build_info.hpp"
#include "assay/files/file_lock.hpp"
#include "assay/files/progress_line.hpp"
#include "assay/files/working_notice.hpp"
#include "assay/help/wrap.hpp"
#include "assay/numeric/errors.hpp"

namespace assay::cli {

namespace train_command {

constexpr const char* help =
    R"(Trains by DP-SGD and certifies the epsilon of what it released.

Examples:
  assay train --model multilayer-perceptron --sampling poisson \
      --adjacency add-remove --batch-size 128 --noise-multiplier 1 \
      --clip-norm 1 --epochs 20
  assay train --data cifar-10 --data-folder cifar-10-batches-bin \
      --model convolutional --sampling fixed-size-without-replacement \
      --adjacency replace-one --batch-size 120 --noise-multiplier 6 \
      --clip-norm 3 --epochs 250 --state run.state --resume
  assay train --data synthetic-clicks --model click --hidden 64,64 \
      --embedding 8 --sampling balls-and-bins --adjacency zero-out \
      --batch-size 1024 --maximum-batch-size auto --noise-multiplier 0.5 \
      --clip-norm 1 --epochs 1

Prints accuracy (AUC for clicks) and [lower, upper] of epsilon after every
epoch, and before the first step that of the whole run. The same options give
the same bits on any number of threads and after any interruption.
)";

struct Options {
    TrainingOptions training;
    std::optional<std::string> threads;
    std::optional<std::string> state;
    bool resume = false;
    bool json = false;
};

std::string epsilon_text(const LedgerEpsilon& epsilon) {
    return fmt::format("[{}, {}]", side_text(epsilon.lower), side_text(epsilon.upper));
}

/// epsilon after so many steps of the plan.
LedgerEpsilon epsilon_after(const Trainer& trainer, std::int64_t steps, double delta) {
    PrivacyLedger ledger = trainer.ledger();
    ledger.resume(steps);
    return ledger.epsilon(delta);
}

struct Report {
    const LoadedData& data;
    const Trainer& trainer;
    const TrainingLog& log;
    double delta;
    LedgerEpsilon planned;
    std::vector<LedgerEpsilon> epsilons{};  ///< of the log's epochs
};

const char* score_name(const Trainer& trainer) {
    return trainer.model().logits() == 1 ? "auc" : "accuracy";
}

double score(const Trainer& trainer, const Evaluation& evaluation) {
    return trainer.model().logits() == 1 ? evaluation.auc : evaluation.accuracy;
}

std::string header(const Report& report) {
    std::string text = fmt::format(
        "{}: {} training, {} test examples; {}; {} parameters\n", report.data.split.training.name,
        report.data.split.training.size(), report.data.split.test.size(),
        describe(report.trainer.model().architecture()), report.trainer.model().parameter_count());
    if (report.data.report.skipped > 0)
        text += fmt::format("  {} bad records left out, the first: {}\n",
                            report.data.report.skipped, report.data.report.first_problem);
    text +=
        fmt::format("{}\nplanned: {} steps, epsilon in {}\n", report.trainer.ledger().describe(),
                    report.trainer.plan().steps, epsilon_text(report.planned));
    if (!report.planned.note.empty()) text += wrapped(report.planned.note, "  ", 4);
    return text + fmt::format("\n{:>5} {:>9} {:>9} {:>9} {:>9}  epsilon at delta = {}\n", "epoch",
                              "step", "loss", "test loss", score_name(report.trainer),
                              report.delta);
}

/// Those of epochs that were trained before an interruption come with the first one asked for.
const LedgerEpsilon& epsilon_of(Report& report, std::int64_t epoch) {
    const auto& epochs = report.log.epochs();
    while (std::ssize(report.epsilons) < epoch)
        report.epsilons.push_back(
            epsilon_after(report.trainer, epochs.at(report.epsilons.size()).steps, report.delta));
    return report.epsilons.at(static_cast<std::size_t>(epoch) - 1);
}

/// epsilon costs up to a second: what is shown is that of the last epoch, or of the whole run.
std::string status_of(const Report& report, const TrainingProgress& progress) {
    const auto drawn = static_cast<double>(std::max<std::int64_t>(progress.step.batch_size, 1));
    TrainingStatus status{.steps = progress.steps,
                          .total_steps = progress.total_steps,
                          .loss = progress.step.loss,
                          .score_name = "accuracy of the batch",
                          .score = static_cast<double>(progress.step.correct) / drawn,
                          .epsilon = side_text(report.planned.upper),
                          .epoch = std::ssize(report.epsilons),
                          .seconds_left = progress.seconds_left};
    if (status.epoch > 0) {
        status.epsilon = side_text(report.epsilons.back().upper);
        status.score_name = score_name(report.trainer);
        status.score = score(report.trainer, report.log.epochs().back().evaluation);
    }
    return training_status(status);
}

std::string epoch_line(const Report& report, const EpochReport& epoch,
                       const LedgerEpsilon& epsilon) {
    return fmt::format("{:>5} {:>9} {:>9.4f} {:>9.4f} {:>9.4f}  {}\n", epoch.epoch, epoch.steps,
                       epoch.training_loss, epoch.evaluation.loss,
                       score(report.trainer, epoch.evaluation), epsilon_text(epsilon));
}

/// What the bracket of epsilon rests on, for both outputs.
std::vector<std::string> assumptions() {
    return {
        "the account is of the parameters of one training run with exact arithmetic and normal "
        "noise, for whoever does not know the seed",
        "not in the account: the choice of options by earlier runs, and what is printed of the "
        "training data besides (losses, accuracies, sizes and counts of batches, a stop at an "
        "infinite loss)"};
}

std::string closing(const Report& report, const LedgerEpsilon& epsilon) {
    std::string text =
        fmt::format("\n{} {:.4f} at epsilon in {}, delta = {}\n", score_name(report.trainer),
                    score(report.trainer, report.log.epochs().back().evaluation),
                    epsilon_text(epsilon), report.delta);
    text += side_line("upper", epsilon.upper) + side_line("lower", epsilon.lower);
    if (!epsilon.note.empty()) text += wrapped(epsilon.note, "  ", 4);
    std::int64_t refused = 0;
    for (const EpochReport& epoch : report.log.epochs()) refused += epoch.refused;
    if (refused > 0)
        text += wrapped(
            fmt::format("{} gradients were not finite and were left out of their sums", refused),
            "  ", 4);
    for (const std::string& assumption : assumptions()) text += wrapped(assumption, "  ", 4);
    return text;
}

/// What was released, as `assay ask` reads it; null without noise, for an epoch that is not
/// finished, and for the cut batches that no mechanism describes.
Json release_of(const Trainer& trainer) {
    const TrainingPlan& plan = trainer.plan();
    const BatchSampling& sampling = plan.sampling;
    if (plan.noise_multiplier == 0.0 || !plan.adjacency) return {};
    const Mechanism mechanism = BatchSampler(sampling).released(plan.noise_multiplier);
    std::int64_t repetitions = trainer.steps_done();
    if (is_epoch_sampler(mechanism)) {
        if (repetitions % trainer.batches_per_epoch() != 0) return {};
        repetitions /= trainer.batches_per_epoch();
    }
    if (sampling.maximum_batch_size && sampling.scheme == SamplingScheme::balls_and_bins) return {};
    return release_json({*plan.adjacency, {{mechanism, repetitions}}});
}

Json to_json(Report& report, const LedgerEpsilon& epsilon) {
    const TrainingPlan& plan = report.trainer.plan();
    const bool has_auc = report.trainer.model().logits() == 1;
    Json epochs = Json::array();
    for (const EpochReport& epoch : report.log.epochs()) {
        const LedgerEpsilon& after = epsilon_of(report, epoch.epoch);
        epochs.push_back({{"epoch", epoch.epoch},
                          {"steps", epoch.steps},
                          {"training_loss", json_number(epoch.training_loss)},
                          {"training_accuracy", epoch.training_accuracy},
                          {"test_loss", json_number(epoch.evaluation.loss)},
                          {"test_accuracy", epoch.evaluation.accuracy},
                          {"test_auc", has_auc ? Json(epoch.evaluation.auc) : Json()},
                          {"smallest_batch", epoch.smallest_batch},
                          {"largest_batch", epoch.largest_batch},
                          {"clipped", epoch.clipped},
                          {"refused", epoch.refused},
                          {"epsilon",
                           {{"lower", json_number(after.lower.value)},
                            {"upper", json_number(after.upper.value)}}}});
    }
    return {{"release", release_of(report.trainer)},
            {"data", report.data.split.training.name},
            {"stand_in", report.data.stand_in},
            {"skipped", report.data.report.skipped},
            {"model", describe(report.trainer.model().architecture())},
            {"parameters", report.trainer.model().parameter_count()},
            {"sampling", to_string(plan.sampling.scheme)},
            {"batch_size", plan.sampling.batch_size},
            {"maximum_batch_size",
             plan.sampling.maximum_batch_size ? Json(*plan.sampling.maximum_batch_size) : Json()},
            {"clip_norm", plan.clip_norm ? Json(*plan.clip_norm) : Json()},
            {"adjacency", plan.adjacency ? Json(to_string(*plan.adjacency)) : Json()},
            {"noise_multiplier", plan.noise_multiplier},
            {"seed", plan.seed},
            {"steps", report.trainer.steps_done()},
            {"delta", report.delta},
            {"epsilon", {{"lower", side_json(epsilon.lower)}, {"upper", side_json(epsilon.upper)}}},
            {"note", epsilon.note.empty() ? Json(nullptr) : Json(epsilon.note)},
            {"assumptions", assumptions()},
            {"epochs", std::move(epochs)},
            {"version", build_info().version}};
}

void require_consistent(const Options& options) {
    if (options.resume && !options.state) throw Error("state is missing: the file to resume");
    if (options.state) require_output_file(*options.state);
}

int threads_of(const Options& options) {
    constexpr std::int64_t most_threads = 4096;
    if (!options.threads) return tbb::info::default_concurrency();
    return static_cast<int>(read_integer_option("threads", *options.threads, most_threads));
}

[[noreturn]] void report_stop(const Options& options, const Trainer& trainer) {
    if (!options.state) throw Error("stopped: nothing is kept without --state FILE");
    throw Error(fmt::format("stopped: {} of {} steps are in {}; go on with --resume",
                            trainer.steps_done(), trainer.plan().steps, *options.state));
}

void run(const Options& options, Streams& streams) {
    require_consistent(options);
    std::optional<FileLock> lock;
    if (options.state) lock.emplace(*options.state);
    const int threads = threads_of(options);
    const DataDescription description = read_data_description(options.training);
    // What is wrong with the options is better said before a large file is read.
    static_cast<void>(read_training_request(options.training, std::nullopt));
    std::optional<WorkingNotice> notice(std::in_place, streams.err, "reading the data");
    const LoadedData data = load_dataset(description);
    const TrainingRequest request =
        read_training_request(options.training, data.split.training.size());
    Trainer trainer(request.plan, data.split.training, threads);
    TrainingLog log;
    Report report{.data = data,
                  .trainer = trainer,
                  .log = log,
                  .delta = request.delta,
                  .planned = epsilon_after(trainer, request.plan.steps, request.delta)};

    notice.emplace(streams.err, "the first step");
    ProgressLine status(streams.err);
    // Only a run that goes on, or has ended, has anything to say: a refused one prints one line.
    bool headed = options.json;
    const auto head = [&] {
        if (!headed) streams.out << header(report) << std::flush;
        headed = true;
    };
    TrainingRunOptions how;
    std::optional<Interruption> interruption(std::in_place);
    if (options.state) how.state = *options.state;
    how.resume = options.resume;
    how.keep_going = [&] { return !interruption->requested(); };
    how.progress = [&](const TrainingProgress& progress) {
        notice.reset();
        head();
        status.show([&] { return status_of(report, progress); });
    };
    how.epoch_done = [&](const EpochReport& epoch) {
        const LedgerEpsilon& epsilon = epsilon_of(report, epoch.epoch);
        status.clear();
        if (!options.json) streams.out << epoch_line(report, epoch, epsilon) << std::flush;
    };
    const bool finished = run_training(trainer, data.split.test, threads, log, how);
    notice.reset();
    interruption.reset();  // what was trained is kept
    status.clear();
    if (!finished) report_stop(options, trainer);
    const LedgerEpsilon epsilon = epsilon_of(report, std::ssize(log.epochs()));
    if (options.json) streams.out << to_json(report, epsilon).dump(2) << '\n';
    head();
    if (!options.json) streams.out << closing(report, epsilon);
}

}  // namespace train_command

void add_train_command(CLI::App& program, Streams& streams, int& exit_code) {
    using namespace train_command;
    auto options = std::make_shared<Options>();
    CLI::App* command = program.add_subcommand("train", help);
    add_training_options(*command, options->training);
    command->add_option("--threads", options->threads, "threads (all)")->type_name("INTEGER");
    command
        ->add_option(
            "--state", options->state,
            "keep the run in FILE, about every 10 seconds (a tenth of a shorter run) and at the "
            "end")
        ->type_name("FILE");
    command
        ->add_flag("--resume", options->resume, "go on with the state; begin where there is none")
        ->disable_flag_override();
    command->add_flag("--json", options->json, "print one JSON object at the end")
        ->disable_flag_override();
    command->callback([options, &streams, &exit_code] {
        run(*options, streams);
        exit_code = 0;
    });
}

}  // namespace assay::cli
