#include "assay/dpsgd/trainer.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

#include "assay/dpsgd/evaluation.hpp"
#include "assay/dpsgd/reference_gradients.hpp"
#include "test_support/scratch_folder.hpp"
#include "test_support/training_examples.hpp"

using namespace assay;
using test_support::plan_for;
using test_support::two_clouds;

namespace {

std::vector<float> trained(const TrainingPlan& plan, const Dataset& data, int threads) {
    Trainer trainer(plan, data, threads);
    while (!trainer.finished()) static_cast<void>(trainer.step());
    const auto parameters = trainer.model().parameters();
    return {parameters.begin(), parameters.end()};
}

}  // namespace

TEST_CASE("training learns, with and without noise", "[dpsgd]") {
    const Dataset data = two_clouds(400);
    const Dataset test = two_clouds(400, 99);
    for (const double noise : {0.0, 0.5}) {
        TrainingPlan plan = plan_for(data);
        plan.noise_multiplier = noise;
        plan.sampling.batch_size = 40;
        plan.steps = 100;
        Trainer trainer(plan, data, 1);
        const double before = evaluate(trainer.model(), test, 1).loss;
        while (!trainer.finished()) static_cast<void>(trainer.step());
        const Evaluation after = evaluate(trainer.model(), test, 1);
        CAPTURE(noise);
        CHECK(after.loss < 0.5 * before);
        CHECK(after.accuracy > 0.85);
    }
}

TEST_CASE("the account is of the sampler, batches and noise that are trained with", "[dpsgd]") {
    const Dataset data = two_clouds(40);
    struct Case {
        SamplingScheme scheme;
        Adjacency adjacency;
    };
    for (const Case& c :
         {Case{SamplingScheme::deterministic, Adjacency::zero_out},
          Case{SamplingScheme::shuffle, Adjacency::zero_out},
          Case{SamplingScheme::poisson, Adjacency::add_remove},
          Case{SamplingScheme::fixed_size_without_replacement, Adjacency::replace_one},
          Case{SamplingScheme::fixed_size_with_replacement, Adjacency::add_remove},
          Case{SamplingScheme::balls_and_bins, Adjacency::zero_out}})
        for (const std::int64_t batch : {10, 20})
            for (const double noise : {1.5, 3.0}) {
                TrainingPlan plan = plan_for(data);
                plan.sampling.scheme = c.scheme;
                plan.sampling.batch_size = batch;
                plan.noise_multiplier = noise;
                plan.adjacency = c.adjacency;
                Trainer trainer(plan, data, 1);
                for (int i = 0; i < 4; ++i) static_cast<void>(trainer.step());
                // What the batches were drawn by, asked for by itself.
                PrivacyLedger beside({c.scheme, 40, batch, std::nullopt, 77}, noise, c.adjacency);
                beside.resume(4);
                CAPTURE(to_string(c.scheme), batch, noise);
                CHECK(trainer.ledger().steps() == 4);
                CHECK(trainer.ledger().describe() == beside.describe());
                CHECK(trainer.ledger().epsilon(1e-5).upper.value ==
                      beside.epsilon(1e-5).upper.value);
                CHECK(trainer.ledger().epsilon(1e-5).upper.value > 0.0);
            }
}

// Only a step records a step.
static_assert(!std::is_assignable_v<decltype(std::declval<Trainer&>().ledger()), PrivacyLedger>);

TEST_CASE("noise without an adjacency is refused, and what no theorem covers", "[dpsgd]") {
    const Dataset data = two_clouds(40);
    TrainingPlan plan = plan_for(data);
    const auto refusal = [&] { return test_support::refused([&] { Trainer(plan, data, 1); }); };
    plan.adjacency.reset();
    CHECK(refusal() == "adjacency");
    plan.noise_multiplier = 0.0;
    CHECK_NOTHROW(Trainer(plan, data, 1));
    plan.noise_multiplier = 1.0;
    plan.adjacency = Adjacency::add_remove;
    plan.sampling.scheme = SamplingScheme::balls_and_bins;
    CHECK_THROWS_AS(Trainer(plan, data, 1), UnsupportedMechanism);
}

TEST_CASE("a step's live bytes are those of its buffers", "[dpsgd]") {
    const Dataset data = two_clouds(4000);
    TrainingPlan plan = plan_for(data);
    plan.sampling.batch_size = 400;
    const auto bytes = [&](SamplingScheme scheme, GradientPath path) {
        plan.sampling.scheme = scheme;
        plan.path = path;
        plan.noise_multiplier = 0.0;
        Trainer trainer(plan, data, 1);
        std::vector<StepReport> steps;
        for (int i = 0; i < 10; ++i) steps.push_back(trainer.step());
        return steps;
    };
    constexpr auto with_order = SamplingScheme::shuffle;
    constexpr auto without_order = SamplingScheme::deterministic;
    // The order of the examples is all that shuffling holds besides.
    const auto ordered = bytes(without_order, GradientPath::materialised);
    const auto shuffled = bytes(with_order, GradientPath::materialised);
    CHECK(shuffled.back().live_bytes == ordered.back().live_bytes + 4 * 4000);
    // A gradient of every example: at least 8 x 3 + 8 and 8 + 1 numbers of 4 bytes.
    const auto random = bytes(SamplingScheme::poisson, GradientPath::materialised);
    bool falls = false;
    for (std::size_t i = 1; i < random.size(); ++i) {
        CHECK(ordered[i].live_bytes == ordered[0].live_bytes);
        const auto drawn = random[i].batch_size - random[i - 1].batch_size;
        const auto grown = static_cast<std::int64_t>(random[i].live_bytes) -
                           static_cast<std::int64_t>(random[i - 1].live_bytes);
        if (drawn < 0) CHECK(grown <= drawn * 4 * 41);
        falls = falls || grown < 0;
    }
    CHECK(falls);
    // Streamed: buffers are kept at the size of the largest batch so far, but for losses and norms.
    const auto streamed = bytes(SamplingScheme::poisson, GradientPath::streamed);
    for (std::size_t i = 1; i < streamed.size(); ++i) {
        const auto fewer =
            std::max<std::int64_t>(0, streamed[i - 1].batch_size - streamed[i].batch_size);
        CHECK(streamed[i].live_bytes + 96 * static_cast<std::size_t>(fewer) >=
              streamed[i - 1].live_bytes);
    }
    CHECK(streamed.back().live_bytes < random.back().live_bytes);
}

TEST_CASE("padding has weight zero", "[dpsgd]") {
    const Dataset data = two_clouds(40);
    TrainingPlan plan = plan_for(data);
    const std::vector<float> unpadded = trained(plan, data, 1);
    plan.sampling.maximum_batch_size = 40;  // never cut
    CHECK(trained(plan, data, 1) == unpadded);
}

TEST_CASE("a step is the noisy clipped mean and one move of the optimiser", "[dpsgd]") {
    // Plain descent, rate 1, no noise: the parameters move by the clipped sum over |B|.
    const Dataset data = two_clouds(40);
    TrainingPlan plan = plan_for(data);
    plan.sampling = {SamplingScheme::deterministic, 40, 10, std::nullopt, 2};
    plan.optimiser = {GradientDescent{0.0}, 1.0, LearningRateSchedule::constant, 1};
    plan.noise_multiplier = 0.0;
    plan.clip_norm = 0.1;
    Trainer trainer(plan, data, 1);
    const std::vector<float> before(trainer.model().parameters().begin(),
                                    trainer.model().parameters().end());
    GradientSum<double> sum;
    Model<double> model(plan.architecture, data.shape, plan.seed);
    std::ranges::copy(before, model.parameters().begin());
    std::vector<std::uint32_t> first(10);
    for (std::uint32_t i = 0; i < 10; ++i) first[i] = i;
    reference_clipped_sum(model, data, first, plan.clip_norm, sum);
    const StepReport report = trainer.step();
    CHECK(report.batch_size == 10);
    CHECK(report.clipped == 10);
    CHECK(report.loss == Approx(sum.loss / 10.0).epsilon(1e-5));
    for (std::size_t i = 0; i < before.size(); ++i)
        CHECK(trainer.model().parameters()[i] ==
              Approx(before[i] - sum.sum[i] / 10.0).margin(1e-6));
}

TEST_CASE("the noise of a step has standard deviation C sigma / |B| times the rate", "[dpsgd]") {
    const Dataset data = two_clouds(40);
    TrainingPlan plan = plan_for(data);
    plan.architecture = MultilayerPerceptron{{400, 60}};
    plan.optimiser = {GradientDescent{0.0}, 1.0, LearningRateSchedule::constant, 1};
    plan.clip_norm = 0.5;
    const auto moved = [&](double noise) {
        plan.noise_multiplier = noise;
        plan.steps = 1;
        return trained(plan, data, 1);
    };
    const std::vector<float> with = moved(4.0);
    const std::vector<float> without = moved(0.0);
    double square = 0.0;
    for (std::size_t i = 0; i < with.size(); ++i)
        square += std::pow(static_cast<double>(with[i]) - without[i], 2.0);
    const auto count = static_cast<double>(with.size());
    REQUIRE(count > 20'000);
    const double expected = std::pow(0.5 * 4.0 / 10.0, 2.0);
    CHECK(std::abs(square / count / expected - 1.0) < 6.0 * std::sqrt(2.0 / count));
}

TEST_CASE("threads do not show, nor does the way gradients are summed but for rounding",
          "[dpsgd][parallel]") {
    const Dataset data = two_clouds(40);
    TrainingPlan plan = plan_for(data);
    const std::vector<float> one = trained(plan, data, 1);
    CHECK(one == trained(plan, data, 2));
    CHECK(one == trained(plan, data, 3));
    plan.path = GradientPath::materialised;
    const std::vector<float> plain = trained(plan, data, 1);
    for (std::size_t i = 0; i < one.size(); ++i) CHECK(one[i] == Approx(plain[i]).margin(2e-3));
    plan.seed = 4;
    CHECK(trained(plan, data, 1) != plain);
}

TEST_CASE("a run that is interrupted anywhere ends with the same bits", "[dpsgd]") {
    const ScratchFolder folder("trainer");
    const auto path = folder.path() / "state";
    const Dataset data = two_clouds(40);
    for (const SamplingScheme scheme :
         {SamplingScheme::poisson, SamplingScheme::shuffle, SamplingScheme::balls_and_bins}) {
        TrainingPlan plan = plan_for(data);
        plan.sampling.scheme = scheme;
        const std::vector<float> whole = trained(plan, data, 1);
        for (const int stop : {0, 1, 7, 29}) {
            Trainer first(plan, data, 2);
            for (int i = 0; i < stop; ++i) static_cast<void>(first.step());
            first.save(path, {1.5});
            Trainer second(plan, data, 1);
            CHECK(second.resume(path) == std::vector<double>{1.5});
            CHECK(second.steps_done() == stop);
            while (!second.finished()) static_cast<void>(second.step());
            CHECK(std::ranges::equal(whole, second.model().parameters()));
        }
    }
}

TEST_CASE("the state of another plan is refused", "[dpsgd]") {
    const ScratchFolder folder("trainer_other");
    const auto path = folder.path() / "state";
    const Dataset data = two_clouds(40);
    TrainingPlan plan = plan_for(data);
    Trainer(plan, data, 1).save(path);
    plan.noise_multiplier = 0.3;
    Trainer other(plan, data, 1);
    CHECK_THROWS_WITH(other.resume(path), Catch::Contains("noise-multiplier 0.2 there, 0.3 here"));
}

TEST_CASE("a loss that is not finite stops the run before anything changes", "[dpsgd]") {
    const Dataset data = two_clouds(40);
    TrainingPlan plan = plan_for(data);
    plan.clip_norm.reset();
    plan.noise_multiplier = 0.0;
    plan.architecture = MultilayerPerceptron{{8, 8, 8}};
    plan.optimiser = {GradientDescent{0.0}, 1e12, LearningRateSchedule::constant, 1};
    plan.steps = 200;
    Trainer trainer(plan, data, 1);
    bool kept = false;
    try {
        while (!trainer.finished()) {
            kept = false;
            static_cast<void>(trainer.step([&] { kept = true; }));
        }
        FAIL("it did not diverge");
    } catch (const TrainingDiverged& error) {
        CHECK(error.step() == trainer.steps_done());
        CHECK(error.step() >= 1);
        CHECK(!kept);
        CHECK_THAT(error.what(), Catch::Contains("learning rate"));
    }
}

TEST_CASE("a state that cannot go on is not kept", "[dpsgd]") {
    const ScratchFolder folder("trainer_diverged");
    const auto path = folder.path() / "state";
    const Dataset data = two_clouds(40);
    Trainer trainer(plan_for(data), data, 1);
    std::vector<float> start = trained(plan_for(data), data, 1);
    trainer.save(path, {7.0});
    start.back() = std::numeric_limits<float>::infinity();
    Trainer spoilt(plan_for(data), data, 1);
    spoilt.start_from(start);
    CHECK_THROWS_AS(spoilt.save(path), TrainingDiverged);
    CHECK(trainer.resume(path) == std::vector<double>{7.0});
}

TEST_CASE("a trainer can begin where another one ended", "[dpsgd]") {
    const Dataset data = two_clouds(40);
    const std::vector<float> start = trained(plan_for(data), data, 1);
    Trainer trainer(plan_for(data), data, 1);
    trainer.start_from(start);
    CHECK(std::ranges::equal(trainer.model().parameters(), start));
    static_cast<void>(trainer.step());
    CHECK(test_support::refused([&] {
              trainer.start_from(start);
              return 0;
          }) == "parameters");
}
