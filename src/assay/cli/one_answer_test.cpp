#include <catch2/catch.hpp>
#include <vector>

#include "assay/account/account.hpp"
#include "assay/account/calibrate.hpp"
#include "assay/cli/ask.hpp"
#include "assay/cli/phase_input.hpp"
#include "assay/dpsgd/privacy_ledger.hpp"
#include "test_support/run_for_test.hpp"

// One question has one answer, wherever it is asked: in C++, on the command line, by `assay ask`
// and of the ledger of a training run, to the last bit.

using namespace assay;
using namespace assay::cli;

namespace {

/// A phase in the spelling of the command line.
using PhaseWords = std::vector<std::pair<std::string, std::string>>;

struct AskedRelease {
    std::string adjacency;
    std::vector<PhaseWords> phases;
};

PhaseWords poisson_phase(const std::string& noise, const std::string& q, const std::string& steps) {
    return {{"sampling", "poisson"},
            {"noise-multiplier", noise},
            {"sampling-probability", q},
            {"steps", steps}};
}
PhaseWords fixed(const std::string& noise, const std::string& q, const std::string& steps) {
    return {{"sampling", "fixed-size-without-replacement"},
            {"noise-multiplier", noise},
            {"sampling-probability", q},
            {"steps", steps}};
}
PhaseWords with_replacement(const std::string& noise, const std::string& steps) {
    return {{"sampling", "fixed-size-with-replacement"},
            {"noise-multiplier", noise},
            {"batch-size", "5"},
            {"dataset-size", "500"},
            {"steps", steps}};
}
PhaseWords plain_phase(const std::string& noise, const std::string& steps) {
    return {{"sampling", "none"}, {"noise-multiplier", noise}, {"steps", steps}};
}
PhaseWords epoch_phase(const std::string& sampling, const std::string& noise,
                       const std::string& batches, const std::string& epochs) {
    return {{"sampling", sampling},
            {"noise-multiplier", noise},
            {"batches-per-epoch", batches},
            {"epochs", epochs}};
}

/// Ten releases; each is asked for epsilon, delta, the advantage, and the noise of its first phase.
const std::vector<AskedRelease> releases{
    {"add-remove", {poisson_phase("1", "0.01", "1000")}},
    {"replace-one", {poisson_phase("2", "0.02", "50")}},
    {"zero-out", {poisson_phase("0.8", "0.001", "2000")}},
    {"add-remove", {fixed("3", "0.0024", "1000")}},
    {"replace-one", {fixed("6", "0.01", "10")}},
    {"add-remove", {with_replacement("2", "20")}},
    {"replace-one", {plain_phase("20", "30")}},
    {"add-remove", {poisson_phase("2", "0.01", "500"), plain_phase("30", "2")}},
    {"zero-out", {epoch_phase("balls-and-bins", "0.8", "100", "2")}},
    {"zero-out",
     {epoch_phase("shuffle", "2", "50", "3"), epoch_phase("deterministic", "4", "10", "2")}},
};

std::string underscored(std::string name) {
    for (char& c : name)
        if (c == '-') c = '_';
    return name;
}

/// `open`: the noise of the first phase is what is asked for.
std::string phases_on_command_line(const AskedRelease& question, bool open) {
    std::string words = " --adjacency " + question.adjacency;
    for (const PhaseWords& fields : question.phases) {
        std::string text;
        for (const auto& [name, value] : fields) {
            if (open && &fields == &question.phases.front() && name == "noise-multiplier") continue;
            text += (text.empty() ? "" : ",") + name + "=" + value;
        }
        words += " --phase " + text;
    }
    return words;
}

Json release_json(const AskedRelease& question, bool open) {
    Json phases = Json::array();
    for (const PhaseWords& fields : question.phases) {
        Json phase = Json::object();
        for (const auto& [name, value] : fields) phase[underscored(name)] = value;
        if (open && phases.empty()) phase["noise_multiplier"] = nullptr;
        phases.push_back(phase);
    }
    return {{"adjacency", question.adjacency}, {"phases", phases}};
}

Release release_of(const AskedRelease& question, bool open) {
    Release release{adjacency_from_string(question.adjacency), {}};
    for (const PhaseWords& fields : question.phases) {
        Fields read;
        for (const auto& [name, value] : fields) read[name] = value;
        release.phases.push_back(read_phase(read, std::nullopt).phase);
    }
    if (open) set_noise_multiplier(release.phases.front().mechanism, 0.0);
    return release;
}

Json asked(const AskedRelease& question, const Json& rest, bool open = false) {
    Json line{{"release", release_json(question, open)}};
    line.update(rest);
    bool is_json = true;
    return answer_question(line.dump(), is_json);
}

Json on_command_line(const std::string& words) {
    const RunResult result = run_assay(words + " --json");
    INFO(words << result.err);
    REQUIRE(result.exit_code == 0);
    return Json::parse(result.out);
}

void check_same(const Bracket& found, const Json& reply, const Json& report) {
    CAPTURE(reply.dump(), report.dump());
    CHECK(reply["lower"] == found.lower.value);
    CHECK(reply["upper"] == found.upper.value);
    CHECK(reply["published_upper"] == json_number(found.best_published.value));
    CHECK(report["lower"]["value"] == found.lower.value);
    CHECK(report["upper"]["value"] == found.upper.value);
    CHECK(report["published_upper"]["value"] == json_number(found.best_published.value));
    CHECK(report["upper"]["theorem"] == found.upper.theorem.citation);
    CHECK(reply["theorem"]["upper"] == found.upper.theorem.citation);
}

}  // namespace

TEST_CASE("forty questions have one answer wherever they are asked", "[cli][one_answer]") {
    for (const AskedRelease& question : releases) {
        const Release release = release_of(question, false);
        CAPTURE(describe(release));
        const std::string words = phases_on_command_line(question, false);
        const Bracket found = epsilon(release, 1e-5);
        const Json epsilons = on_command_line("epsilon --delta 1e-5" + words);
        check_same(found, asked(question, {{"ask", "epsilon"}, {"delta", "1e-5"}}), epsilons);
        bool is_json = true;
        const Json again{{"release", epsilons["release"]}, {"ask", "epsilon"}, {"delta", 1e-5}};
        check_same(found, answer_question(again.dump(), is_json), epsilons);
        check_same(delta(release, 0.5), asked(question, {{"ask", "delta"}, {"epsilon", 0.5}}),
                   on_command_line("delta --epsilon 0.5" + words));
        check_same(delta(release, 0.0), asked(question, {{"ask", "advantage"}}),
                   on_command_line("delta --epsilon 0" + words));
        const Calibration noise = calibrate(release_of(question, true), {2.0, 1e-6});
        const Json reply =
            asked(question, {{"ask", "noise_multiplier"}, {"epsilon", 2}, {"delta", 1e-6}}, true);
        const Json report = on_command_line("calibrate --epsilon 2 --delta 1e-6" +
                                            phases_on_command_line(question, true));
        CHECK(reply["lower"] == noise.insufficient);
        CHECK(reply["upper"] == noise.sufficient);
        CHECK(report["lower"] == noise.insufficient);
        CHECK(report["upper"] == noise.sufficient);
        CHECK(answer_question(
                  Json{{"release", report["release"]}, {"ask", "delta"}, {"epsilon", 2}}.dump(),
                  is_json)["upper"] <= 1e-6);
    }
}

TEST_CASE("a training run's ledger gives the answer for what it released", "[cli][one_answer]") {
    struct Run {
        SamplingScheme scheme;
        Adjacency adjacency;
        std::int64_t steps;
        Phase released;
        std::optional<std::int64_t> maximum_batch_size = std::nullopt;
    };
    for (const Run& run :
         {Run{SamplingScheme::poisson, Adjacency::add_remove, 30, {SampledGaussian{1.5, 0.1}, 30}},
          Run{SamplingScheme::fixed_size_without_replacement,
              Adjacency::replace_one,
              30,
              {FixedSizeGaussian{1.5, 0.1}, 30}},
          Run{SamplingScheme::fixed_size_with_replacement,
              Adjacency::add_remove,
              30,
              {FixedSizeWithReplacementGaussian{1.5, 10, 100}, 30}},
          Run{SamplingScheme::balls_and_bins, Adjacency::zero_out, 20, {BallsAndBins{1.5, 10}, 2}},
          Run{SamplingScheme::shuffle, Adjacency::zero_out, 20, {Shuffled{1.5, 10}, 2}},
          Run{SamplingScheme::deterministic,
              Adjacency::zero_out,
              20,
              {DeterministicBatches{1.5, 10}, 2}},
          Run{SamplingScheme::poisson,
              Adjacency::add_remove,
              30,
              {TruncatedPoissonGaussian{1.5, 10, 100, 14}, 30},
              14},
          Run{SamplingScheme::poisson,
              Adjacency::replace_one,
              30,
              {TruncatedPoissonGaussian{1.5, 10, 100, 20}, 30},
              20}}) {
        PrivacyLedger ledger({run.scheme, 100, 10, run.maximum_batch_size, 1}, 1.5, run.adjacency);
        for (std::int64_t step = 0; step < run.steps; ++step) ledger.record_step();
        const Bracket found = epsilon({run.adjacency, {run.released}}, 1e-5);
        const LedgerEpsilon kept = ledger.epsilon(1e-5);
        CAPTURE(ledger.describe());
        CHECK(kept.lower.value == found.lower.value);
        CHECK(kept.upper.value == found.upper.value);
    }
}

TEST_CASE("the largest batch and what a run of training released are asked about again",
          "[cli][one_answer]") {
    bool is_json = true;
    const auto answer_to = [&](const Json& release, const Json& rest) {
        Json question{{"release", release}};
        question.update(rest);
        return answer_question(question.dump(), is_json);
    };
    for (const char* words :
         {"--sampling poisson --adjacency add-remove --dataset-size 10000 --epochs 2",
          "--sampling balls-and-bins --adjacency zero-out --dataset-size 10000 --epochs 2",
          "--sampling poisson-truncated --adjacency add-remove --dataset-size 10000 "
          "--maximum-batch-size 2000 --steps 100",
          "--sampling fixed-size-without-replacement --adjacency add-remove --dataset-size 10000 "
          "--steps 100"}) {
        const Json report = on_command_line(
            std::string("calibrate --unknown batch-size --noise-multiplier 1.3 --epsilon 3 "
                        "--delta 1e-5 ") +
            words);
        const Json reply = answer_to(report["release"], {{"ask", "delta"}, {"epsilon", 3}});
        CAPTURE(words, report["release"].dump(), reply.dump());
        REQUIRE(reply.contains("upper"));
        CHECK(reply["upper"] <= 1.01e-5);  // of the effort that is asked for here
        CHECK(reply["lower"] > 1e-7);
    }
    for (const char* maximum : {"", " --maximum-batch-size 90", " --maximum-batch-size 120"}) {
        const Json run = on_command_line(
            std::string("train --model logistic --sampling poisson --adjacency add-remove "
                        "--batch-size 64 --noise-multiplier 1 --clip-norm 1 --epochs 1") +
            maximum);
        const Json reply = answer_to(run["release"], {{"ask", "epsilon"}, {"delta", 1e-5}});
        CAPTURE(maximum);
        CHECK(reply["upper"] == run["epsilon"]["upper"]["value"]);
        CHECK(reply["lower"] == run["epsilon"]["lower"]["value"]);
    }
}
