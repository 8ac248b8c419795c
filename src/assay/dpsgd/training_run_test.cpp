#include "assay/dpsgd/training_run.hpp"

#include "test_support/scratch_folder.hpp"
#include "test_support/training_examples.hpp"

using namespace assay;
using test_support::plan_for;
using test_support::two_clouds;

namespace {

struct Outcome {
    bool finished = false;
    std::vector<EpochReport> epochs;
    std::vector<float> parameters;
    std::int64_t recorded = 0;
};

Outcome run(const TrainingPlan& plan, const Dataset& data, const TrainingRunOptions& options) {
    Trainer trainer(plan, data, 1);
    TrainingLog log;
    Outcome outcome;
    outcome.finished = run_training(trainer, data, 1, log, options);
    outcome.epochs = log.epochs();
    outcome.parameters.assign(trainer.model().parameters().begin(),
                              trainer.model().parameters().end());
    outcome.recorded = trainer.ledger().steps();
    return outcome;
}

}  // namespace

TEST_CASE("a run evaluates after every epoch and at its end", "[dpsgd]") {
    const Dataset data = two_clouds(40);
    TrainingPlan plan = plan_for(data);  // four steps an epoch
    plan.steps = 10;
    std::vector<std::int64_t> ends;
    std::int64_t last = 0;
    TrainingRunOptions options;
    options.epoch_done = [&](const EpochReport& report) { ends.push_back(report.steps); };
    options.progress = [&](const TrainingProgress& progress) {
        CHECK(progress.steps == ++last);
        CHECK(progress.total_steps == 10);
        CHECK(progress.step.batch_size >= 0);
        CHECK(progress.seconds_left >= 0.0);
    };
    const Outcome outcome = run(plan, data, options);
    CHECK(outcome.finished);
    CHECK(ends == std::vector<std::int64_t>{4, 8, 10});
    CHECK(last == 10);
    CHECK(outcome.recorded == 10);
    CHECK(outcome.epochs.back().evaluation.accuracy > 0.5);
}

TEST_CASE("a run that is stopped and resumed has the same epochs and bits", "[dpsgd]") {
    const ScratchFolder folder("training_run");
    const Dataset data = two_clouds(40);
    const TrainingPlan plan = plan_for(data);
    const Outcome whole = run(plan, data, {});
    for (const int stop : {0, 3, 4, 17}) {
        TrainingRunOptions options;
        options.state = folder.path() / std::to_string(stop);
        int asked = 0;
        options.keep_going = [&] { return asked++ < stop; };
        CHECK(!run(plan, data, options).finished);
        options.keep_going = {};
        CHECK_THROWS_AS(run(plan, data, options), FileError);  // exists, and is not to be resumed
        options.resume = true;
        const Outcome rest = run(plan, data, options);
        CHECK(rest.finished);
        CHECK(rest.parameters == whole.parameters);
        CHECK(rest.epochs == whole.epochs);
        CHECK(rest.recorded == plan.steps);
        // A run that was finished is only read.
        CHECK(run(plan, data, options).epochs == whole.epochs);
    }
}

TEST_CASE("a run is stopped inside of a batch and of an evaluation", "[dpsgd]") {
    const ScratchFolder folder("training_run_inside");
    const Dataset data = two_clouds(10'000);  // three chunks
    TrainingPlan plan = plan_for(data);
    plan.sampling.batch_size = 9'000;
    plan.steps = 3;
    const Outcome whole = run(plan, data, {});
    int asked = 0;
    TrainingRunOptions counting;
    counting.keep_going = [&] { return ++asked > 0; };
    static_cast<void>(run(plan, data, counting));
    REQUIRE(asked > 4 * plan.steps);
    for (int stop = 0; stop < asked; ++stop) {
        TrainingRunOptions options;
        options.state = folder.path() / std::to_string(stop);
        int left = stop;
        options.keep_going = [&] { return left-- > 0; };
        CHECK(!run(plan, data, options).finished);
        options.keep_going = {};
        options.resume = true;
        const Outcome rest = run(plan, data, options);
        CHECK(rest.parameters == whole.parameters);
        CHECK(rest.epochs == whole.epochs);
    }
}

TEST_CASE("a state knows where its run began and what judges it", "[dpsgd]") {
    const ScratchFolder folder("training_run_other");
    const Dataset data = two_clouds(40);
    const TrainingPlan plan = plan_for(data);
    TrainingRunOptions options;
    options.state = folder.path() / "state";
    options.resume = true;
    const Outcome whole = run(plan, data, options);
    TrainingLog log;
    Trainer other_judge(plan, data, 1);
    CHECK_THROWS_WITH(run_training(other_judge, two_clouds(40, 5), 1, log, options),
                      Catch::Contains("other data judge"));
    Trainer other_start(plan, data, 1);
    other_start.start_from(whole.parameters);
    CHECK_THROWS_WITH(run_training(other_start, data, 1, log, options),
                      Catch::Contains("start seed there"));
}

TEST_CASE("a state with more steps than the plan is refused and kept", "[dpsgd]") {
    const ScratchFolder folder("training_run_fewer");
    const Dataset data = two_clouds(40);
    TrainingPlan plan = plan_for(data);
    TrainingRunOptions options;
    options.state = folder.path() / "state";
    options.resume = true;
    CHECK(run(plan, data, options).finished);
    plan.steps = 29;
    CHECK_THROWS_WITH(run(plan, data, options),
                      Catch::Contains("holds 30 steps, more than the 29 of this plan"));
    plan.steps = 30;
    CHECK(run(plan, data, options).recorded == 30);
    plan.steps = 33;
    CHECK(run(plan, data, options).recorded == 33);
}

TEST_CASE("a run that diverges leaves the last state whose loss was finite", "[dpsgd]") {
    const ScratchFolder folder("training_run_diverged");
    const Dataset data = two_clouds(40);
    TrainingPlan plan = plan_for(data);
    plan.clip_norm.reset();
    plan.noise_multiplier = 0.0;
    plan.architecture = MultilayerPerceptron{{8, 8, 8}};
    plan.optimiser = {GradientDescent{0.0}, 1e12, LearningRateSchedule::constant, 1};
    TrainingRunOptions options;
    options.state = folder.path() / "state";
    options.seconds_between_states = 0.0;
    CHECK_THROWS_AS(run(plan, data, options), TrainingDiverged);
    Trainer trainer(plan, data, 1);
    static_cast<void>(trainer.resume(*options.state));
    bool finite = false;
    CHECK_THROWS_AS(
        [&] {
            static_cast<void>(trainer.step([&] { finite = true; }));
            static_cast<void>(trainer.step());
        }(),
        TrainingDiverged);
    CHECK(finite);
}
