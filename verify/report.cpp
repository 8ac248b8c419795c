#include "verify/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "assay/files/build_info.hpp"
#include "assay/files/json_number.hpp"
#include "verify/trial_json.hpp"

namespace assay::verify {

namespace {

double median_margin(const std::vector<Trial>& trials) {
    std::vector<double> margins;
    for (const Trial& trial : trials) margins.push_back(trial.margin);
    const auto middle = margins.begin() + static_cast<std::ptrdiff_t>(margins.size() / 2);
    std::nth_element(margins.begin(), middle, margins.end());
    return *middle;
}

template <class Field>
auto largest(const std::vector<Trial>& trials, Field field) {
    decltype(field(trials.front())) most{};
    for (const Trial& trial : trials) most = std::max(most, field(trial));
    return most;
}

Json samples_json(const RowResult& row) {
    Json names = Json::array();
    for (const Dimension& dimension : row.check->space.dimensions) names.push_back(dimension.name);
    Json values = Json::array();
    for (const Trial& trial : row.trials) {
        Json line = Json::array();
        for (const Dimension& dimension : row.check->space.dimensions)
            line.push_back(number_to_json<Json>(trial.point[dimension.name]));
        line.push_back(number_to_json<Json>(trial.margin));
        line.push_back(to_string(trial.verdict));
        values.push_back(std::move(line));
    }
    names.push_back("margin");
    names.push_back("verdict");
    return {{"columns", std::move(names)}, {"values", std::move(values)}};
}

Json row_json(const RowResult& row) {
    const Check& check = *row.check;
    Json json{{"id", check.id},
              {"kind", to_string(check.kind)},
              {"claim", check.claim},
              {"subject", check.subject},
              {"oracle", check.oracle},
              {"relation", to_string(check.relation)},
              {"verdict", row_verdict(row)},
              {"passes", row.passes()},
              {"points", row.trials.size()},
              {"hard_cases", row.hard_cases},
              {"violated", row.count(Verdict::violated)},
              {"undecided", row.count(Verdict::undecided)},
              {"seconds", row.seconds}};
    if (row.trials.empty()) return json;
    json["median_margin"] = number_to_json<Json>(median_margin(row.trials));
    json["widest"] =
        number_to_json<Json>(largest(row.trials, [](const Trial& t) { return t.width; }));
    json["most_bits"] = largest(row.trials, [](const Trial& t) { return t.bits; });
    json["closest"] = to_json(*row.closest());
    if (row.smallest) json["violation"] = to_json(*row.smallest);
    for (const Trial& trial : row.trials)
        if (trial.verdict == Verdict::undecided) {
            json["first_undecided"] = to_json(trial);
            break;
        }
    json["samples"] = samples_json(row);
    return json;
}

}  // namespace

std::string_view row_verdict(const RowResult& row) {
    if (row.trials.empty()) return row.complete ? "not run" : "incomplete";
    const bool violated = row.count(Verdict::violated) > 0;
    if (row.check->kind == Kind::control) return violated ? "refuted" : "survives";
    if (violated) return "violated";
    if (row.count(Verdict::undecided) > 0) return "undecided";
    return row.complete ? "holds" : "incomplete";
}

std::string report_json(const RunResult& result, const RunOptions& options) {
    Json rows = Json::array();
    for (const RowResult& row : result.rows) rows.push_back(row_json(row));
    const Json json{{"seed", options.seed},
                    {"tier", to_string(options.tier)},
                    {"program", version_line()},
                    {"threads", options.threads},
                    {"seconds", result.seconds},
                    {"points", result.points},
                    {"interrupted", result.interrupted},
                    {"verdict", result.passes() ? "green" : "red"},
                    {"rows", std::move(rows)}};
    return json.dump(1, ' ') + "\n";
}

std::string describe(const Check& check, const Trial& trial) {
    std::string text = fmt::format("  at        {}\n", trial.point.text());
    text += fmt::format("  subject   {}: [{}, {}]\n", check.subject, trial.subject.lower,
                        trial.subject.upper);
    if (!trial.truth_lower.empty())
        text += fmt::format("  oracle    {}, {} bits: [{}, {}]\n", check.oracle, trial.bits,
                            trial.truth_lower, trial.truth_upper);
    if (!trial.note.empty()) text += fmt::format("  note      {}\n", trial.note);
    return text;
}

std::string report_text(const RunResult& result) {
    std::string text;
    std::size_t failing = 0;
    std::size_t controls = 0;
    for (const RowResult& row : result.rows) {
        if (row.check->kind == Kind::control && row.passes() && !row.trials.empty()) ++controls;
        if (row.passes()) continue;
        ++failing;
        text += fmt::format("{}: {} ({} of {} points)\n  claim     {}\n", row.check->id,
                            row_verdict(row), row.trials.size() - row.count(Verdict::holds),
                            row.trials.size(), row.check->claim);
        if (row.smallest) {
            text += describe(*row.check, *row.smallest);
        } else {
            const auto at =
                std::find_if(row.trials.begin(), row.trials.end(),
                             [](const Trial& trial) { return trial.verdict != Verdict::holds; });
            if (at != row.trials.end()) text += describe(*row.check, *at);
        }
    }
    text += fmt::format("{} rows, {} points in {:.1f} s: {}; {} controls refuted{}\n",
                        result.rows.size(), result.points, result.seconds,
                        failing > 0          ? fmt::format("{} fail", failing)
                        : result.points == 0 ? std::string("no point was tried")
                                             : std::string("all hold"),
                        controls, result.interrupted ? "; interrupted" : "");
    return text;
}

}  // namespace assay::verify
