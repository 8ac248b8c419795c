#include "assay/cli/ask.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "assay/account/account.hpp"
#include "assay/account/calibrate.hpp"
#include "assay/account/group_risk.hpp"
#include "assay/account/one_accountant.hpp"
#include "assay/account/solve.hpp"
#include "assay/account/trade_off.hpp"
#include "assay/cli/answer_lines.hpp"
#include "assay/cli/json_line.hpp"
#include "assay/cli/option_text.hpp"
#include "assay/cli/phase_input.hpp"
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

/// The parameter that a question looks for: null in one phase, the noise in one or more.
enum class Open { nothing, noise_multiplier, repetitions, sampling };

std::vector<std::string_view> open_names(Open open) {
    switch (open) {
        case Open::noise_multiplier: return {"noise_multiplier"};
        case Open::repetitions: return {"steps", "epochs"};
        case Open::sampling: return {"sampling_probability", "batch_size"};
        case Open::nothing: break;
    }
    return {};
}

/// A release, and what is open in it.
struct OpenRelease {
    Release release;
    std::size_t phase = 0;  // the one that is open
    std::string name;       // of what is open there; empty: nothing
    std::optional<std::int64_t> dataset_size;
};

/// An open parameter gets a value that every sampler admits; noise is 0.
Phase phase_of(const Json& json, Adjacency adjacency, Open open, OpenRelease& result) {
    if (!json.is_object()) throw Refusal("malformed", "phases", "a phase is not an object");
    const std::string sampling = text_member(json, "sampling");
    const Names& known = known_members(sampling);
    if (json.contains("steps") && std::find(known.begin(), known.end(), "steps") == known.end())
        throw Refusal("unknown_parameter", "steps",
                      fmt::format("steps is unknown with {}: an epoch is accounted for as a whole; "
                                  "it takes batches_per_epoch, and epochs for how many",
                                  sampling));
    require_known(json, known);
    member(json, "noise_multiplier");
    const auto names = open_names(open);
    Fields fields;
    std::string name_of_open;
    for (const auto& [name, value] : json.items()) {
        if (value.is_null()) {
            if (std::find(names.begin(), names.end(), name) == names.end())
                throw Refusal(
                    "malformed", name,
                    name == "noise_multiplier"
                        ? "noise_multiplier is null: only a question for it leaves it open"
                        : fmt::format("{} is null", name));
            name_of_open = name;
        }
        std::string key = name;
        std::replace(key.begin(), key.end(), '_', '-');
        const char* admitted = name == "sampling_probability" ? "0.5" : "1";
        fields[key] = value.is_null() ? admitted : text_of(value, name);
    }
    const PhaseInput input = read_phase(fields, std::nullopt);
    require_theorem(input.phase.mechanism, adjacency);
    Phase phase = input.phase;
    if (name_of_open.empty()) return phase;
    if (open == Open::noise_multiplier)
        set_noise_multiplier(phase.mechanism, 0.0);
    else if (!result.name.empty())
        throw Refusal("malformed", name_of_open, "null in more than one place");
    result.name = name_of_open;
    result.phase = result.release.phases.size();
    result.dataset_size = input.dataset_size;
    return phase;
}

OpenRelease release_of(const Json& json, Open open) {
    if (!json.is_object()) throw Refusal("malformed", "release", "release is not an object");
    require_known(json, {"adjacency", "phases"});
    OpenRelease result{{adjacency_from_string(text_member(json, "adjacency")), {}}, 0, {}, {}};
    const Json& phases = member(json, "phases");
    if (!phases.is_array() || phases.empty())
        throw Refusal("malformed", "phases", "phases is not a list of at least one phase");
    for (const Json& json_phase : phases) {
        const Phase phase = phase_of(json_phase, result.release.adjacency, open, result);
        result.release.phases.push_back(phase);
    }
    if (open != Open::nothing && result.name.empty()) {
        const std::string name(open_names(open).front());
        throw Refusal("malformed", name,
                      fmt::format("{} is null in no phase: nothing is looked for", name));
    }
    return result;
}

Goal read_goal(const Json& question) {
    Goal goal;
    if (question.contains("effort"))
        goal = goal_of(effort_from_string(text_member(question, "effort")));
    if (question.contains("relative_gap") && question.contains("tolerance"))
        throw Refusal("malformed", "tolerance", "either relative_gap or tolerance, not both");
    for (const char* name : {"relative_gap", "tolerance"})  // the latter as on the command line
        if (question.contains(name)) {
            const double gap = number_member(
                question, name, [](double x) { return x > 0.0 && x < 1.0; },
                fmt::format("0 < {} < 1", name));
            goal = with_gap(goal, gap);
        }
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
    if (found.note.empty() && std::isinf(found.upper.value))
        reply["note"] =
            "no theorem that is admitted gives an upper side within the range of a double";
}

bool is_rate(double x) {
    return x >= 0.0 && x <= 1.0;
}
bool is_positive(double x) {
    return x > 0.0;
}

double smallest_error_member(const Json& question) {
    return number_member(
        question, "smallest_error", [](double x) { return x >= 0.0 && x < 0.5; },
        "0 <= smallest_error < 0.5");
}

/// One of the four kinds of targets, by the members that are there.
RiskTarget target_of(const Json& question) {
    const auto has = [&](const char* name) { return question.contains(name); };
    const int kinds = (has("delta") || has("epsilon") ? 1 : 0) +
                      (has("false_positive_rate") || has("true_positive_rate") ? 1 : 0) +
                      (has("mu") ? 1 : 0) + (has("advantage") ? 1 : 0);
    if (kinds > 1 || (has("smallest_error") && !has("mu")))
        throw Refusal("malformed", "",
                      "one target: epsilon and delta, false_positive_rate and "
                      "true_positive_rate, mu (with smallest_error or without) or advantage");
    const auto probability = [&](const char* name) {
        return number_member(question, name, is_probability, fmt::format("0 < {} < 1", name));
    };
    if (has("mu")) {
        MuTarget target{number_member(question, "mu", is_positive, "a number > 0"), 0.0};
        if (has("smallest_error")) target.smallest_error = smallest_error_member(question);
        return target;
    }
    if (has("advantage")) return AdvantageTarget{probability("advantage")};
    if (has("false_positive_rate") || has("true_positive_rate"))
        return PowerTarget{probability("false_positive_rate"), probability("true_positive_rate")};
    return PrivacyTarget{number_member(question, "epsilon", is_not_negative, "a number >= 0"),
                         probability("delta")};
}

/// The noise that is enough above, and what is not below; the theorems are those of the risk there.
Bracket noise_bracket(const Release& release, const RiskTarget& target, const Goal& goal) {
    const Calibration found = [&] {
        try {
            return calibrate(release, target, goal.relative_gap, goal);
        } catch (const NoSufficientNoise& none) {
            return none.seen();
        }
    }();
    Bracket bracket = found.delta;
    bracket.lower.value = found.insufficient;
    bracket.upper.value = found.sufficient;
    bracket.best_published.value = published_noise(release, target, found, goal);
    bracket.note = found.note;
    return bracket;
}

/// The largest number that is allowed for certain, and the largest that may be.
Bracket largest_bracket(const OpenRelease& open, const RiskTarget& target, const Goal& goal) {
    LargestAllowed found;
    if (open.name == "batch_size") {
        found = largest_batch_size(open.release, open.phase, *open.dataset_size, 0.0, target,
                                   goal.relative_gap, goal);
    } else if (open.name == "sampling_probability") {
        found =
            largest_sampling_probability(open.release, open.phase, target, goal.relative_gap, goal);
    } else {
        found = largest_repetitions(open.release, open.phase, target, goal.relative_gap, goal);
    }
    Bracket bracket = found.risk;
    // A bracket of the parameter: what is allowed rests on the upper side of the risk.
    std::swap(bracket.lower.theorem, bracket.upper.theorem);
    bracket.lower.value = found.allowed;
    bracket.upper.value = found.upper;
    bracket.best_published = vacuous(Direction::upper, bracket.upper.theorem);
    bracket.note = found.note;
    return bracket;
}

std::int64_t group_of(const Json& question) {
    if (!question.contains("group")) return 1;
    return read_integer_option("group", text_of(question["group"], "group"), 1'000'000);
}

Bracket answer(const Json& question) {
    const std::string asked = text_member(question, "ask");
    const Goal goal = read_goal(question);
    const std::optional<Accountant> accountant = accountant_of(question);
    const std::int64_t group = group_of(question);
    static const Names common{"id",         "release",      "ask",       "group", "standing",
                              "accountant", "relative_gap", "tolerance", "effort"};
    const auto require_members = [&](Names own) {
        for (const auto& [name, value] : question.items())
            if (std::find(common.begin(), common.end(), name) == common.end() &&
                std::find(own.begin(), own.end(), name) == own.end())
                throw Refusal("unknown_parameter", name,
                              fmt::format("{} is no parameter of a question for {}", name, asked));
    };
    const auto release = [&] {
        return release_of(member(question, "release"), Open::nothing).release;
    };
    const auto delta_at = [&](double epsilon) {
        return accountant ? delta_by(*accountant, release(), epsilon, goal)
                          : delta_of_group(release(), epsilon, group, goal);
    };
    const auto rate = [&](const char* name) {
        return number_member(question, name, is_rate, fmt::format("0 <= {} <= 1", name));
    };
    const bool is_of_one_accountant =
        asked == "epsilon" || asked == "delta" || asked == "advantage";
    if (accountant && (!is_of_one_accountant || group > 1))
        throw Refusal("unsupported", "accountant",
                      "accountant goes with epsilon, delta and advantage of one record alone");
    if (asked == "epsilon") {
        require_members({"delta"});
        const double given = number_member(question, "delta", is_probability, "0 < delta < 1");
        return accountant ? epsilon_by(*accountant, release(), given, goal)
                          : epsilon_of_group(release(), given, group, goal);
    }
    if (asked == "delta") {
        require_members({"epsilon"});
        return delta_at(number_member(question, "epsilon", is_not_negative, "a number >= 0"));
    }
    if (asked == "advantage") {
        require_members({});
        return delta_at(0.0);
    }
    if (asked == "type_two_error") {
        require_members({"type_one_error"});
        const double level = rate("type_one_error");
        return trade_off_at(release(), level, goal, group).type_two_error(level);
    }
    if (asked == "true_positive_rate") {
        require_members({"false_positive_rate"});
        const double level = rate("false_positive_rate");
        return trade_off_at(release(), level, goal, group).true_positive_rate(level);
    }
    if (asked == "gaussian_mu") {
        require_members({"smallest_error"});
        const double smallest =
            question.contains("smallest_error") ? smallest_error_member(question) : 0.0;
        return smallest_mu(release(), goal, smallest, group);
    }
    if (asked == "noise_multiplier" || asked == "steps" || asked == "epochs" ||
        asked == "sampling_probability" || asked == "batch_size") {
        require_members({"delta", "epsilon", "false_positive_rate", "true_positive_rate", "mu",
                         "smallest_error", "advantage"});
        if (group > 1) throw Refusal("unsupported", "group", "group = 1 alone is searched for");
        const RiskTarget target = target_of(question);
        const Json& json = member(question, "release");
        if (asked == "noise_multiplier")
            return noise_bracket(release_of(json, Open::noise_multiplier).release, target, goal);
        const bool repeats = asked == "steps" || asked == "epochs";
        return largest_bracket(release_of(json, repeats ? Open::repetitions : Open::sampling),
                               target, goal);
    }
    throw DomainError("ask", asked,
                      "epsilon, delta, type_two_error, true_positive_rate, advantage, gaussian_mu, "
                      "noise_multiplier, steps, epochs, sampling_probability or batch_size");
}

/// The option's name in the spelling of JSON.
std::string underscored(std::string name) {
    std::ranges::replace_if(
        name, [](char c) { return c == '-' || c == ' '; }, '_');
    return name;
}

Json error_object(std::string_view kind, const std::string& parameter, const char* message) {
    return {{"kind", kind},
            {"parameter", parameter.empty() ? Json(nullptr) : Json(underscored(parameter))},
            {"message", one_line(message)}};
}

}  // namespace

Json answer_question(std::string_view line, bool& is_json) {
    Json reply = Json::object();
    Json question;
    try {
        question = parse_object(std::string(line));
    } catch (const JsonLineError& error) {
        is_json = false;
        if (!error.id().is_null()) reply["id"] = error.id();
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
        reply["error"] = error_object("unsupported", "adjacency", error.what());
    } catch (const InternalError&) {
        throw;
    } catch (const Error& error) {
        reply["error"] = error_object("malformed", "", error.what());
    }
    return reply;
}

int run_ask(std::istream& in, std::ostream& out, std::ostream& err, const AnswerLine& answer) {
    bool is_json = true;
    bool is_contradiction = false;
    answer_lines(in, "", out, err, [&](std::string_view line, int /*number*/) {
        try {
            return answer(line, is_json);
        } catch (const InternalError& error) {
            is_contradiction = true;
            Json reply = Json::object();
            const Json question = parse_object(std::string(line));
            if (question.contains("id")) reply["id"] = question["id"];
            reply["error"] = error_object("internal", "", error.what());
            return reply;
        }
    });
    return is_contradiction ? 3 : is_json ? 0 : 2;
}

}  // namespace assay::cli
