#include "verify/trial_json.hpp"

#include <cmath>

#include "assay/numeric/errors.hpp"

namespace assay::verify {

Json number_json(double value) {
    if (std::isinf(value)) return value > 0.0 ? "inf" : "-inf";
    return value;
}

double number_of(const Json& json) {
    if (json.is_string()) {
        const auto& text = json.get_ref<const std::string&>();
        if (text == "inf") return std::numeric_limits<double>::infinity();
        if (text == "-inf") return -std::numeric_limits<double>::infinity();
        throw Error("'" + text + "' is no number");
    }
    return json.get<double>();
}

Json to_json(const Trial& trial) {
    Json point = Json::object();
    for (const auto& [name, value] : trial.point.coordinates()) point[name] = number_json(value);
    Json json{{"point", std::move(point)},
              {"verdict", to_string(trial.verdict)},
              {"margin", number_json(trial.margin)},
              {"width", number_json(trial.width)},
              {"bits", trial.bits},
              {"subject", {number_json(trial.subject.lower), number_json(trial.subject.upper)}},
              {"truth", {trial.truth_lower, trial.truth_upper}}};
    if (!trial.note.empty()) json["note"] = trial.note;
    return json;
}

Trial trial_from_json(const Json& json) {
    Trial trial;
    for (const auto& [name, value] : json.at("point").items())
        trial.point.set(name, number_of(value));
    const auto verdict = json.at("verdict").get<std::string>();
    trial.verdict = verdict == "holds"      ? Verdict::holds
                    : verdict == "violated" ? Verdict::violated
                                            : Verdict::undecided;
    trial.margin = number_of(json.at("margin"));
    trial.width = number_of(json.at("width"));
    trial.bits = json.at("bits").get<long>();
    trial.subject = {number_of(json.at("subject").at(0)), number_of(json.at("subject").at(1))};
    trial.truth_lower = json.at("truth").at(0).get<std::string>();
    trial.truth_upper = json.at("truth").at(1).get<std::string>();
    trial.note = json.value("note", "");
    return trial;
}

}  // namespace assay::verify
