#include "assay/dpsgd/training_run.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <vector>

#include "assay/dpsgd/evaluation.hpp"
#include "assay/numeric/errors.hpp"

namespace assay {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// What a state keeps of a run besides the trainer's: which data it is judged by, and its log.
std::vector<double> kept_numbers(const Dataset& test, const TrainingLog& log) {
    std::vector<double> numbers = log.numbers();
    numbers.push_back(checksum(test));
    return numbers;
}

TrainingLog log_of(const std::filesystem::path& path, std::vector<double> numbers,
                   const Dataset& test) {
    if (numbers.empty() || numbers.back() != checksum(test))
        throw FileError(path.string(), 0, "the state of a run that other data judge");
    numbers.pop_back();
    return TrainingLog::from_numbers(numbers);
}

void begin_or_resume(Trainer& trainer, const Dataset& test, TrainingLog& log,
                     const TrainingRunOptions& options) {
    if (!options.state || !std::filesystem::exists(*options.state)) return;
    if (!options.resume)
        throw FileError(options.state->string(), 0,
                        "holds a run already: resume it, or name another file");
    log = log_of(*options.state, trainer.resume(*options.state), test);
    const std::int64_t planned = trainer.plan().steps;
    if (trainer.steps_done() > planned)
        throw FileError(options.state->string(), 0,
                        fmt::format("holds {} steps, more than the {} of this plan: ask for at "
                                    "least as many epochs",
                                    trainer.steps_done(), planned));
}

}  // namespace

bool run_training(Trainer& trainer, const Dataset& test, int threads, TrainingLog& log,
                  const TrainingRunOptions& options) {
    begin_or_resume(trainer, test, log, options);
    const Clock::time_point begin = Clock::now();
    const std::int64_t first = trainer.steps_done();
    const std::int64_t total = trainer.plan().steps;
    Clock::time_point kept = begin;
    const auto keep = [&] {
        trainer.require_finite();
        if (options.state) trainer.save(*options.state, kept_numbers(test, log));
        kept = Clock::now();
    };
    if (first == 0) keep();
    while (!trainer.finished()) {
        if (options.keep_going && !options.keep_going()) {
            keep();
            return false;
        }
        const StepReport step = trainer.step([&] {
            if (options.state && seconds_since(kept) >= options.seconds_between_states) keep();
        });
        log.add(step);
        const std::int64_t done = trainer.steps_done();
        if (options.progress) {
            const double rate = seconds_since(begin) / static_cast<double>(done - first);
            options.progress({done, total, step, rate * static_cast<double>(total - done)});
        }
        if (done % trainer.steps_per_epoch() != 0 && !trainer.finished()) continue;
        const Evaluation evaluation = evaluate(trainer.model(), test, threads);
        if (!std::isfinite(evaluation.loss)) throw trainer.diverged();
        const EpochReport& report = log.finish_epoch(done, evaluation);
        if (options.epoch_done) options.epoch_done(report);
    }
    keep();
    return true;
}

}  // namespace assay
