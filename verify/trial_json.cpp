#include "verify/trial_json.hpp"

#include "assay/files/json_number.hpp"

namespace assay::verify {

Json to_json(const Trial& trial) {
    Json point = Json::object();
    for (const auto& [name, value] : trial.point.coordinates())
        point[name] = number_to_json<Json>(value);
    Json json{
        {"point", std::move(point)},
        {"verdict", to_string(trial.verdict)},
        {"margin", number_to_json<Json>(trial.margin)},
        {"width", number_to_json<Json>(trial.width)},
        {"bits", trial.bits},
        {"subject",
         {number_to_json<Json>(trial.subject.lower), number_to_json<Json>(trial.subject.upper)}},
        {"truth", {trial.truth_lower, trial.truth_upper}}};
    if (!trial.note.empty()) json["note"] = trial.note;
    return json;
}

Trial trial_from_json(const Json& json) {
    Trial trial;
    for (const auto& [name, value] : json.at("point").items())
        trial.point.set(name, number_from_json(value));
    const auto verdict = json.at("verdict").get<std::string>();
    trial.verdict = verdict == "holds"      ? Verdict::holds
                    : verdict == "violated" ? Verdict::violated
                                            : Verdict::undecided;
    trial.margin = number_from_json(json.at("margin"));
    trial.width = number_from_json(json.at("width"));
    trial.bits = json.at("bits").get<long>();
    trial.subject = {number_from_json(json.at("subject").at(0)),
                     number_from_json(json.at("subject").at(1))};
    trial.truth_lower = json.at("truth").at(0).get<std::string>();
    trial.truth_upper = json.at("truth").at(1).get<std::string>();
    trial.note = json.value("note", "");
    return trial;
}

}  // namespace assay::verify
