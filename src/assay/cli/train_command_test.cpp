#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "assay/cli/training_status.hpp"
#include "assay/files/atomic_file.hpp"
#include "test_support/run_for_test.hpp"
#include "test_support/scratch_folder.hpp"

using namespace assay;
using namespace assay::cli;
using Catch::Contains;

namespace {

/// `assay train` on words separated by blanks.
RunResult run_train(const std::string& words) {
    return run_assay("train " + words);
}

/// A run on clicks that takes no time.
const std::string few_clicks =
    " --data synthetic-clicks --synthetic-examples 500 --model click --hidden 4 --embedding 2"
    " --batch-size 50 ";
const std::string poisson_clicks = few_clicks + " --sampling poisson --adjacency add-remove ";
const std::string private_run = poisson_clicks + " --noise-multiplier 1 --clip-norm 1 ";

void check_refused(const std::string& words, const std::string& text) {
    CAPTURE(words);
    cli::check_refused(run_train(words), text);
}

}  // namespace

TEST_CASE("training prints accuracy and the bracket of epsilon", "[cli]") {
    const RunResult result = run_train(private_run);
    CHECK(result.err.empty());
    REQUIRE(result.exit_code == 0);
    CHECK_THAT(result.out, Contains("synthetic") && Contains("400 training") &&
                               Contains("poisson, noise multiplier 1, add-remove") &&
                               Contains("auc") && Contains("delta = 1e-05"));
    const auto json = nlohmann::json::parse(run_train(private_run + "--epochs 2 --json").out);
    CHECK(json["stand_in"] == true);
    CHECK(json["epochs"].size() == 2);
    CHECK(json["steps"] == 16);
    CHECK(json["sampling"] == "poisson");
    CHECK(json["batch_size"] == 50);
    CHECK(json["maximum_batch_size"].is_null());
    CHECK(json["clip_norm"] == 1.0);
    CHECK(json["seed"] == 1);
    const auto& epochs = json["epochs"];
    CHECK(epochs[0]["test_auc"].is_number());
    CHECK(epochs[0]["epsilon"]["upper"] < epochs[1]["epsilon"]["lower"]);
    CHECK(epochs[1]["epsilon"]["upper"] == json["epsilon"]["upper"]["value"]);
    const double lower = json["epsilon"]["lower"]["value"];
    const double upper = json["epsilon"]["upper"]["value"];
    CHECK(lower <= upper);
    CHECK(lower > 0.5 * upper);
    // What the accountant says of the same mechanism, by itself.
    const RunResult answer = run_assay(
        "epsilon --sampling poisson --adjacency add-remove --noise-multiplier 1 --batch-size 50 "
        "--dataset-size 400 --steps 16 --delta 1e-5 --json");
    REQUIRE(answer.exit_code == 0);
    const auto account = nlohmann::json::parse(answer.out);
    CHECK(upper >= account["lower"]["value"].get<double>());
    CHECK(lower <= account["upper"]["value"].get<double>());
}

TEST_CASE("both outputs of a training run say what the account rests on", "[cli]") {
    const std::string text = run_train(private_run + "--epochs 1").out;
    const auto json = nlohmann::json::parse(run_train(private_run + "--epochs 1 --json").out);
    REQUIRE(json["assumptions"].size() == 2);
    // The text is broken into lines.
    const auto words = [](std::istringstream from) {
        return std::vector<std::string>(std::istream_iterator<std::string>(from), {});
    };
    const std::vector<std::string> printed = words(std::istringstream(text));
    for (const std::string line : json["assumptions"]) {
        const std::vector<std::string> wanted = words(std::istringstream(line));
        CAPTURE(line);
        CHECK(std::search(printed.begin(), printed.end(), wanted.begin(), wanted.end()) !=
              printed.end());
    }
}

TEST_CASE("models of several classes have no area under a curve", "[cli]") {
    const auto json = nlohmann::json::parse(
        run_train(
            "--limit 100 --model logistic --sampling shuffle --batch-size 20 --noise-multiplier 0 "
            "--epochs 1 --json")
            .out);
    CHECK(json["epochs"][0]["test_auc"].is_null());
    CHECK(json["epochs"][0]["test_accuracy"].is_number());
}

TEST_CASE("training has the same bits on any number of threads and after a stop",
          "[cli][parallel]") {
    const std::string short_run = private_run + "--epochs 2 ";
    const ScratchFolder folder("train_command");
    const std::string state = (folder.path() / "state").string();
    const RunResult one = run_train(short_run + "--json --threads 1");
    CHECK(one.out == run_train(short_run + "--json --threads 3").out);
    CHECK(one.out != run_train(short_run + "--json --seed 0").out);
    const RunResult kept = run_train(short_run + "--json --state " + state);
    CHECK(kept.out == one.out);
    CHECK(run_train(short_run + "--json --resume --state " + state).out == one.out);
    check_refused(short_run + "--state " + state, "holds a run already");
    const RunResult other = run_train(short_run + "--seed 2 --resume --state " + state);
    CHECK(other.exit_code == 2);
    CHECK_THAT(other.err, Contains("seed 1 there, 2 here"));
    const RunResult fewer = run_train(private_run + "--epochs 1 --resume --state " + state);
    CHECK(fewer.exit_code == 2);
    CHECK_THAT(fewer.err, Contains("holds 16 steps, more than the 8 of this plan"));
    CHECK(run_train(short_run + "--json --resume --state " + state).out == one.out);
}

TEST_CASE("the status says how far the run is and whose epsilon it shows", "[cli]") {
    TrainingStatus status{.steps = 12,
                          .total_steps = 90,
                          .loss = 0.43121,
                          .score_name = "accuracy",
                          .score = 0.88,
                          .epsilon = "3.21",
                          .epoch = 1,
                          .seconds_left = 12.4};
    CHECK(training_status(status) ==
          "step 12 of 90, loss 0.4312, accuracy 0.8800 and epsilon <= 3.21 after epoch 1, 12 s "
          "left");
    status.epoch = 0;
    status.score_name = "accuracy of the batch";
    CHECK(training_status(status) ==
          "step 12 of 90, loss 0.4312, accuracy of the batch 0.8800, epsilon <= 3.21 for the whole "
          "run, 12 s left");
}

TEST_CASE("training refuses bad input in one line", "[cli]") {
    check_refused("", "model is missing");
    check_refused(few_clicks, "noise-multiplier is missing");
    check_refused(few_clicks + "--noise-multiplier 0", "sampling is missing");
    check_refused(poisson_clicks + "--noise-multiplier 1", "clip-norm is missing");
    check_refused(few_clicks + "--sampling poisson --noise-multiplier 1 --clip-norm 1",
                  "adjacency is missing");
    check_refused(poisson_clicks + "--noise-multiplier -1 --clip-norm 1", "noise-multiplier = -1");
    check_refused(poisson_clicks + "--noise-multiplier nan --clip-norm 1",
                  "noise-multiplier = nan");
    check_refused(poisson_clicks + "--noise-multiplier 1 --clip-norm 0", "clip-norm = 0");
    check_refused(private_run + "--learning-rate 0", "learning-rate = 0");
    check_refused(private_run + "--epochs 0", "epochs = 0");
    check_refused(private_run + "--epochs 1e300", "epochs = 1e300");
    check_refused(private_run + "--epochs 1e18", "epochs = 1e18");
    check_refused(private_run + "--delta 1", "delta = 1");
    check_refused(private_run + "--optimiser adagrad", "optimiser = adagrad");
    check_refused(private_run + "--schedule linear", "schedule = linear");
    check_refused(private_run + "--resume", "state is missing");
    check_refused(private_run + "--seed -1", "seed = -1");
    check_refused(private_run + "--momentum 0.9", "only with --optimiser sgd");
    check_refused(private_run + "--channels 4,4", "only with --model convolutional");
    check_refused(private_run + "--maximum-batch-size 10", "maximum-batch-size");
    check_refused(private_run + "--buckets 10", "buckets = 10");
    check_refused(private_run + "--limit 10", "limit = 10");
    check_refused(private_run + "--data-folder .", "only with data that are read from files");
    check_refused(private_run + "--skip-bad", "skip-bad is only with data");
    check_refused("--synthetic-examples 10 --model logistic", "only with --data synthetic-clicks");
    check_refused(few_clicks +
                      "--sampling fixed-size-without-replacement --adjacency replace-one "
                      "--noise-multiplier 1 --clip-norm 1 --maximum-batch-size auto",
                  "only with poisson or balls-and-bins");
    check_refused("--data somewhere" + private_run.substr(private_run.find(" --model")),
                  "data = somewhere");
    check_refused(
        "--data cifar-10 --data-folder nowhere --model convolutional --batch-size 10 "
        "--sampling poisson --noise-multiplier 0",
        "nowhere");
}

TEST_CASE("the automatic maximum keeps the account finite, whatever epsilon", "[cli]") {
    for (const char* noise : {"0.3", "2"}) {
        const auto json = nlohmann::json::parse(
            run_train(poisson_clicks +
                      "--clip-norm 1 --maximum-batch-size auto --epochs 20 --json "
                      "--noise-multiplier " +
                      noise)
                .out);
        CAPTURE(noise, json["note"]);
        CHECK(json["epsilon"]["upper"]["value"].is_number());
        CHECK(json["epsilon"]["lower"]["value"] > 0.0);
    }
}

TEST_CASE("a batch larger than the data and a pair without a theorem are refused by name",
          "[cli]") {
    const std::string rest =
        " --noise-multiplier 1 --clip-norm 1 --data synthetic-clicks"
        " --synthetic-examples 500 --model click --hidden 4 --embedding 2";
    check_refused("--sampling poisson --adjacency add-remove --batch-size 401" + rest,
                  "batch-size = 401");
    check_refused("--sampling poisson --adjacency add-remove --batch-size 400" + rest,
                  "less than the 400 examples");
    check_refused("--sampling balls-and-bins --adjacency add-remove --batch-size 50" + rest,
                  "balls-and-bins");
}

TEST_CASE("a rate that makes the loss infinite stops the run, its state stays", "[cli]") {
    const ScratchFolder folder("train_diverges");
    const std::string state = (folder.path() / "state").string();
    const RunResult result = run_train(
        few_clicks +
        "--sampling shuffle --noise-multiplier 0 --optimiser sgd --learning-rate 1e30 --state " +
        state);
    CHECK(result.exit_code == 2);
    CHECK_THAT(result.err, Contains("the loss is not finite in step"));
    CHECK(std::filesystem::exists(state));
}

TEST_CASE("a last step that diverges is not kept", "[cli]") {
    // The step that throws the parameters away is the last one: only the evaluation shows it.
    const ScratchFolder folder("train_diverges_last");
    const std::string state = (folder.path() / "state").string();
    const std::string words =
        few_clicks +
        "--sampling shuffle --noise-multiplier 0 --optimiser sgd --learning-rate 1e38 --epochs "
        "0.001 --state " +
        state;
    const RunResult result = run_train(words);
    CHECK(result.exit_code == 2);
    CHECK_THAT(result.err, Contains("the loss is not finite in step 1"));
    const std::string kept = read_file(state);
    CHECK(run_train(words + " --resume").exit_code == 2);
    CHECK(read_file(state) == kept);
}
