#include "experiments/epoch_training.hpp"

#include <filesystem>
#include <stdexcept>

#include "test_support/scratch_folder.hpp"
#include "test_support/training_examples.hpp"

using namespace assay;
using namespace assay::experiments;
using test_support::plan_for;
using test_support::two_clouds;

namespace {

/// Epoch, the first parameter there, and the examples drawn in it.
struct EpochRun {
    std::vector<double> numbers;
    std::vector<float> parameters;
    int epochs_measured = 0;
};

EpochRun run(const Dataset& data, const TrainingPlan& plan, const std::string& states,
             std::int64_t fails_at = -1) {
    Trainer trainer(plan, data, 1);
    EpochRun found;
    double drawn = 0.0;
    found.numbers = train_by_epochs(
        trainer, states, "run",
        [&](std::int64_t epoch) -> std::vector<double> {
            if (epoch == fails_at) throw std::runtime_error("interrupted");
            ++found.epochs_measured;
            const double all = drawn;
            drawn = 0.0;
            return {static_cast<double>(epoch), trainer.model().parameters().front(), all};
        },
        [&](const StepReport& step) { drawn += static_cast<double>(step.batch_size); });
    found.parameters.assign(trainer.model().parameters().begin(),
                            trainer.model().parameters().end());
    return found;
}

}  // namespace

TEST_CASE("numbers are kept with the epochs of an interrupted training", "[experiments]") {
    const ScratchFolder folder("epoch_training");
    const std::string states = (folder.path() / "states").string();
    const Dataset data = two_clouds(40);
    TrainingPlan plan = plan_for(data);
    plan.steps = 4 * batches_per_epoch(plan.sampling);
    const EpochRun whole = run(data, plan, "");
    REQUIRE(whole.numbers.size() == 5 * 3);
    CHECK(whole.epochs_measured == 5);
    for (int epoch = 0; epoch <= 4; ++epoch)
        CHECK(whole.numbers[static_cast<std::size_t>(3 * epoch)] == epoch);
    CHECK(whole.numbers[1] != whole.numbers[4]);
    CHECK(whole.numbers[2] == 0.0);
    CHECK(whole.numbers[5] > 0.0);

    CHECK_THROWS_AS(run(data, plan, states, 3), std::runtime_error);
    const EpochRun rest = run(data, plan, states);
    CHECK(rest.epochs_measured == 2);
    CHECK(rest.numbers == whole.numbers);
    CHECK(rest.parameters == whole.parameters);
    const EpochRun read = run(data, plan, states);
    CHECK(read.epochs_measured == 0);
    CHECK(read.numbers == whole.numbers);
    CHECK(read.parameters == whole.parameters);

    plan.noise_multiplier *= 2.0;
    CHECK_THROWS_AS(run(data, plan, states), FileError);
}
