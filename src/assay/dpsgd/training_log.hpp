#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "assay/dpsgd/evaluation.hpp"
#include "assay/dpsgd/trainer.hpp"

namespace assay {

/// What is known at the end of an epoch, or of the run.
struct EpochReport {
    std::int64_t epoch = 0;  // finished, from 1; the last may be a part of one
    std::int64_t steps = 0;  // done, from the beginning of the run
    double training_loss = 0.0;
    double training_accuracy = 0.0;  // over the examples drawn in the epoch, before each update
    std::int64_t smallest_batch = 0;
    std::int64_t largest_batch = 0;
    std::int64_t clipped = 0;
    std::int64_t refused = 0;
    Evaluation evaluation;

    friend bool operator==(const EpochReport&, const EpochReport&) = default;
};

/// The finished epochs of a run, and the sums of the one that is going on.
class TrainingLog {
public:
    TrainingLog() = default;

    void add(const StepReport& step);
    /// Ends the epoch that is going on.
    const EpochReport& finish_epoch(std::int64_t steps_done, const Evaluation& evaluation);
    [[nodiscard]] const std::vector<EpochReport>& epochs() const { return epochs_; }

    /// All of it as numbers, for the state of a run; and back.
    ///   Throws     DomainError (log) where they are not such numbers
    [[nodiscard]] std::vector<double> numbers() const;
    static TrainingLog from_numbers(std::span<const double> numbers);

private:
    std::vector<EpochReport> epochs_;
    EpochReport current_;  // its loss and accuracy are sums
    std::int64_t examples_ = 0;
    std::int64_t steps_ = 0;
};

}  // namespace assay
