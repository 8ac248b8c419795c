#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "assay/files/atomic_file.hpp"
#include "assay/files/file_lock.hpp"
#include "test_support/run_for_test.hpp"
#include "test_support/scratch_folder.hpp"

using namespace assay;
using namespace assay::cli;

namespace {

/// `assay ldp` on words separated by blanks.
RunResult run(const std::string& words, const std::string& input = "") {
    return run_assay("ldp " + words, input);
}

const std::string mechanism = " --categories 3 --epsilon 1 --budget-share 0.9 ";

/// The estimates of the last block of a CSV.
std::vector<double> estimates(const std::string& csv, std::size_t categories) {
    std::vector<double> values;
    std::istringstream lines(csv);
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with('#') || line.starts_with("responses")) continue;
        const std::size_t second = line.find(',', line.find(',') + 1);
        values.push_back(std::stod(line.substr(second + 1)));
    }
    return {values.end() - static_cast<std::ptrdiff_t>(categories), values.end()};
}

}  // namespace

TEST_CASE("ldp audit finds the epsilon of the theorem and of the released program", "[cli]") {
    const auto audited = [](const std::string& words) {
        const RunResult result = run("audit --json --categories 20 --budget-share 0.9 " + words);
        REQUIRE(result.exit_code == 0);
        return nlohmann::json::parse(result.out)["upper"].get<double>();
    };
    CHECK(audited("--epsilon 1") == Approx(1.0).epsilon(1e-14));
    CHECK(run("audit --categories 20 --budget-share 0.9 --epsilon 1 --variant as-released")
              .out.find("not 1-LDP: true epsilon = 1.81") != std::string::npos);
    // Enumerated independently: K = 20, |S| = 1.
    CHECK(audited("--epsilon 0.5 --variant as-released") == Approx(0.916).margin(5e-4));
    CHECK(audited("--epsilon 1 --variant as-released") == Approx(1.813).margin(5e-4));
    CHECK(audited("--epsilon 5 --variant as-released") == Approx(7.330).margin(5e-4));
}

TEST_CASE("ldp audit reads a matrix and names what is none", "[cli]") {
    const ScratchFolder folder("ldp-audit");
    const std::string file = (folder.path() / "m.csv").string();
    write_file_atomically(file, "# x by y\n0.75,0.25\n0.25, 0.75\n");
    CHECK(run("audit --matrix " + file).out.find("1.0986122886681") != std::string::npos);  // ln 3
    write_file_atomically(file, "0.75,0.25\n0.25\n");
    check_refused(run("audit --matrix " + file), "m.csv:2");
    write_file_atomically(file, "0.75,0.25\n0.25,0.85\n");
    check_refused(run("audit --matrix " + file), "matrix");
    write_file_atomically(file, "0.75,x\n");
    check_refused(run("audit --matrix " + file), "m.csv:1");
    write_file_atomically(file, "0.75,0.25,\n0.25,0.75,\n");
    check_refused(run("audit --matrix " + file), "m.csv:1: \"\" is no probability");
    check_refused(run("audit --matrix " + file + ".none"), ".none");
    check_refused(run("audit --categories 3 --matrix " + file), "matrix");
    write_file_atomically(file,
                          "\xEF\xBB\xBF"
                          "0.75,\t0.25\r\n0.25,0.75\r\n");
    CHECK(run("audit --matrix " + file).out.find("1.0986122886681") != std::string::npos);
    check_refused(run("audit --variant theorem --matrix " + file), "not both");
    check_refused(run("audit --variant bogus --matrix " + file), "not both");
    write_file_atomically(file, "0.75\t0.25\n0.25\t0.75\n");
    check_refused(run("audit --matrix " + file), "m.csv:1: a tab");
}

TEST_CASE("what is outside its domain is refused by the option's name and the domain", "[cli]") {
    const auto audit = [](const std::string& words) { return run("audit " + words); };
    check_refused(audit("--categories 1 --epsilon 1 --budget-share 0.9"),
                  "categories = 1 is not admitted: an integer from 2 to 1000000");
    for (const std::string epsilon : {"0", "inf", "501"})
        check_refused(audit("--categories 3 --budget-share 0.9 --epsilon " + epsilon),
                      "epsilon = " + epsilon + " is not admitted: a number in (0, 500]");
    check_refused(audit(mechanism + "--subset-size 4"),
                  "subset-size = 4 is not admitted: an integer from 0 to 3");
    CHECK(audit(mechanism + "--subset-size 0").exit_code == 0);
    const auto estimate = [](const std::string& words) {
        return run("estimate -" + mechanism + words, "1,\n");
    };
    check_refused(estimate("--updates -1"), "updates = -1 is not admitted: an integer from 0");
    check_refused(estimate("--final-updates 99"), "an integer from 100");
    check_refused(estimate("--prior 1e-9"), "prior = 1e-9 is not admitted: a number from");
    check_refused(estimate("--step 2 --sampler langevin"), "a number in (0, 1]");
    for (const char* subsample : {"0", "-1", "4097"})
        check_refused(estimate(std::string("--sampler langevin --subsample=") + subsample),
                      "an integer from 1 to 4096");
}

TEST_CASE("the semi-adaptive rule says which of its readings it is", "[cli]") {
    const std::string words = "simulate --users 20 --rule semi-adaptive-0.9" + mechanism;
    CHECK(run(words).out.find("theorem: eps1 = 0.9 eps") != std::string::npos);
    CHECK(run(words + "--variant as-released").out.find("as released: eps1 = eps, eps2 = 0") !=
          std::string::npos);
}

TEST_CASE("ldp simulate is a function of its seed and names its privacy", "[cli]") {
    const std::string words = "simulate" + mechanism + "--users 300 --runs 3 --json";
    const RunResult one = run(words);
    REQUIRE(one.exit_code == 0);
    CHECK(run(words).out == one.out);
    CHECK(run(words + " --seed 2").out != one.out);
    CHECK(run(words + " --seed 0").exit_code == 0);
    CHECK(nlohmann::json::parse(one.out)["total_variation"].size() == 3);
    const RunResult released = run(words + " --variant as-released");
    CHECK(released.out.find("not 1-LDP: true epsilon = ") != std::string::npos);
    // By these rules the authors' program is private.
    const RunResult plain = run(words + " --variant as-released --rule non-adaptive");
    CHECK(plain.out.find("not 1-LDP") == std::string::npos);
    check_refused(run("simulate" + mechanism), "users");
    check_refused(run("simulate" + mechanism + "--users 0"), "users");
    check_refused(run("simulate" + mechanism + "--users 10 --rule best"), "rule");
    check_refused(run("simulate --categories 3 --epsilon 0 --budget-share 0.9 --users 9"),
                  "epsilon");
    check_refused(run("simulate --categories 3 --epsilon 1 --budget-share 1.1 --users 9"),
                  "budget");
    check_refused(run("simulate" + mechanism + "--users 10 --sampler gibbs --step 1"), "step");
}

TEST_CASE("ldp estimate recovers frequencies from a file of answers", "[cli]") {
    // Standard randomised response at epsilon = ln 4, K = 3: kept with probability 2/3. With theta
    // = (0.7, 0.2, 0.1) the expected shares of answers are 1/6 + theta/2 = 0.5167, 0.2667, 0.2167.
    std::string csv = "response,subset\n";
    const int shares[] = {3100, 1600, 1300};
    for (int category = 0; category < 3; ++category)
        for (int i = 0; i < shares[category]; ++i) csv += std::to_string(category + 1) + ",\n";
    const std::string words =
        "estimate - --categories 3 --epsilon 1.3862943611198906 --budget-share 0.9";
    const double expected[] = {0.7, 0.2, 0.1};
    const std::vector<double> exact =
        estimates(run(words + " --method maximum-likelihood", csv).out, 3);
    const std::vector<double> mean = estimates(run(words, csv).out, 3);
    for (std::size_t i = 0; i < 3; ++i) {
        CHECK(exact[i] == Approx(expected[i]).margin(2e-4));
        CHECK(mean[i] == Approx(expected[i]).margin(0.01));
    }
}

TEST_CASE("ldp estimate goes on with a state as if it had not stopped", "[cli]") {
    const ScratchFolder folder("ldp-state");
    const std::string state = (folder.path() / "s.state").string();
    const std::string whole = (folder.path() / "w.state").string();
    const std::string first = "1,1 2\n3,1\n2,\n";
    const std::string second = "1,1\n2,1 3\n";
    const std::string words = "estimate -" + mechanism + "--updates 2 --final-updates 100 --state ";
    REQUIRE(run(words + state, first).exit_code == 0);
    const RunResult resumed = run(words + state, second);
    const RunResult at_once = run(words + whole, first + second);
    REQUIRE(resumed.exit_code == 0);
    CHECK(resumed.out == at_once.out);
    // The states differ in the inputs that they note alone: both go on alike.
    CHECK(run(words + state, "3,1 2\n").out == run(words + whole, "3,1 2\n").out);

    const std::string before = read_file(state);
    check_refused(run(words + state, "1,1 2\n9,1\n"), "standard input:2");
    check_refused(
        run("estimate - --categories 4 --epsilon 1 --budget-share 0.9 --state " + state, second),
        "state");
    // What is given has to be what the state has; what is not, it has.
    check_refused(run(words + state + " --rule entropy", second), "state");
    check_refused(run(words + state + " --seed 9", second), "state");
    check_refused(run("estimate - --updates 3 --state " + state, second), "state");
    check_refused(run("estimate - --epsilon 2 --state " + state, second),
                  "epsilon: 1 there, 2 here");
    check_refused(run("estimate - --variant as-released --state " + state, second), "variant");
    CHECK(read_file(state) == before);
    REQUIRE(run("estimate - --final-updates 100 --state " + whole, "1,\n").exit_code == 0);
    write_file_atomically(state, before.substr(0, before.size() / 2));
    check_refused(run(words + state, second), "s.state");
    CHECK(read_file(state) == before.substr(0, before.size() / 2));
}

TEST_CASE("ldp estimate takes what a state of langevin has, said again or not", "[cli]") {
    const ScratchFolder folder("ldp-langevin");
    const std::string state = (folder.path() / "s.state").string();
    const std::string words = "estimate - --final-updates 100 --state " + state;
    REQUIRE(run(words + mechanism + "--sampler langevin --updates 5", "1,\n").exit_code == 0);
    CHECK(run(words + " --updates 5", "1,\n").exit_code == 0);
    const RunResult again = run(words + " --sampler langevin", "2,\n");
    CHECK(again.exit_code == 0);
    CHECK(again.out.find("mean of sum phi") != std::string::npos);
    check_refused(run(words + " --sampler gibbs", "1,\n"), "sampler: langevin there, gibbs here");
    check_refused(run(words + " --step 0.1", "1,\n"), "step");
}

TEST_CASE("ldp estimate counts no answers twice and lets one run at a time in", "[cli]") {
    const ScratchFolder folder("ldp-twice");
    const std::string state = (folder.path() / "s.state").string();
    const std::string file = (folder.path() / "answers.csv").string();
    const std::string renamed = (folder.path() / "copy.csv").string();
    write_file_atomically(file, "1,\n2,\n");
    write_file_atomically(renamed, "y,S\n1,\n\n2,\n");  // the same answers
    const std::string options = mechanism + "--final-updates 100 --state " + state;
    REQUIRE(run("estimate " + file + options).out.find("\n2,1,") != std::string::npos);
    const std::string before = read_file(state);
    check_refused(run("estimate " + file + options), "the same 2 answers of");
    check_refused(run("estimate " + renamed + options), "--again");
    CHECK(read_file(state) == before);
    CHECK(run("estimate " + file + options + " --again").out.find("\n4,1,") != std::string::npos);
    // In another order they are others; on standard input a few may repeat by chance.
    CHECK(run("estimate -" + options, "2,\n1,\n").exit_code == 0);
    CHECK(run("estimate -" + options, "2,\n1,\n").exit_code == 0);
    std::string many;
    for (int i = 0; i < 20; ++i) many += "3,1\n";
    CHECK(run("estimate -" + options, many).exit_code == 0);
    check_refused(run("estimate -" + options, many), "the same 20 answers");
    write_file_atomically(file, many + "1,\n");  // a file that has grown
    check_refused(run("estimate " + file + options), "the first 20 answers of");

    const std::string last = read_file(state);
    const FileLock other(state);
    check_refused(run("estimate -" + options, "1,\n"), "another run uses it");
    CHECK(read_file(state) == last);
}

TEST_CASE("ldp estimate finds the distribution that ldp simulate drew answers from", "[cli]") {
    const ScratchFolder folder("ldp-simulated");
    const std::string file = (folder.path() / "responses.csv").string();
    for (const std::string rule : {"non-adaptive", "honest-response"}) {
        const std::string options = " --categories 3 --epsilon 3 --budget-share 0.9 --rule " + rule;
        const RunResult simulated =
            run("simulate --users 4000 --updates 1 --json --responses " + file + options);
        REQUIRE(simulated.exit_code == 0);
        const std::vector<double> truth =
            nlohmann::json::parse(simulated.out).at("truth").get<std::vector<double>>();
        const RunResult estimated = run("estimate " + file + options);
        REQUIRE(estimated.exit_code == 0);
        CHECK(estimated.out.find("\n4000,1,") != std::string::npos);
        const std::vector<double> found = estimates(estimated.out, 3);
        for (std::size_t i = 0; i < 3; ++i) CHECK(found[i] == Approx(truth[i]).margin(0.04));
    }
    check_refused(run("simulate --users 10 --runs 2 --responses " + file + mechanism), "--runs");
    check_refused(run("simulate --users 10 --responses " + folder.path().string() + mechanism),
                  "folder");
}

TEST_CASE("ldp estimate never writes over its input, whatever its name there", "[cli]") {
    const ScratchFolder folder("ldp-input");
    const std::string file = (folder.path() / "answers.csv").string();
    const std::string other = (folder.path() / "." / "answers.csv").string();
    write_file_atomically(file, "1,\n2,\n");
    check_refused(run("estimate " + file + mechanism + "--out " + other), "the input");
    check_refused(run("estimate " + other + mechanism + "--state " + file), "the input");
    CHECK(read_file(file) == "1,\n2,\n");
}

TEST_CASE("simulated and collected answers of a released rule have one mechanism", "[cli]") {
    const std::string words =
        mechanism + "--variant as-released --rule semi-adaptive-0.9 --final-updates 100 ";
    const RunResult collected = run("estimate - " + words, "1,1 2\n");
    const RunResult simulated = run("simulate --users 20 --json " + words);
    CHECK(collected.out.find("1-LDP by aydin2024 Theorem 1") != std::string::npos);
    CHECK(collected.out.find("not 1-LDP") == std::string::npos);
    const auto json = nlohmann::json::parse(simulated.out);
    CHECK(json["privacy"] == "1-LDP by aydin2024 Theorem 1");
    CHECK(json["budget_share"] == 1.0);
    CHECK(json["final_updates"] == 100);
}

TEST_CASE("ldp estimate keeps no more draws than fit", "[cli]") {
    check_refused(run("estimate - --categories 1000000 --epsilon 1 --budget-share 0.9", "1,\n"),
                  "updates");
}

TEST_CASE("ldp estimate keeps its state where the estimates cannot be printed", "[cli]") {
    const ScratchFolder folder("ldp-print");
    const std::string state = (folder.path() / "s.state").string();
    const std::vector<std::string> words{"assay",          "ldp", "estimate",  "-",
                                         "--categories",   "3",   "--epsilon", "1",
                                         "--budget-share", "0.9", "--state",   state};
    std::vector<const char*> argv;
    for (const std::string& word : words) argv.push_back(word.c_str());
    std::istringstream in("1,\n");
    std::ostringstream broken;
    broken.setstate(std::ios::badbit);
    std::ostringstream err;
    CHECK(run_program(static_cast<int>(argv.size()), argv.data(), {in, broken, err}) == 2);
    CHECK_FALSE(std::filesystem::exists(state));
}

TEST_CASE("ldp estimate refuses input that is none", "[cli]") {
    const std::string words = "estimate -" + mechanism;
    check_refused(run(words, ""), "no answer");
    check_refused(run(words, "1,1 1\n"), "standard input:1");
    check_refused(run(words, "1,1 2 3\n"), "standard input:1");
    check_refused(run("estimate none.csv" + mechanism), "none.csv");
    check_refused(run(words, "1,\n2\n"), "standard input:2");
    check_refused(run(words + "--next-subset next.txt", "1,\n"), "next-subset");
    check_refused(run(words + "--level 1", "1,\n"), "level");
    check_refused(run(words + "--method maximum-likelihood --level 0.9", "1,\n"), "level");
    check_refused(run(words + "--method guess", "1,\n"), "method");
    // What only theta_t depends on has no meaning to an estimate without it.
    for (const std::string option : {"--sampler gibbs", "--updates 2", "--seed 3", "--prior 2"})
        check_refused(run(words + "--method maximum-likelihood " + option, "1,\n"),
                      "only with --method posterior");
    check_refused(run(words,
                      "\xFF\xFE"
                      "1,"),
                  "UTF-16");
    check_refused(run(words + "--final-updates 1", "1,\n"), "final-updates");
    check_refused(run(words + "--out -", "1,\n"), "file name");
    check_refused(run(words + "--out /dev/null", "1,\n"), "regular file");
    check_refused(run(words + "--out no-such-folder/e.csv", "1,\n"), "no-such-folder");
    check_refused(run(words + "--out e.csv --state ./e.csv", "1,\n"), "two outputs");
    check_refused(run("", ""), "ldp");
}
