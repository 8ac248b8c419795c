#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include "assay/cli/json_number.hpp"
#include "test_support/run_for_test.hpp"

using namespace assay::cli;

namespace {

const std::string poisson =
    " --sampling poisson --adjacency add-remove --noise-multiplier 2 --sampling-probability 0.01 ";

const std::string epoch = " --sampling balls-and-bins --adjacency zero-out --noise-multiplier 0.5 ";

}  // namespace

TEST_CASE("help fits one screen and begins with examples", "[cli]") {
    for (const char* words : {"", "help", "--help", "-h", "help help"}) {
        const RunResult result = run_assay(words);
        CHECK(result.exit_code == 0);
        CHECK(result.err.empty());
        CHECK(result.out.find("Examples:") < 100);
        CHECK(std::count(result.out.begin(), result.out.end(), '\n') <= 30);
        for (const char* command : {"epsilon", "delta", "rdp", "eval"})
            CHECK(result.out.find("\n  " + std::string(command)) != std::string::npos);
    }
    for (const std::string command :
         {"epsilon", "delta", "tradeoff", "rdp", "calibrate", "compare", "train", "monte-carlo",
          "merge", "eval", "ask", "ldp", "ldp audit", "ldp simulate", "ldp estimate"}) {
        CAPTURE(command);
        const RunResult result = run_assay(command + " --help");
        CHECK(result.exit_code == 0);
        // A sentence, then three examples.
        const std::size_t examples = result.out.find("\n\nExamples:\n");
        REQUIRE(examples < 80);
        CHECK(result.out[examples - 1] == '.');
        std::istringstream lines(result.out);
        int calls = 0;
        for (std::string line; std::getline(lines, line);) {
            CHECK(line.size() <= 80);
            calls += line.find("assay " + command.substr(0, command.find(' '))) < 30 ? 1 : 0;
        }
        CHECK(calls >= 3);
        if (command.find(' ') == command.npos)
            CHECK(run_assay("help " + command).out == result.out);
    }
    CHECK(run_assay("--version").out.starts_with("assay "));
    CHECK(run_assay("--version").out.find("\narithmetic: long double of ") != std::string::npos);
}

TEST_CASE("bad input is one line on standard error, exit code 2, and nothing else", "[cli]") {
    struct Case {
        std::string words;
        std::string message;
    };
    const std::vector<Case> cases{
        {"budget",
         "command = budget is not admitted: epsilon, delta, tradeoff, rdp, calibrate, compare, "
         "monte-carlo, merge, ldp, train, ask, eval, help"},
        {"help budget",
         "command = budget is not admitted: epsilon, delta, tradeoff, rdp, calibrate, compare, "
         "monte-carlo, merge, ldp, train, ask, eval, help"},
        {"--colour", "unknown option --colour; see assay --help"},
        {"epsilon --colour red", "unknown option --colour red; see assay epsilon --help"},
        {"epsilon --delta", "--delta: 1 required LIST missing; see assay epsilon --help"},
        {"ldp audit --colour", "unknown option --colour; see assay ldp audit --help"},
        {"ldp estimate", "responses is required; see assay ldp estimate --help"},
        {"epsilon", "delta is missing: 0 < delta < 1"},
        {"ldp guess --epsilon 1", "command = ldp guess is not admitted: audit, simulate, estimate"},
        {"epsilon --delta 1", "delta = 1 is not admitted: 0 < delta < 1"},
        {"epsilon --delta nan", "delta = nan is not admitted: 0 < delta < 1"},
        {"epsilon --delta 0.1", "adjacency is missing: add-remove, replace-one or zero-out"},
        {"epsilon --delta 0.1 --adjacency swap",
         "adjacency = swap is not admitted: add-remove, replace-one or zero-out"},
        {"epsilon --delta 0.1 --adjacency add-remove",
         "sampling is missing: poisson, poisson-truncated, fixed-size-without-replacement, "
         "fixed-size-with-replacement, none, balls-and-bins, random-allocation, shuffle or "
         "deterministic"},
        {"epsilon --delta 0.1" + poisson, "steps is missing: steps or epochs"},
        {"epsilon --delta 0.1 --steps 1 --standing best" + poisson,
         "standing = best is not admitted: any or published"},
        {"epsilon --delta 0.1 --steps 1 --phase sampling=none" + poisson,
         "noise-multiplier = 2 is not admitted: inside --phase, when that is given"},
        {"epsilon --delta 0.1 --adjacency add-remove --phase sampling=none --schedule a.toml",
         "phase = sampling=none is not admitted: either --phase or --schedule, not both"},
        {"epsilon --delta 0.1 --adjacency add-remove --phase sampling=none",
         "phase 1: noise-multiplier is missing: a positive finite number"},
        {"epsilon --delta 0.1 --adjacency add-remove --schedule no/such.toml",
         "no/such.toml: cannot be read: No such file or directory"},
        {"delta --steps 1" + poisson, "epsilon is missing: a number >= 0"},
        {"delta --steps 1 --epsilon -1" + poisson, "epsilon = -1 is not admitted: a number >= 0"},
        {"rdp --orders 1" + poisson,
         "orders = 1 is not admitted: orders > 1 as 2,4,8 or first:last:step or opacus, also "
         "mixed, at most 100000 of them"},
        {"epsilon --delta 0.1 --accountant exact --steps 1" + poisson,
         "accountant = exact is not admitted: best, rdp or pld"},
        {"epsilon --delta 0.1 --tolerance 0.1 --accountant rdp --steps 1" + poisson,
         "tolerance = 0.1 is not admitted: left out with --accountant rdp"},
        {"epsilon --delta 0.1 --orders 2,3 --steps 1" + poisson,
         "orders = 2,3 is not admitted: given with --accountant rdp alone"},
        {"epsilon --delta 0.1 --accountant rdp --batches-per-epoch 5" + epoch,
         "sampling = balls-and-bins is not admitted: one that draws every batch anew: poisson, "
         "poisson-truncated, "
         "fixed-size-without-replacement, fixed-size-with-replacement or none"},
        {"delta --epsilon 1 --steps 5" + epoch,
         "steps = 5 is not admitted: to be left out with sampling balls-and-bins: an epoch is "
         "accounted for as a whole: it takes batches-per-epoch, and epochs for how many"},
        {"delta --epsilon 1 --steps 5 --batches-per-epoch 5" + poisson,
         "batches-per-epoch = 5 is not admitted: to be left out with sampling poisson: every batch "
         "is drawn anew: it takes steps"},
        {"delta --epsilon 1 --batches-per-epoch 0" + epoch,
         "batches-per-epoch = 0 is not admitted: an integer from 1 to 1000000000000"},
        {"delta --epsilon 1 --batches-per-epoch 5 --sampling-probability 0.1" + epoch,
         "sampling-probability = 0.1 is not admitted: to be left out with sampling "
         "balls-and-bins: it takes batches-per-epoch"},
        {"delta --epsilon 1" + epoch,
         "batches-per-epoch is missing: sampling balls-and-bins takes it, or batch-size and "
         "dataset-size"},
        {"calibrate --sampling poisson --epsilon 1 --delta 1e-5",
         "adjacency is missing: add-remove, replace-one or zero-out"},
        {"calibrate --sampling none --adjacency zero-out --steps 3 --epsilon 1 --delta 1e-5 "
         "--effort much",
         "effort = much is not admitted: quick, normal or thorough"},
        {"calibrate --adjacency zero-out --epsilon 1 --delta 1e-5 --phase "
         "sampling=none,noise-multiplier=1,steps=3",
         "phases = all with a noise multiplier is not admitted: at least one without it, which is "
         "looked for"},
        {"delta --epsilon 1 --batches-per-epoch 5 --tolerance 0.1 --sampling shuffle --adjacency "
         "zero-out "
         "--noise-multiplier 1",
         "tolerance = 0.1 is not admitted: at least 0.24: shuffling: the sides are 24.4 % of the "
         "upper one apart. Above are batches in a fixed order, which is no smaller (convexity); "
         "given the "
         "order of the other records shuffling is no better, and no theorem gains from not telling "
         "it. "
         "Below is the largest sum of each epoch"},
        {"calibrate --sampling balls-and-bins --adjacency zero-out --batches-per-epoch 5 --epsilon "
         "1",
         "delta is missing: 0 < delta < 1"},
        {"tradeoff --sampling none --adjacency zero-out --steps 3 --noise-multiplier 1 --at-fpr "
         "0.1,",
         "at-fpr =  is not admitted: false positive rates from 0 to 1, separated by commas"},
        {"compare --batch-size 10", "dataset-size is missing: records in the data set"},
        {"ldp audit --categories 3", "epsilon is missing: a number in (0, 500]"},
        {"eval no/such.jsonl", "no/such.jsonl: cannot be read: No such file or directory"},
        {"eval --budget 0", "budget = 0 is not admitted: seconds, more than 0, at most 1e9"},
        {"eval --json", "json is not admitted: only with --list"},
    };
    for (const Case& c : cases) {
        INFO(c.words);
        const RunResult result = run_assay(c.words);
        CHECK(result.exit_code == 2);
        CHECK(result.out.empty());
        CHECK(result.err == "assay: " + c.message + "\n");
    }
}

TEST_CASE("a sampler and adjacency without a theorem are refused by name", "[cli]") {
    const RunResult result = run_assay(
        "epsilon --delta 1e-5 --sampling shuffle --adjacency replace-one "
        "--noise-multiplier 2 --batches-per-epoch 5");
    CHECK(result.exit_code == 2);
    CHECK(result.err.find("shuffle") != std::string::npos);
    CHECK(result.err.find("replace-one") != std::string::npos);
}

TEST_CASE("an epoch's sampler is accounted for under zero-out alone", "[cli]") {
    for (const std::string sampling : {"balls-and-bins", "shuffle", "deterministic"}) {
        const std::string words =
            " --sampling " + sampling + " --noise-multiplier 0.5 --batches-per-epoch 100";
        INFO(sampling);
        for (const std::string adjacency : {"add-remove", "replace-one"}) {
            const RunResult refused =
                run_assay("delta --epsilon 1 --adjacency " + adjacency + words);
            CHECK(refused.exit_code == 2);
            CHECK(refused.err.find(sampling) != std::string::npos);
            CHECK(refused.err.find(adjacency) != std::string::npos);
        }
        const RunResult delta = run_assay("delta --epsilon 1 --adjacency zero-out --json" + words);
        REQUIRE(delta.exit_code == 0);
        const Json report = Json::parse(delta.out);
        const double lower = report["lower"]["value"];
        const double upper = report["upper"]["value"];
        CHECK(0.0 < lower);
        CHECK(lower <= upper);
        CHECK(report["upper"]["status"] == "certified");
        const RunResult epsilon =
            run_assay("epsilon --delta " + std::to_string(lower) + " --adjacency zero-out" + words);
        CHECK(epsilon.exit_code == 0);
        CHECK(epsilon.out.starts_with("epsilon in ["));
        CHECK(epsilon.out.find("zero-out") != std::string::npos);
    }
    const RunResult too_close =
        run_assay("delta --epsilon 1 --batches-per-epoch 100 --tolerance 1e-10" + epoch);
    CHECK(too_close.exit_code == 2);
    CHECK(too_close.err.starts_with(
        "assay: tolerance = 1e-10 is not admitted: out of reach (effort quick gives "));
    CHECK(run_assay("delta --epsilon 1 --batches-per-epoch 100 --epochs 3" + epoch).exit_code == 0);
    const RunResult noise = run_assay(
        "calibrate --sampling balls-and-bins --adjacency zero-out --batches-per-epoch 100 "
        "--epsilon 1 "
        "--delta 1e-4 --json");
    REQUIRE(noise.exit_code == 0);
    CHECK(Json::parse(noise.out)["delta_at_upper"]["upper"]["value"] <= 1e-4);
}

TEST_CASE("balls-and-bins has an upper side where the sums certify none", "[cli]") {
    const auto upper = [](const std::string& words) {
        const RunResult result = run_assay(
            words +
            " --sampling balls-and-bins --adjacency zero-out --batches-per-epoch 100 --json");
        REQUIRE(result.exit_code == 0);
        return Json::parse(result.out)["upper"]["value"];
    };
    // One Gaussian step at most: at noise 1 P(Z > eps - 1/2) <= 1e-20 from eps = 9.8 on.
    const Json at_tiny_delta = upper("epsilon --noise-multiplier 1 --delta 1e-20");
    REQUIRE(at_tiny_delta.is_number());
    CHECK(at_tiny_delta.get<double>() < 10.0);
    const Json at_large_noise = upper("epsilon --noise-multiplier 1e6 --delta 1e-6");
    REQUIRE(at_large_noise.is_number());
    CHECK(at_large_noise.get<double>() < 1e-5);
    CHECK(upper("delta --noise-multiplier 1e6 --epsilon 1").get<double>() < 1e-300);
}

TEST_CASE("the answer is the best of what the accountants say alone", "[cli]") {
    const std::string words = "epsilon --delta 1e-5 --steps 100 --json" + poisson;
    const Json best = Json::parse(run_assay(words).out);
    const Json rdp = Json::parse(run_assay(words + " --accountant rdp").out);
    const Json pld = Json::parse(run_assay(words + " --accountant pld").out);
    CHECK(best["upper"]["value"] == std::min(pld["upper"]["value"], rdp["upper"]["value"]));
    CHECK(best["lower"]["value"] == std::max(pld["lower"]["value"], rdp["lower"]["value"]));
    CHECK(pld["accountant"] == "pld");
    CHECK(best["accountant"] == "best");
}

TEST_CASE("epsilon and delta print a bracket that holds the other's", "[cli]") {
    const RunResult epsilon = run_assay("epsilon --delta 1e-5 --steps 100 --json" + poisson);
    REQUIRE(epsilon.exit_code == 0);
    const Json report = Json::parse(epsilon.out);
    const double lower = report["lower"]["value"];
    const double upper = report["upper"]["value"];
    CHECK(0.0 <= lower);
    CHECK(lower <= upper);
    CHECK(report["published_upper"]["value"] >= upper);
    CHECK(report["upper"]["standing"] == "ours");
    CHECK(report["published_upper"]["standing"] == "published");
    CHECK(report["assumptions"].size() >= 4);
    CHECK(report["note"].is_null());

    const RunResult delta = run_assay("delta --epsilon " + std::to_string(upper + 1e-6) +
                                      " --steps 100 --json" + poisson);
    REQUIRE(delta.exit_code == 0);
    const Json reverse = Json::parse(delta.out);
    CHECK(reverse["upper"]["value"] <= 1e-5 * (1.0 + 1e-9));

    const RunResult text = run_assay("epsilon --delta 1e-5 --steps 100" + poisson);
    CHECK(text.out.starts_with("epsilon in ["));
    for (const char* part : {"upper", "lower", "best published upper", "assumptions", "sensitivity",
                             "adjacency add-remove", "sampling poisson", "mironov2019"})
        CHECK(text.out.find(part) != std::string::npos);
    CHECK(text.err.empty());
}

TEST_CASE("a list of deltas or epsilons is answered as each of them, and 1/n is a number",
          "[cli]") {
    const std::string release = " --steps 100 --json" + poisson;
    const auto answer = [&](const std::string& words) {
        const RunResult result = run_assay(words + release);
        INFO(result.err);
        REQUIRE(result.exit_code == 0);
        return Json::parse(result.out);
    };
    const Json list = answer("epsilon --delta 1e-5,1/64");
    REQUIRE(list.size() == 2);
    CHECK(list[0] == answer("epsilon --delta 1e-5"));
    CHECK(list[1] == answer("epsilon --delta 0.015625"));
    CHECK(answer("delta --epsilon 1,2")[1] == answer("delta --epsilon 2"));
    for (const char* bad : {"1/0", "1/", "/2", "1/2/3", "1,", "1/1e400", "0/3"})
        CHECK(run_assay("epsilon --delta " + std::string(bad) + release).exit_code == 2);
    CHECK(run_assay("delta --epsilon 1,2 --plot x.svg" + release).exit_code == 2);
}

TEST_CASE("phases compose, whatever the way they are given", "[cli]") {
    const std::string phase =
        " --phase sampling=poisson,noise-multiplier=2,sampling-probability=0.01,steps=50 ";
    const RunResult one = run_assay("rdp --orders 2,8 --steps 100" + poisson);
    const RunResult two = run_assay("rdp --orders 2,8 --adjacency add-remove" + phase + phase);
    REQUIRE(one.exit_code == 0);
    REQUIRE(two.exit_code == 0);
    CHECK(one.out.starts_with("order,lower,upper,published_upper,theorem\n2,"));
    const auto upper = [](const RunResult& result) {
        const std::size_t row = result.out.find('\n') + 1;
        const std::size_t lower_end = result.out.find(',', result.out.find(',', row) + 1);
        return std::strtod(result.out.c_str() + lower_end + 1, nullptr);
    };
    CHECK(upper(one) > 0.0);
    CHECK(upper(one) == Approx(upper(two)).epsilon(1e-14));
}

TEST_CASE("published bounds alone are used when asked for", "[cli]") {
    const std::string fixed_size =
        "epsilon --sampling fixed-size-without-replacement --adjacency replace-one "
        "--noise-multiplier 6 --batch-size 120 --dataset-size 50000 --epochs 25 --delta 1e-5 "
        "--json";
    const Json any = Json::parse(run_assay(fixed_size).out);
    const Json published = Json::parse(run_assay(fixed_size + " --standing published").out);
    CHECK(any["upper"]["standing"] == "ours");
    CHECK(published["upper"]["standing"] == "published");
    CHECK(published["upper"]["value"] > any["upper"]["value"]);
    CHECK(published["published_upper"] == any["published_upper"]);
    // The lower side rests on our proof: where that is not admitted nothing is left of it.
    CHECK(any["lower"]["standing"] == "ours");
    CHECK(published["lower"]["status"] == "vacuous");
}

TEST_CASE("the noise that is enough names the theorem that decided", "[cli]") {
    const RunResult found = run_assay(
        "calibrate --sampling poisson --adjacency add-remove --sampling-probability 0.01 "
        "--steps 100 --epsilon 1 --delta 1e-5 --precision 0.01 --json");
    REQUIRE(found.exit_code == 0);
    CHECK(Json::parse(found.out)["delta_at_upper"]["upper"]["standing"] == "ours");
    const RunResult gaussian = run_assay(
        "calibrate --sampling none --adjacency add-remove --steps 100 --epsilon 1 --delta 1e-5 "
        "--precision 0.01 --json");
    REQUIRE(gaussian.exit_code == 0);
    CHECK(Json::parse(gaussian.out)["delta_at_upper"]["upper"]["standing"] == "published");
}

TEST_CASE("grids of privacy loss distributions have the standing of their proof", "[cli]") {
    const std::string run =
        "delta --sampling poisson --adjacency add-remove --noise-multiplier 1 "
        "--sampling-probability 0.01 --epsilon 1 --json --steps ";
    const Json composed = Json::parse(run_assay(run + "100").out);
    CHECK(composed["upper"]["standing"] == "ours");
    CHECK(composed["lower"]["standing"] == "ours");
    CHECK(composed["published_upper"]["value"] > composed["upper"]["value"]);
    const Json published = Json::parse(run_assay(run + "100 --standing published").out);
    CHECK(published["upper"]["standing"] == "published");
    CHECK(published["upper"] == published["published_upper"]);
    CHECK(published["lower"]["status"] == "vacuous");
    // One step has a closed form, and no grid.
    const Json one = Json::parse(run_assay(run + "1 --standing published").out);
    CHECK(one["upper"]["standing"] == "published");
    CHECK(one["lower"]["standing"] == "published");
    CHECK(one["lower"]["value"] > 0.99999 * one["upper"]["value"].get<double>());
}

TEST_CASE("eval reads standard input and reports by its exit code", "[cli]") {
    const std::string line =
        R"({"quantity": "exact.second_order_coefficient", "params": {"sigma": 2}})";
    CHECK(run_assay("eval", line + "\n").exit_code == 0);
    const RunResult mixed = run_assay("eval", "?\n" + line + "\n");
    CHECK(mixed.exit_code == 2);
    CHECK(std::count(mixed.out.begin(), mixed.out.end(), '\n') == 2);
    CHECK(run_assay("eval --list").out.find("birrell2024.thm_3_4\n") != std::string::npos);
    CHECK(Json::parse(run_assay("eval --list --json").out).size() > 30);
}

TEST_CASE("what an attacker can do, as CSV and JSON", "[cli]") {
    const RunResult csv =
        run_assay("tradeoff" + poisson + "--steps 100 --at-fpr 1e-3,0.1 --both-directions");
    CHECK(csv.exit_code == 0);
    CHECK(csv.out.starts_with("direction,false_positive_rate,true_positive_rate_lower,"));
    CHECK(std::count(csv.out.begin(), csv.out.end(), '\n') == 5);
    CHECK(csv.out.find("\nremoval,0.1") != std::string::npos);
    CHECK(csv.out.find("\naddition,0.1") != std::string::npos);
    const Json curve =
        Json::parse(run_assay("tradeoff --json --sampling none --adjacency add-remove "
                              "--noise-multiplier 2 --steps 4")
                        .out);
    CHECK(curve["points"].size() > 50);
    CHECK(curve["symmetric"] == true);
    const RunResult mu = run_assay("tradeoff" + poisson + "--steps 100 --mu --smallest-error 1e-6");
    CHECK(mu.out.starts_with("mu in ["));
    CHECK(mu.out.find("\nregret in [") != std::string::npos);
    const std::string no_level =
        "tradeoff --sampling none --adjacency zero-out --steps 1 --noise-multiplier 1 --mu "
        "--smallest-error 0.49";
    CHECK(run_assay(no_level).out.find("note: at no level") != std::string::npos);
    CHECK(Json::parse(run_assay(no_level + " --json").out)["note"].is_string());
    CHECK(run_assay("tradeoff" + poisson + "--steps 100 --mu --at-fpr 0.1").exit_code == 2);
    CHECK(run_assay("tradeoff" + poisson + "--steps 100 --at-fpr 2").exit_code == 2);
}

TEST_CASE("pictures that cannot be drawn are refused before any work", "[cli]") {
    const std::string asked = "tradeoff" + poisson + "--steps 100 ";
    for (const char* plot :
         {"--plot picture.txt", "--plot /no/such/folder/picture.svg", "--plot picture.svg --mu",
          "--plot picture.svg --at-fpr 0.1", "--delta 1e-5"}) {
        CAPTURE(plot);
        const RunResult refused = run_assay(asked + plot);
        CHECK(refused.exit_code == 2);
        CHECK(refused.out.empty());
    }
    CHECK(run_assay(asked + "--plot picture.txt").err.find("FILE.svg") != std::string::npos);
    CHECK(run_assay("calibrate" + poisson + "--steps 10 --mu 1 --plot picture.txt").exit_code == 2);
}

TEST_CASE("another unknown than the noise is looked for", "[cli]") {
    const Json steps = Json::parse(
        run_assay("calibrate --json --unknown steps --sampling none --adjacency add-remove "
                  "--noise-multiplier 10 --mu 0.5000001")
            .out);
    CHECK(steps["quantity"] == "steps");
    CHECK(steps["allowed"] == 25.0);
    CHECK(steps["refused"] == 26.0);
    const RunResult batch = run_assay(
        "calibrate --unknown batch-size --sampling poisson --adjacency add-remove "
        "--noise-multiplier 2 --dataset-size 1000 --steps 100 --advantage 0.1");
    CHECK(batch.exit_code == 0);
    CHECK(batch.out.starts_with("batch-size "));
    const Json open = Json::parse(
        run_assay("calibrate --json --unknown batch-size --sampling poisson --adjacency add-remove "
                  "--noise-multiplier 2 --dataset-size 1000 --steps 100 --advantage 0.1")
            .out)["phases"][0];
    CHECK(open["batch_size"].is_null());
    CHECK(open["sampling_probability"].is_null());  // follows from it
    CHECK(run_assay("calibrate --unknown steps --sampling none --adjacency add-remove --mu 1 "
                    "--noise-multiplier 10 --steps 3")
              .exit_code == 2);
    CHECK(run_assay("calibrate --unknown wealth --sampling none --adjacency add-remove --mu 1 "
                    "--noise-multiplier 10")
              .exit_code == 2);
    CHECK(run_assay("calibrate --sampling none --adjacency add-remove --steps 3 --mu 1 --fpr 0.1")
              .exit_code == 2);
}

TEST_CASE("six samplers on one screen", "[cli]") {
    const std::string training = "compare --dataset-size 10000 --batch-size 100 --delta 1e-5 ";
    const RunResult table = run_assay(training + "--noise-multiplier 1");
    CHECK(table.exit_code == 0);
    for (const char* sampling : {"\npoisson ", "\nfixed-size-without-replacement ", "\nshuffle "})
        CHECK(table.out.find(sampling) != std::string::npos);
    const Json json = Json::parse(run_assay(training + "--noise-multiplier 1 --json").out);
    CHECK(json["samplers"].size() == 6);
    const Json& first = json["samplers"][0];
    CHECK(first["description"].get<std::string>().find("noise multiplier 1") != std::string::npos);
    CHECK(first["release"]["adjacency"] == first["adjacency"]);
    CHECK(first["release"]["phases"][0] == Json{{"sampling", "poisson"},
                                                {"noise_multiplier", 1.0},
                                                {"sampling_probability", 0.01},
                                                {"steps", 100}});
    CHECK(run_assay(training).exit_code == 2);
    CHECK(run_assay(training + "--noise-multiplier 1 --epsilon 1").exit_code == 2);
}
