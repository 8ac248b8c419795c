#include "assay/dpsgd/training_plan.hpp"

#include "test_support/test_support.hpp"
#include "test_support/training_examples.hpp"

using namespace assay;
using test_support::infinity;
using test_support::plan_for;
using test_support::two_clouds;

namespace {

std::string refusal(const Dataset& data, void (*spoil)(TrainingPlan&)) {
    TrainingPlan plan = plan_for(data);
    spoil(plan);
    return test_support::refused([&] {
        validate(plan, data);
        return 0;
    });
}

}  // namespace

TEST_CASE("plans that contradict themselves or the data are refused by name", "[dpsgd]") {
    const Dataset data = two_clouds(40);
    CHECK(refusal(data, [](TrainingPlan&) {}).empty());
    CHECK(refusal(data, [](TrainingPlan& p) { p.steps = 0; }) == "steps");
    CHECK(refusal(data, [](TrainingPlan& p) { p.clip_norm = 0.0; }) == "clip norm");
    CHECK(refusal(data, [](TrainingPlan& p) { p.clip_norm = -1.0; }) == "clip norm");
    CHECK(refusal(data, [](TrainingPlan& p) { p.clip_norm = infinity; }) == "clip norm");
    CHECK(refusal(data, [](TrainingPlan& p) { p.noise_multiplier = -1.0; }) == "noise multiplier");
    CHECK(refusal(data, [](TrainingPlan& p) { p.clip_norm.reset(); }) == "noise multiplier");
    CHECK(refusal(data, [](TrainingPlan& p) { p.sampling.batch_size = 41; }) == "batch-size");
    CHECK(refusal(data, [](TrainingPlan& p) { p.sampling.dataset_size = 39; }) == "dataset size");
    CHECK(refusal(data, [](TrainingPlan& p) { p.optimiser.learning_rate = 0.0; }) ==
          "learning rate");
}

TEST_CASE("whatever decides a run's bits decides its identity", "[dpsgd]") {
    const Dataset data = two_clouds(40);
    const RunIdentity base = run_identity(plan_for(data), data);
    const auto changed = [&](void (*change)(TrainingPlan&)) {
        TrainingPlan plan = plan_for(data);
        change(plan);
        return run_identity(plan, data) != base;
    };
    CHECK(changed([](TrainingPlan& p) { p.seed = 9; }));
    CHECK(changed([](TrainingPlan& p) { p.sampling.seed = 9; }));
    CHECK(changed([](TrainingPlan& p) { p.sampling.batch_size = 9; }));
    CHECK(changed([](TrainingPlan& p) { p.sampling.maximum_batch_size = 12; }));
    CHECK(changed([](TrainingPlan& p) { p.sampling.scheme = SamplingScheme::shuffle; }));
    CHECK(changed([](TrainingPlan& p) { p.noise_multiplier = 0.5; }));
    CHECK(changed([](TrainingPlan& p) { p.clip_norm = 0.5; }));
    CHECK(changed([](TrainingPlan& p) { p.architecture = MultilayerPerceptron{{3}}; }));
    CHECK(changed([](TrainingPlan& p) { p.optimiser.learning_rate = 0.5; }));
    CHECK(changed([](TrainingPlan& p) { p.optimiser.rule = GradientDescent{0.5}; }));
    CHECK(changed([](TrainingPlan& p) { p.optimiser.schedule = LearningRateSchedule::cosine; }));
    CHECK(changed([](TrainingPlan& p) { p.path = GradientPath::materialised; }));
    // A run may be continued beyond its end.
    CHECK(!changed([](TrainingPlan& p) { p.steps = 1000; }));
    Dataset other = data;
    other.values[3] += 1.0F;
    CHECK(run_identity(plan_for(other), other) != base);
}
