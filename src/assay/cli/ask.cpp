#include "assay/cli/ask.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "assay/account/account.hpp"
#include "assay/account/calibrate.hpp"
#include "assay/account/one_accountant.hpp"
#include "assay/cli/json_line.hpp"
#include "assay/cli/phase_input.hpp"
#include "assay/files/bounded_input.hpp"
#include "assay/numeric/errors.hpp"

namespace assay::cli {

namespace {

using Names = std::initializer_list<std::string_view>;

/// A question that cannot be answered as it stands.
class Refusal : public Error {
public:
    Refusal(std::string_view kind, std::string parameter, const std::string& message)
        : Error(message), kind_(kind), parameter_(std::move(parameter)) {}
    [[nodiscard]] std::string_view kind() const { return kind_; }
    [[nodiscard]] const std::string& parameter() const { return parameter_; }

private:
    std::string_view kind_;
    std::string parameter_;
};

const Json& member(const Json& object, const char* name) {
    const auto found = object.find(name);
    if (found == object.end()) throw Refusal("malformed", name, fmt::format("{} is missing", name));
    return *found;
}

/// A number is a JSON number or a decimal text: the text that the readers of options take.
std::string text_of(const Json& value, const std::string& name) {
    if (value.is_string()) return value.get<std::string>();
    if (value.is_number()) return value.dump();
    throw Refusal("malformed", name, fmt::format("{} = {} is not a number", name, value.dump()));
}

std::string text_member(const Json& object, const char* name) {
    const Json& value = member(object, name);
    if (!value.is_string())
        throw Refusal("malformed", name, fmt::format("{} = {} is not a text", name, value.dump()));
    return value.get<std::string>();
}

double number_member(const Json& object, const char* name, bool (*is_admitted)(double),
                     std::string_view admitted) {
    return read_option(name, text_of(member(object, name), name), is_admitted, admitted);
}

void require_known(const Json& object, Names known) {
    for (const auto& [name, value] : object.items())
        if (std::find(known.begin(), known.end(), name) == known.end())
            throw Refusal("unknown_parameter", name,
                          fmt::format("{} is unknown: {}", name, fmt::join(known, ", ")));
}

Names known_members(const std::string& sampling) {
    static const Names steps{"sampling", "noise_multiplier", "steps"};
    static const Names with_probability{"sampling",   "noise_multiplier", "sampling_probability",
                                        "batch_size", "dataset_size",     "steps"};
    static const Names with_sizes{"sampling", "noise_multiplier", "batch_size", "dataset_size",
                                  "steps"};
    static const Names epochs{"sampling", "noise_multiplier", "batches_per_epoch", "epochs"};
    if (sampling == "none") return steps;
    if (sampling == "poisson" || sampling == "fixed-size-without-replacement")
        return with_probability;
    if (sampling == "fixed-size-with-replacement") return with_sizes;
    if (sampling == "balls-and-bins" || sampling == "shuffle" || sampling == "deterministic")
        return epochs;
    static const Names several{"sampling", "noise_multiplier", "batches_per_epoch", "allocations",
                               "epochs"};
    if (sampling == "random-allocation") return several;
    static const Names cut{"sampling",           "noise_multiplier", "batch_size",
                           "maximum_batch_size", "dataset_size",     "steps"};
    if (sampling == "poisson-truncated") return cut;
    throw Refusal("domain", "sampling",
                  fmt::format("sampling = {} is not admitted: {}", sampling, admitted_samplings));
}

/// Noise multiplier 0 where it is null and may be.
Phase phase_of(const Json& json, Adjacency adjacency, bool may_be_unknown) {
    if (!json.is_object()) throw Refusal("malformed", "phases", "a phase is not an object");
    const std::string sampling = text_member(json, "sampling");
    require_known(json, known_members(sampling));
    const bool is_unknown = member(json, "noise_multiplier").is_null();
    if (is_unknown && !may_be_unknown)
        throw Refusal("malformed", "noise_multiplier",
                      "noise_multiplier is null: only a question for it leaves it open");
    PhaseFields fields;
    for (const auto& [name, value] : json.items()) {
        if (value.is_null() && name != "noise_multiplier")
            throw Refusal("malformed", name, fmt::format("{} is null", name));
        std::string key = name;
        std::replace(key.begin(), key.end(), '_', '-');
        fields[key] = value.is_null() ? "1" : text_of(value, name);
    }
    const PhaseInput input = read_phase(fields, std::nullopt);
    require_theorem(input.phase.mechanism, adjacency);
    Phase phase = input.phase;
    if (is_unknown) set_noise_multiplier(phase.mechanism, 0.0);
    return phase;
}

bool is_open(const Phase& phase) {
    return noise_multiplier(phase.mechanism) == 0.0;
}

Release release_of(const Json& json, bool may_be_unknown) {
    if (!json.is_object()) throw Refusal("malformed", "release", "release is not an object");
    require_known(json, {"adjacency", "phases"});
    Release release(adjacency_from_string(text_member(json, "adjacency")), {});
    const Json& phases = member(json, "phases");
    if (!phases.is_array() || phases.empty())
        throw Refusal("malformed", "phases", "phases is not a list of at least one phase");
    for (const Json& phase : phases)
        release.phases.push_back(phase_of(phase, release.adjacency, may_be_unknown));
    if (may_be_unknown && std::none_of(release.phases.begin(), release.phases.end(), is_open))
        throw Refusal("malformed", "noise_multiplier",
                      "noise_multiplier is null in no phase: nothing is looked for");
    return release;
}

Goal read_goal(const Json& question) {
    Goal goal;
    if (question.contains("effort"))
        goal = goal_of(effort_from_string(text_member(question, "effort")));
    if (question.contains("relative_gap"))
        goal.relative_gap = number_member(
            question, "relative_gap", [](double x) { return x > 0.0 && x < 1.0; },
            "0 < relative_gap < 1");
    if (question.contains("standing")) {
        const std::string standing = text_member(question, "standing");
        if (standing != "any" && standing != "published")
            throw DomainError("standing", standing, "any or published");
        if (standing == "published") goal.standing = StandingFilter::published;
    }
    return goal;
}

std::optional<Accountant> accountant_of(const Json& question) {
    if (!question.contains("accountant")) return std::nullopt;
    const std::string name = text_member(question, "accountant");
    if (name == "rdp") return Accountant::renyi;
    if (name == "pld") return Accountant::loss_distributions;
    throw DomainError("accountant", name, "rdp or pld");
}

bool is_probability(double x) {
    return x > 0.0 && x < 1.0;
}
bool is_not_negative(double x) {
    return x >= 0.0;
}

void append_bracket(Json& reply, const Bracket& found) {
    reply["lower"] = json_number(found.lower.value);
    reply["upper"] = json_number(found.upper.value);
    reply["status"] = "certified";
    reply["theorem"] = {{"lower", found.lower.theorem.citation},
                        {"upper", found.upper.theorem.citation}};
    reply["standing"] = {{"lower", to_string(found.lower.theorem.standing)},
                         {"upper", to_string(found.upper.theorem.standing)}};
    reply["published_upper"] = json_number(found.best_published.value);
    reply["note"] = found.note.empty() ? Json(nullptr) : Json(found.note);
}

/// The noise that is enough above, and what is not below; the theorems are those of delta there.
Bracket noise_bracket(const Release& release, const PrivacyTarget& target, const Goal& goal) {
    const Calibration found = calibrate(release, target, goal.relative_gap, goal);
    Bracket bracket = found.delta;
    bracket.lower.value = found.insufficient;
    bracket.upper.value = found.sufficient;
    bracket.best_published = vacuous(Direction::upper, found.delta.best_published.theorem);
    bracket.note = found.precision() > goal.relative_gap
                       ? "the brackets of delta hide what is between"
                       : std::string();
    return bracket;
}

Bracket answer(const Json& question) {
    const std::string asked = text_member(question, "ask");
    const Goal goal = read_goal(question);
    const std::optional<Accountant> accountant = accountant_of(question);
    if (question.contains("group") && text_of(question["group"], "group") != "1")
        throw Refusal("unsupported", "group", "group = 1 alone is answered");
    static const Names common{"id",       "release",    "ask",          "group",
                              "standing", "accountant", "relative_gap", "effort"};
    const auto require_members = [&](Names own) {
        for (const auto& [name, value] : question.items())
            if (std::find(common.begin(), common.end(), name) == common.end() &&
                std::find(own.begin(), own.end(), name) == own.end())
                throw Refusal("unknown_parameter", name,
                              fmt::format("{} is no parameter of a question for {}", name, asked));
    };
    const auto known_release = [&] { return release_of(member(question, "release"), false); };
    const auto delta_at = [&](double epsilon) {
        return accountant ? delta_by(*accountant, known_release(), epsilon, goal)
                          : delta(known_release(), epsilon, goal);
    };
    if (asked == "epsilon") {
        require_members({"delta"});
        const double given = number_member(question, "delta", is_probability, "0 < delta < 1");
        return accountant ? epsilon_by(*accountant, known_release(), given, goal)
                          : epsilon(known_release(), given, goal);
    }
    if (asked == "delta") {
        require_members({"epsilon"});
        return delta_at(number_member(question, "epsilon", is_not_negative, "a number >= 0"));
    }
    if (asked == "advantage") {
        require_members({});
        return delta_at(0.0);
    }
    if (asked == "noise_multiplier") {
        require_members({"delta", "epsilon"});
        if (accountant) throw Refusal("unsupported", "accountant", "left out with this question");
        return noise_bracket(release_of(member(question, "release"), true),
                             {number_member(question, "epsilon", is_not_negative, "a number >= 0"),
                              number_member(question, "delta", is_probability, "0 < delta < 1")},
                             goal);
    }
    for (const char* later :
         {"type_two_error", "true_positive_rate", "gaussian_mu", "steps", "sampling_probability"})
        if (asked == later)
            throw Refusal("unsupported", "ask", fmt::format("ask = {} is not answered yet", asked));
    throw DomainError("ask", asked, "epsilon, delta, noise_multiplier or advantage");
}

/// The option's name in the spelling of JSON.
std::string underscored(std::string name) {
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

Json error_object(std::string_view kind, const std::string& parameter, const char* message) {
    return {{"kind", kind},
            {"parameter", parameter.empty() ? Json(nullptr) : Json(underscored(parameter))},
            {"message", message}};
}

}  // namespace

Json answer_question(std::string_view line, bool& is_json) {
    Json reply = Json::object();
    Json question;
    try {
        question = parse_object(std::string(line));
    } catch (const Error& error) {
        is_json = false;
        reply["error"] = error_object("malformed", "", error.what());
        return reply;
    }
    if (question.contains("id")) reply["id"] = question["id"];
    try {
        append_bracket(reply, answer(question));
    } catch (const Refusal& refusal) {
        reply["error"] = error_object(refusal.kind(), refusal.parameter(), refusal.what());
    } catch (const DomainError& error) {
        reply["error"] = error_object("domain", error.parameter(), error.what());
    } catch (const UnsupportedMechanism& error) {
        reply["error"] = error_object("unsupported", "", error.what());
    } catch (const InternalError&) {
        throw;
    } catch (const Error& error) {
        reply["error"] = error_object("malformed", "", error.what());
    }
    return reply;
}

bool run_ask(std::istream& in, std::ostream& out) {
    bool is_json = true;
    std::string line;
    while (read_line(in, line, largest_json_line)) {
        if (line.find_first_not_of(" \t\r\f\v") == line.npos) continue;
        out << answer_question(line, is_json).dump(-1, ' ', false, Json::error_handler_t::replace)
            << '\n';
        out.flush();
        if (!out) throw Error("standard output cannot be written");
    }
    if (in.bad()) throw Error("the questions cannot be read to their end");
    return is_json;
}

}  // namespace assay::cli
