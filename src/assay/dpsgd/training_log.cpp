#include "assay/dpsgd/training_log.hpp"

#include <algorithm>
#include <array>

#include "assay/numeric/errors.hpp"

namespace assay {

namespace {

constexpr std::size_t width = 11;
using Row = std::array<double, width>;

Row row_of(const EpochReport& r) {
    const auto number = [](std::int64_t x) { return static_cast<double>(x); };
    return {number(r.epoch),       number(r.steps),          r.training_loss,
            r.training_accuracy,   number(r.smallest_batch), number(r.largest_batch),
            number(r.clipped),     number(r.refused),        r.evaluation.loss,
            r.evaluation.accuracy, r.evaluation.auc};
}

EpochReport report_of(std::span<const double> row) {
    const auto integer = [&](std::size_t i) { return static_cast<std::int64_t>(row[i]); };
    return {integer(0), integer(1), row[2],
            row[3],     integer(4), integer(5),
            integer(6), integer(7), {row[8], row[9], row[10]}};
}

}  // namespace

void TrainingLog::add(const StepReport& step) {
    current_.training_loss += step.loss * static_cast<double>(step.batch_size);
    current_.training_accuracy += static_cast<double>(step.correct);
    current_.smallest_batch =
        steps_ == 0 ? step.batch_size : std::min(current_.smallest_batch, step.batch_size);
    current_.largest_batch = std::max(current_.largest_batch, step.batch_size);
    current_.clipped += step.clipped;
    current_.refused += step.refused;
    examples_ += step.batch_size;
    ++steps_;
}

const EpochReport& TrainingLog::finish_epoch(std::int64_t steps_done,
                                             const Evaluation& evaluation) {
    const auto examples = static_cast<double>(std::max<std::int64_t>(examples_, 1));
    current_.epoch = static_cast<std::int64_t>(epochs_.size()) + 1;
    current_.steps = steps_done;
    current_.training_loss /= examples;
    current_.training_accuracy /= examples;
    current_.evaluation = evaluation;
    epochs_.push_back(current_);
    current_ = {};
    examples_ = 0;
    steps_ = 0;
    return epochs_.back();
}

std::vector<double> TrainingLog::numbers() const {
    std::vector<double> all{static_cast<double>(examples_), static_cast<double>(steps_)};
    const auto append = [&](const EpochReport& report) {
        const Row row = row_of(report);
        all.insert(all.end(), row.begin(), row.end());
    };
    append(current_);
    for (const EpochReport& report : epochs_) append(report);
    return all;
}

TrainingLog TrainingLog::from_numbers(std::span<const double> numbers) {
    require(numbers.size() >= 2 + width && (numbers.size() - 2) % width == 0, "log",
            static_cast<double>(numbers.size()), "2 numbers and a row of 11 for every epoch");
    TrainingLog log;
    log.examples_ = static_cast<std::int64_t>(numbers[0]);
    log.steps_ = static_cast<std::int64_t>(numbers[1]);
    log.current_ = report_of(numbers.subspan(2, width));
    for (std::size_t at = 2 + width; at < numbers.size(); at += width)
        log.epochs_.push_back(report_of(numbers.subspan(at, width)));
    return log;
}

}  // namespace assay
