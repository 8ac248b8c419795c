#include "assay/cli/ask.hpp"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <sstream>
#include <string>

#include "assay/account/account.hpp"
#include "assay/account/group_risk.hpp"
#include "assay/account/one_accountant.hpp"
#include "assay/account/trade_off.hpp"

using namespace assay;
using cli::Json;

namespace {

const std::string poisson_json =
    R"({"adjacency": "add-remove", "phases": [{"sampling": "poisson", "noise_multiplier": 1, )"
    R"("sampling_probability": 0.01, "steps": 1000}]})";
const Release same_release{Adjacency::add_remove, {{SampledGaussian{1.0, 0.01}, 1000}}};

Json asked(const std::string& release, const std::string& rest) {
    bool is_json = true;
    const Json reply =
        cli::answer_question(R"({"id": 7, "release": )" + release + ", " + rest + "}", is_json);
    CHECK(is_json);
    CHECK(reply["id"] == 7);
    return reply;
}

/// Gaussian steps whose noise is looked for, beside one epoch of shuffled batches.
std::string noise_beside_shuffling(int steps, int noise, int batches) {
    return fmt::format(
        R"({{"adjacency": "zero-out", "phases": [)"
        R"({{"sampling": "none", "noise_multiplier": null, "steps": {}}}, )"
        R"({{"sampling": "shuffle", "noise_multiplier": {}, "batches_per_epoch": {}}}]}})",
        steps, noise, batches);
}

std::string kind_of(const Json& reply) {
    return reply.contains("error") ? reply["error"]["kind"].get<std::string>() : "none";
}

}  // namespace

TEST_CASE("a question has the front door's answer, to the bit", "[cli]") {
    const Json reply = asked(poisson_json, R"("ask": "epsilon", "delta": 1e-5)");
    const Bracket found = epsilon(same_release, 1e-5);
    CHECK(reply["lower"] == found.lower.value);
    CHECK(reply["upper"] == found.upper.value);
    CHECK(reply["published_upper"] == found.best_published.value);
    CHECK(reply["status"] == "certified");
    CHECK(reply["standing"]["upper"] == "ours");
    CHECK(reply["theorem"]["upper"] == found.upper.theorem.citation);
    CHECK(reply["note"].is_null());
    const Json at_zero = asked(poisson_json, R"("ask": "delta", "epsilon": "0")");
    const Json advantage = asked(poisson_json, R"("ask": "advantage")");
    CHECK(at_zero["upper"] == advantage["upper"]);
    CHECK(at_zero["upper"] == delta(same_release, 0.0).upper.value);
    const Json renyi =
        asked(poisson_json, R"("ask": "epsilon", "delta": "1e-5", "accountant": "rdp")");
    CHECK(renyi["upper"] == epsilon_by(Accountant::renyi, same_release, 1e-5, {}).upper.value);
    const Json published =
        asked(poisson_json, R"("ask": "epsilon", "delta": 1e-5, "standing": "published")");
    CHECK(published["upper"] == reply["published_upper"]);
}

TEST_CASE("the noise that is looked for is enough above and not below", "[cli]") {
    const Json reply = asked(noise_beside_shuffling(3, 4, 10),
                             R"("ask": "noise_multiplier", "epsilon": 2, "delta": 1e-5)");
    REQUIRE(reply.contains("upper"));
    const auto delta_with = [](double noise) {
        return delta({Adjacency::zero_out, {{Gaussian{noise}, 3}, {Shuffled{4.0, 10}, 1}}}, 2.0);
    };
    CHECK(delta_with(reply["upper"]).upper.value <= 1e-5 * (1.0 + 1e-9));
    CHECK(delta_with(reply["lower"]).lower.value > 1e-5 * (1.0 - 1e-9));
    CHECK(reply["published_upper"] >= reply["upper"]);
    CHECK(reply["published_upper"].is_number());
}

TEST_CASE("where no noise is seen to be enough the upper side is infinite", "[cli]") {
    const Json reply = asked(noise_beside_shuffling(5, 1, 1000),
                             R"("ask": "noise_multiplier", "epsilon": 2, "delta": 0.01)");
    REQUIRE(reply.contains("lower"));
    CHECK(reply["lower"] > 1.0);
    CHECK(reply["upper"] == "inf");
    CHECK(reply["note"].get<std::string>().find("1e12") != std::string::npos);
}

TEST_CASE("what cannot be answered says of which kind it is", "[cli]") {
    const auto kind = [](const std::string& release, const std::string& rest) {
        const Json reply = asked(release, rest);
        CHECK_FALSE(reply.contains("lower"));
        return kind_of(reply);
    };
    const std::string epsilon = R"("ask": "epsilon", "delta": 1e-5)";
    CHECK(kind(poisson_json, R"("ask": "epsilon", "delta": 0)") == "domain");
    CHECK(kind(poisson_json, R"("ask": "epsilon")") == "malformed");
    CHECK(kind(poisson_json, R"("ask": "epsilon", "delta": [1])") == "malformed");
    CHECK(kind(poisson_json, R"("ask": "wealth")") == "domain");
    CHECK(kind(poisson_json, R"("ask": "true_positive_rate")") == "malformed");
    CHECK(kind(poisson_json, R"("ask": "true_positive_rate", "false_positive_rate": 2)") ==
          "domain");
    CHECK(kind(poisson_json, R"("ask": "steps", "epsilon": 1, "delta": 1e-5)") == "malformed");
    CHECK(kind(poisson_json, R"("ask": "gaussian_mu", "accountant": "pld")") == "unsupported");
    CHECK(kind(poisson_json, epsilon + R"(, "epsilon": 1)") == "unknown_parameter");
    CHECK(kind(poisson_json, epsilon + R"(, "group": 0)") == "domain");
    CHECK(kind(poisson_json, epsilon + R"(, "relative_gap": 0.1, "tolerance": 0.1)") ==
          "malformed");
    // The parser would take these for 0.
    CHECK(kind(poisson_json, R"("ask": "delta", "epsilon": 1e-400)") == "domain");
    CHECK(kind(R"({"adjacency": "add-remove", "phases": [{"sampling": "poisson", "steps": 5, )"
               R"("noise_multiplier": 1, "sampling_probability": 1e-400}]})",
               epsilon) == "domain");
    CHECK(kind("3", epsilon) == "malformed");
    const Json line_end = asked(poisson_json, R"("ask": "epsilon\n", "delta": 1e-5)");
    CHECK(line_end["error"]["message"].get<std::string>().find('\n') == std::string::npos);
    const Json rates = asked(R"({"adjacency": "add-remove", "phases": [{"sampling": "none", )"
                             R"("noise_multiplier": null, "steps": 1}]})",
                             R"("ask": "noise_multiplier", "true_positive_rate": 0.1, )"
                             R"("false_positive_rate": 0.5)");
    CHECK(rates["error"]["parameter"] == "true_positive_rate");
    CHECK(kind(R"({"adjacency": "swap", "phases": []})", epsilon) == "domain");
    CHECK(kind(R"({"adjacency": "add-remove", "phases": []})", epsilon) == "malformed");
    const auto one_phase = [&](const std::string& phase) {
        return kind(R"({"adjacency": "add-remove", "phases": [)" + phase + "]}", epsilon);
    };
    CHECK(one_phase(R"({"sampling": "shuffle", "noise_multiplier": 1, "batches_per_epoch": 5})") ==
          "unsupported");
    CHECK(one_phase(R"({"sampling": "none", "noise_multiplier": null, "steps": 5})") ==
          "malformed");
    CHECK(one_phase(R"({"sampling": "none", "noise_multiplier": 1, "steps": 5, "q": 1})") ==
          "unknown_parameter");
    CHECK(one_phase(R"({"sampling": "none", "noise_multiplier": -1, "steps": 5})") == "domain");
    CHECK(one_phase(R"({"sampling": "random-allocation", "noise_multiplier": 1})") == "malformed");
    CHECK(one_phase(R"({"sampling": "random-allocation", "noise_multiplier": 1, )"
                    R"("batches_per_epoch": 3, "allocations": 4})") == "domain");
    CHECK(one_phase(R"({"sampling": "poisson-truncated", "noise_multiplier": 1, "batch_size": 5, )"
                    R"("maximum_batch_size": 4, "dataset_size": 50, "steps": 3})") == "domain");
    CHECK(one_phase(R"({"sampling": "dice", "noise_multiplier": 1})") == "domain");
}

TEST_CASE("what an attacker can do is the front door's answer, to the bit", "[cli]") {
    const Json rate =
        asked(poisson_json, R"("ask": "true_positive_rate", "false_positive_rate": 1e-3)");
    CHECK(rate["upper"] == true_positive_rate(same_release, 1e-3).upper.value);
    CHECK(rate["lower"] == true_positive_rate(same_release, 1e-3).lower.value);
    const Json error = asked(poisson_json, R"("ask": "type_two_error", "type_one_error": "1e-3")");
    CHECK(error["lower"] == type_two_error(same_release, 1e-3).lower.value);
    CHECK(error["lower"].get<double>() <= 1.0 - rate["lower"].get<double>());
    const Json mu = asked(poisson_json, R"("ask": "gaussian_mu")");
    CHECK(mu["upper"] == smallest_mu(same_release).upper.value);
    const Json group = asked(poisson_json, R"("ask": "delta", "epsilon": 1, "group": 2)");
    CHECK(group["upper"] == delta_of_group(same_release, 1.0, 2).upper.value);
    CHECK(group["upper"].get<double>() >
          asked(poisson_json, R"("ask": "delta", "epsilon": 1)")["upper"].get<double>());
}

TEST_CASE("what a release may have at most is asked with a null in its place", "[cli]") {
    const std::string open_steps =
        R"({"adjacency": "add-remove", "phases": [{"sampling": "poisson", "noise_multiplier": 1, )"
        R"("sampling_probability": 0.01, "steps": null}]})";
    const Json steps = asked(open_steps, R"("ask": "steps", "epsilon": 1, "delta": 1e-5)");
    const auto delta_of = [](double count) {
        return delta({Adjacency::add_remove,
                      {{SampledGaussian{1.0, 0.01}, static_cast<std::int64_t>(count)}}},
                     1.0);
    };
    const double allowed = steps["lower"];
    CHECK(delta_of(allowed).upper.value <= 1e-5 * (1.0 + 1e-3));
    CHECK(delta_of(steps["upper"].get<double>() + 1.0).lower.value > 1e-5 * (1.0 - 1e-3));
    CHECK(steps["upper"].get<double>() - allowed <= 1.0 + 2e-3 * allowed);
    const std::string open_batch =
        R"({"adjacency": "add-remove", "phases": [{"sampling": "poisson", "noise_multiplier": 1, )"
        R"("batch_size": null, "dataset_size": 1000, "steps": 100}]})";
    const Json batch =
        asked(open_batch, R"("ask": "sampling_probability", "epsilon": 1, "delta": 1e-5)");
    CHECK(batch["lower"] == batch["upper"]);
    CHECK(batch["lower"].get<double>() == std::floor(batch["lower"].get<double>()));
    const Json noise = asked(
        R"({"adjacency": "add-remove", "phases": [{"sampling": "none", "noise_multiplier": null, )"
        R"("steps": 1}]})",
        R"("ask": "noise_multiplier", "mu": 0.5)");
    CHECK(noise["upper"].get<double>() == Approx(2.0).epsilon(1e-3));
    CHECK(noise["lower"].get<double>() <= 2.0);
    const auto of_levels = [](const char* smallest) {
        return asked(
            R"({"adjacency": "add-remove", "phases": [{"sampling": "none", )"
            R"("noise_multiplier": null, "steps": 1}]})",
            fmt::format(R"("ask": "noise_multiplier", "mu": 0.5, "smallest_error": {})", smallest));
    };
    CHECK(of_levels("0")["upper"] == noise["upper"]);
    CHECK(kind_of(of_levels("0.5")) == "domain");
}

TEST_CASE("a side of which nothing is known has a note", "[cli]") {
    const Json reply =
        asked(R"({"adjacency": "add-remove", "phases": [{"sampling": "poisson", )"
              R"("noise_multiplier": 1, "sampling_probability": 0.01, "steps": 100}]})",
              R"("ask": "epsilon", "delta": 1e-5, "accountant": "pld", "standing": "published")");
    CHECK(reply["upper"] == "inf");
    CHECK(reply["note"].get<std::string>().find("upper side") != std::string::npos);
}

TEST_CASE("lines are answered in their order, and what is no JSON is told at the end", "[cli]") {
    std::istringstream in("{\"id\": 1}\n\nnonsense\n{\"id\": 2}\n");
    std::ostringstream out;
    CHECK(cli::run_ask(in, out, out) == 2);
    std::istringstream lines(out.str());
    std::string line;
    REQUIRE(std::getline(lines, line));
    CHECK(Json::parse(line)["id"] == 1);
    REQUIRE(std::getline(lines, line));
    CHECK(kind_of(Json::parse(line)) == "malformed");
    REQUIRE(std::getline(lines, line));
    CHECK(Json::parse(line)["id"] == 2);
    CHECK_FALSE(std::getline(lines, line));
}

TEST_CASE("a question whose bounds contradict each other leaves the others their answers",
          "[cli]") {
    std::istringstream in("{\"id\": 1}\n{\"id\": 2}\nnonsense\n{\"id\": 3}\n");
    std::ostringstream out;
    const int code = cli::run_ask(in, out, out, [](std::string_view text, bool& is_json) {
        if (text.find('2') != text.npos) throw InternalError("the sides cross");
        return cli::answer_question(text, is_json);
    });
    CHECK(code == 3);
    std::istringstream lines(out.str());
    std::vector<Json> replies;
    for (std::string line; std::getline(lines, line);) replies.push_back(Json::parse(line));
    REQUIRE(replies.size() == 4);
    CHECK(replies[1]["id"] == 2);
    CHECK(kind_of(replies[1]) == "internal");
    CHECK(replies[1]["error"]["message"].get<std::string>().find("the sides cross") !=
          std::string::npos);
    CHECK(replies[3]["id"] == 3);
}
