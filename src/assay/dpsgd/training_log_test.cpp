#include "assay/dpsgd/training_log.hpp"

#include "test_support/test_support.hpp"

using namespace assay;

namespace {

StepReport step(std::int64_t size, double loss, std::int64_t correct) {
    StepReport report;
    report.batch_size = size;
    report.loss = loss;
    report.correct = correct;
    report.clipped = 1;
    return report;
}

}  // namespace

TEST_CASE("an epoch's loss and accuracy are means over its examples", "[dpsgd]") {
    TrainingLog log;
    log.add(step(10, 2.0, 4));
    log.add(step(30, 1.0, 20));
    log.add(step(0, 0.0, 0));  // Poisson batches may be empty
    const EpochReport& report = log.finish_epoch(3, {0.5, 0.75, 0.0});
    CHECK(report.epoch == 1);
    CHECK(report.steps == 3);
    CHECK(report.training_loss == 50.0 / 40.0);
    CHECK(report.training_accuracy == 24.0 / 40.0);
    CHECK(report.smallest_batch == 0);
    CHECK(report.largest_batch == 30);
    CHECK(report.clipped == 3);
    CHECK(report.evaluation == Evaluation{0.5, 0.75, 0.0});
    log.add(step(7, 1.0, 7));
    CHECK(log.finish_epoch(4, {}).smallest_batch == 7);
    CHECK(log.epochs().size() == 2);
}

TEST_CASE("a log goes through its numbers in the middle of an epoch", "[dpsgd]") {
    TrainingLog whole;
    whole.add(step(10, 2.0, 4));
    static_cast<void>(whole.finish_epoch(1, {0.5, 0.75, 0.25}));
    whole.add(step(5, 0.3, 2));
    TrainingLog copy = TrainingLog::from_numbers(whole.numbers());
    for (TrainingLog* log : {&whole, &copy}) {
        log->add(step(9, 0.7, 8));
        static_cast<void>(log->finish_epoch(3, {0.1, 0.2, 0.3}));
    }
    CHECK(copy.epochs() == whole.epochs());
    CHECK(copy.numbers() == whole.numbers());
}

TEST_CASE("numbers that are no log are refused", "[dpsgd]") {
    for (const std::size_t count : {0, 2, 12, 14, 25})
        CHECK(test_support::refused(
                  [&] { return TrainingLog::from_numbers(std::vector<double>(count)); }) == "log");
    CHECK(TrainingLog::from_numbers(std::vector<double>(13)).epochs().empty());
}
