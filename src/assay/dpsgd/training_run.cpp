#include "assay/dpsgd/training_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <vector>

#include "assay/dpsgd/evaluation.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/numeric/interruption.hpp"

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
    double keeping = 0.0;
    const auto keep = [&] {
        trainer.require_finite();
        const Clock::time_point before = Clock::now();
        if (options.state) trainer.save(*options.state, kept_numbers(test, log));
        kept = Clock::now();
        keeping = seconds_since(before);
    };
    // A slow disk may take a twentieth of the time.
    const auto pause = [&] {
        return std::min(options.seconds_between_states,
                        std::max({0.05, 0.1 * seconds_since(begin), 20.0 * keeping}));
    };
    if (first == 0) keep();
    const auto is_stopped = [&] { return options.keep_going && !options.keep_going(); };
    const auto is_epoch_due = [&] {
        const std::int64_t done = trainer.steps_done();
        const bool ends_epoch =
            done > 0 && (done % trainer.batches_per_epoch() == 0 || trainer.finished());
        return ends_epoch && (log.epochs().empty() || log.epochs().back().steps != done);
    };
    try {
        const InterruptionScope scope(is_stopped);
        for (;;) {
            if (is_epoch_due()) {  // also that of a run that was stopped while it was judged
                const Evaluation evaluation = evaluate(trainer.model(), test, threads);
                if (!std::isfinite(evaluation.loss)) throw trainer.diverged();
                const EpochReport& report = log.finish_epoch(trainer.steps_done(), evaluation);
                if (options.epoch_done) options.epoch_done(report);
            }
            if (trainer.finished()) break;
            if (is_stopped()) throw Interrupted();
            const StepReport step = trainer.step([&] {
                if (options.state && seconds_since(kept) >= pause()) keep();
            });
            log.add(step);
            const std::int64_t done = trainer.steps_done();
            if (options.progress) {
                const double rate = seconds_since(begin) / static_cast<double>(done - first);
                options.progress({done, total, step, rate * static_cast<double>(total - done)});
            }
        }
    } catch (const Interrupted&) {
        keep();
        return false;
    }
    keep();
    return true;
}

}  // namespace assay
