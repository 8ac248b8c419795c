#include "assay/cli/monte_carlo_input.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "assay/cli/monte_carlo_report.hpp"
#include "assay/files/build_info.hpp"
#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::cli;
using Catch::Contains;
using test_support::gaussian_delta_wide;

namespace {

Fields fields(const Fields& changes = {}) {
    Fields all{{"noise-multiplier", "0.7"},
               {"batches-per-epoch", "3"},
               {"epsilons", "0.5,1"},
               {"samples", "10000"}};
    for (const auto& [name, value] : changes) all[name] = value;
    return all;
}

std::string refusal(const Fields& given) {
    try {
        static_cast<void>(read_monte_carlo(given));
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

/// The sums of all blocks, added in order.
std::vector<double> sums_of(const MonteCarloInput& input) {
    const Checkpoint empty = input.empty_run();
    const TrialBlock trials = input.trials();
    std::vector<double> sums(empty.shape.sums);
    std::vector<double> total(empty.shape.sums);
    for (std::uint64_t block = 0; block < empty.shape.blocks; ++block) {
        trials(block, sums);
        for (std::size_t i = 0; i < sums.size(); ++i) total[i] += sums[i];
    }
    return total;
}

}  // namespace

TEST_CASE("what is not given has a default, and samples fill whole blocks", "[cli]") {
    const MonteCarloInput input = read_monte_carlo(fields());
    REQUIRE(input.plans.size() == 2);
    CHECK(input.plans[0].direction == LossDirection::removal);
    CHECK(input.plans[1].direction == LossDirection::addition);
    CHECK(input.plans[1].mechanism.batches_per_epoch == 3);
    CHECK(input.plans[1].epsilons == std::vector<double>{0.5, 1.0});
    CHECK(input.plans[1].method == SamplingMethod::plain);
    CHECK(input.plans[1].epochs == 1);
    CHECK(input.plans[1].seed == 1);
    CHECK(input.confidence_error == 0.001);
    CHECK(input.samples_asked == 10000);
    CHECK(input.samples() >= 10000);
    CHECK(input.samples() - trials_per_block(input.plans[0]) < 10000);
    CHECK(input.empty_run().shape.sums == 12);
}

TEST_CASE("a run that its own identity describes is the same run", "[cli]") {
    const std::vector<Fields> runs{
        {},
        {{"samples", "1e6"}, {"noise-multiplier", "0.40"}, {"epsilons", "1e0,-0.25,0.1"}},
        {{"batches-per-epoch", "36133"},
         {"method", "order-statistics"},
         {"orders", "1-500,510-1500:10"}},
        {{"batches-per-epoch", "2000"},
         {"method", "importance-and-order-statistics"},
         {"orders", "1-300,310-400:10"},
         {"direction", "removal"}},
        {{"method", "importance"}, {"direction", "addition"}, {"seed", "18446744073709551615"}},
        {{"epochs", "4"}, {"confidence-error", "1e-9"}}};
    for (const Fields& changes : runs) {
        const Checkpoint here = read_monte_carlo(fields(changes)).empty_run();
        const Checkpoint there = read_monte_carlo(here.identity).empty_run();
        CHECK(there.identity == here.identity);
        CHECK(there.shape == here.shape);
        CHECK_NOTHROW(require_same_run("file", there, here));
    }
}

TEST_CASE("every parameter is part of the identity", "[cli]") {
    const Fields base = fields({{"batches-per-epoch", "2000"}});
    const Checkpoint here = read_monte_carlo(base).empty_run();
    for (const auto& [name, value] : Fields{{"noise-multiplier", "0.8"},
                                            {"batches-per-epoch", "2001"},
                                            {"epsilons", "0.5,2"},
                                            {"samples", "10001"},
                                            {"seed", "2"},
                                            {"confidence-error", "0.01"},
                                            {"epochs", "2"},
                                            {"method", "importance"}}) {
        Fields changed = base;
        changed[name] = value;
        const Checkpoint there = read_monte_carlo(changed).empty_run();
        CHECK_THROWS_WITH(require_same_run("file", there, here), Contains(name + " " + value));
    }
}

TEST_CASE("directions have one name in options and files", "[cli]") {
    for (const char* direction : {"both", "removal", "addition"}) {
        const Checkpoint run = read_monte_carlo(fields({{"direction", direction}})).empty_run();
        CHECK(std::ranges::find(run.identity, "direction", &RunField::name)->value == direction);
    }
    for (const char* former : {"remove", "add"})
        CHECK_THAT(refusal(fields({{"direction", former}})), Contains("removal, addition or both"));
}

TEST_CASE("what cannot be run is refused by name", "[cli]") {
    for (const char* name : {"noise-multiplier", "batches-per-epoch", "epsilons", "samples"}) {
        Fields given = fields();
        given.erase(name);
        CHECK_THAT(refusal(given), Catch::StartsWith(std::string(name) + " is missing"));
    }
    struct Case {
        std::string name;
        std::string value;
    };
    for (const Case& c : {Case{"noise-multiplier", "0"},
                          Case{"noise-multiplier", "nan"},
                          Case{"noise-multiplier", "inf"},
                          Case{"batches-per-epoch", "0"},
                          Case{"batches-per-epoch", "1.5"},
                          Case{"epsilons", ""},
                          Case{"epsilons", "1,"},
                          Case{"epsilons", "nan"},
                          Case{"epsilons", "1,,2"},
                          Case{"epsilons", "inf"},
                          Case{"samples", "0"},
                          Case{"samples", "1e16"},
                          Case{"direction", "up"},
                          Case{"method", "best"},
                          Case{"seed", "-1"},
                          Case{"seed", "1.0"},
                          Case{"seed", "18446744073709551616"},
                          Case{"confidence-error", "0"},
                          Case{"confidence-error", "1"},
                          Case{"epochs", "0"},
                          Case{"orders", "1,2"},
                          Case{"orders", "fig9"}}) {
        CAPTURE(c.name, c.value);
        const std::string message = refusal(fields({{c.name, c.value}}));
        CHECK_THAT(message, Contains(c.name) || Contains("order list"));
        CHECK(message.find('\n') == std::string::npos);
    }
    CHECK_THAT(refusal(fields({{"method", "order-statistics"}})), Contains("orders is missing"));
    CHECK_THAT(refusal(fields({{"method", "order-statistics"}, {"orders", "2"}})),
               Contains("orders"));
    CHECK_THAT(refusal(fields({{"method", "importance"}, {"epochs", "2"}})), Contains("epochs"));
}

TEST_CASE("the sums of a direction are those of its own sampler", "[cli]") {
    const MonteCarloInput input = read_monte_carlo(fields());
    std::vector<double> sums(12);
    std::vector<double> own(6);
    input.trials(2)(5, sums);
    for (std::size_t i = 0; i < 2; ++i) {
        MonteCarloSampler(input.plans[i]).run_block(5, own);
        const auto part = input.sums_of(i, sums);
        CHECK(std::vector<double>(part.begin(), part.end()) == own);
    }
}

TEST_CASE("reported bounds enclose the exact delta of one step", "[cli]") {
    const MonteCarloInput input = read_monte_carlo(
        fields({{"batches-per-epoch", "1"}, {"samples", "40000"}, {"confidence-error", "1e-9"}}));
    const std::vector<double> sums = sums_of(input);
    const auto json = nlohmann::json::parse(monte_carlo_report(input, sums, true));
    CHECK(json["status"] == "statistical");
    CHECK(json["samples"] == input.samples());
    CHECK(json["seed"] == 1);
    REQUIRE(json["curves"].size() == 4);
    REQUIRE(json["joint"].size() == 2);
    for (const auto& at : json["curves"]) {
        const auto truth =
            static_cast<double>(gaussian_delta_wide(0.7, 1, at["epsilon"].get<double>()));
        CHECK(at["lower"] <= truth);
        CHECK(at["kl_upper"] >= truth);
        CHECK(at["bennett_upper"] >= truth);
        CHECK(at["bennett_upper"] <= at["kl_upper"]);
        CHECK(at["bennett_lower"] <= truth);
        CHECK(at["bernstein_upper"] >= truth);
        CHECK(std::fabs(at["mean"].get<double>() / truth - 1.0) < 0.1);
    }
    for (std::size_t i = 0; i < 2; ++i) {
        const auto& joint = json["joint"][i];
        const auto& removal = json["curves"][i];
        const auto& addition = json["curves"][2 + i];
        CHECK(joint["lower"].get<double>() <=
              gaussian_delta_wide(0.7, 1, joint["epsilon"].get<double>()));
        CHECK(joint["upper"].get<double>() >=
              gaussian_delta_wide(0.7, 1, joint["epsilon"].get<double>()));
        CHECK(joint["mean"] ==
              std::max(removal["mean"].get<double>(), addition["mean"].get<double>()));
        // Sharing the confidence error costs width.
        CHECK(joint["lower"] <
              std::max(removal["lower"].get<double>(), addition["lower"].get<double>()));
        CHECK(joint["upper"] > std::min(removal["kl_upper"].get<double>(),
                                        removal["bernstein_upper"].get<double>()));
    }
}

TEST_CASE("the table says what is claimed and what is not", "[cli]") {
    const MonteCarloInput input = read_monte_carlo(fields(
        {{"batches-per-epoch", "500"}, {"method", "order-statistics"}, {"orders", "1-100"}}));
    const std::string text = monte_carlo_report(input, sums_of(input), false);
    for (const char* part :
         {"statistical, not certified", "10000 asked", "method order-statistics, seed 1",
          "100 orders: 1-100", "zero-out", "bound alone fails with probability <= 0.001",
          "bounds together fail with probability <= 0.001", "there is no lower bound"})
        CHECK_THAT(text, Contains(part));
    const MonteCarloInput one = read_monte_carlo(fields({{"direction", "addition"}}));
    CHECK_THAT(monte_carlo_report(one, sums_of(one), false),
               Contains("direction addition alone") && Contains("not from above"));
}
