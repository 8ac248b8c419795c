#include "experiments/golden.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "assay/files/atomic_file.hpp"
#include "assay/files/build_info.hpp"
#include "assay/numeric/errors.hpp"
#include "experiments/provenance.hpp"
#include "experiments/result_files.hpp"

namespace assay::experiments {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr double claim_tolerance = 1e-6;
constexpr std::size_t lines_per_file = 8;

bool agree(double a, double b, double tolerance) {
    if (a == b) return true;
    return std::isfinite(a) && std::isfinite(b) &&
           std::abs(a - b) <= tolerance * std::max(std::abs(a), std::abs(b));
}

json read_json(const fs::path& path) {
    const std::string text = read_file(path);
    try {
        return json::parse(text);
    } catch (const json::exception& error) {
        throw FileError(path.string(), 0, std::string("is no JSON: ") + error.what());
    }
}

std::map<std::string, double> tolerances(const json& record, const fs::path& path) {
    try {
        std::map<std::string, double> found;
        for (const json& column : record.at("columns"))
            found[column.at("name")] = column.at("golden_tolerance");
        return found;
    } catch (const json::exception& error) {
        throw FileError(path.string(), 0, std::string("describes no columns: ") + error.what());
    }
}

/// Whether a result was simulated elsewhere: on another make of processor, by another compiler or
/// with another Eigen or C library, sums and functions are rounded otherwise, and runs take another
/// course.
bool is_simulated_elsewhere(const json& record, const std::string& csv) {
    if (csv.find(",statistical\n") == std::string::npos) return false;
    const auto differs = [](const json& members, const std::string& name, const std::string& here) {
        return members.is_object() && members.contains(name) && members.at(name) != json(here);
    };
    const auto member = [](const json& of, const char* name) {
        return of.contains(name) ? of.at(name) : json::object();
    };
    const json build = member(record, "build");
    for (const auto& [name, version] : build_info().libraries)
        if ((name == "eigen" || name == "libc") &&
            differs(member(build, "libraries"), name, version))
            return true;
    return differs(build, "compiler", build_info().compiler) ||
           differs(member(record, "run"), "processor", processor_make());
}

/// Simulated numbers are compared unless they were made elsewhere.
std::vector<std::string> compare_csv(const fs::path& latest, const fs::path& reference,
                                     const std::map<std::string, double>& tolerance,
                                     bool compares_simulated) {
    const CsvContent now = csv_from_text(read_file(latest), latest.string());
    const CsvContent then = csv_from_text(read_file(reference), reference.string());
    if (now.column_names != then.column_names)
        return {fmt::format("{}: columns are {}, not {}", latest.string(),
                            fmt::join(now.column_names, ","), fmt::join(then.column_names, ","))};
    if (now.rows.size() != then.rows.size())
        return {fmt::format("{}: has {} rows, not {}", latest.string(), now.rows.size(),
                            then.rows.size())};
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < now.rows.size(); ++i) {
        const std::string where = fmt::format("{}:{}", latest.string(), i + 2);
        const Table::Row& a = now.rows[i];
        const Table::Row& b = then.rows[i];
        if (a.series != b.series || a.status != b.status)
            lines.push_back(fmt::format("{}: is {} ({}), not {} ({})", where, a.series, a.status,
                                        b.series, b.status));
        for (std::size_t j = 0; j < a.values.size(); ++j) {
            const std::string& column = now.column_names[j];
            const auto allowed = tolerance.find(column);
            const double bound = allowed == tolerance.end() ? 0.0 : allowed->second;
            if (agree(a.values[j], b.values[j], bound)) continue;
            if (!compares_simulated && a.status == "statistical" && bound > 0.0) continue;
            lines.push_back(fmt::format(
                "{}: {} of {} is {:.17g}, not {:.17g} (tolerance {:g}, difference {:.3g})", where,
                column, a.series, a.values[j], b.values[j], bound,
                std::abs(a.values[j] - b.values[j]) /
                    std::max(std::abs(a.values[j]), std::abs(b.values[j]))));
        }
    }
    return lines;
}

bool is_measured(const json& found) {
    return found.is_string() && found.get<std::string>().starts_with(measured);
}

/// Takes what the golden claim found, and its details, where the new one agrees with it, or both
/// were measured, or rest on simulations that are not compared.
void settle_claims(json& now, const json& then, bool compares_found) {
    if (!now.contains("claims") || !then.contains("claims")) return;
    json& list = now["claims"];
    const json& golden = then["claims"];
    if (!list.is_array() || !golden.is_array() || list.size() != golden.size()) return;
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (!list[i].contains("found") || !golden[i].contains("found")) continue;
        const json& a = list[i]["found"];
        const json& b = golden[i]["found"];
        const bool agrees = a.is_number() && b.is_number() &&
                            agree(a.get<double>(), b.get<double>(), claim_tolerance);
        if (agrees) list[i]["found"] = b;
        if ((is_measured(a) && is_measured(b)) || !compares_found)
            for (const char* key : {"found", "details", "would_decide"}) {
                list[i].erase(key);
                if (golden[i].contains(key)) list[i][key] = golden[i][key];
            }
    }
}

std::vector<std::string> compare_json(json now, json then, const fs::path& latest,
                                      bool compares_found) {
    for (json* record : {&now, &then}) {
        record->erase("build");
        record->erase("run");
    }
    settle_claims(now, then, compares_found);
    std::vector<std::string> lines;
    for (const json& change : json::diff(then, now)) {
        const std::string operation = change.at("op");
        const std::string at = change.at("path");
        if (operation == "add")
            lines.push_back(fmt::format("{}: {} is new", latest.string(), at));
        else if (operation == "remove")
            lines.push_back(fmt::format("{}: {} is gone", latest.string(), at));
        else
            lines.push_back(fmt::format("{}: {} is {}, not {}", latest.string(), at,
                                        change.at("value").dump(),
                                        then.at(json::json_pointer(at)).dump()));
    }
    return lines;
}

/// Adds at most `lines_per_file` of these to a list, and says how many more there are.
void append_short(std::vector<std::string>& list, const std::vector<std::string>& lines) {
    const std::size_t shown = std::min(lines.size(), lines_per_file);
    list.insert(list.end(), lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(shown));
    if (lines.size() > shown)
        list.push_back(fmt::format("    and {} more in this file", lines.size() - shown));
}

std::vector<Figure> of_paper(const std::vector<Figure>& figures, const std::string& paper) {
    std::vector<Figure> chosen;
    std::ranges::copy_if(figures, std::back_inserter(chosen),
                         [&](const Figure& figure) { return figure.paper == paper; });
    return chosen;
}

/// Results in the reference that no figure stands for any more.
std::vector<std::string> orphans(const std::vector<Figure>& figures, const fs::path& reference) {
    std::vector<std::string> lines;
    if (!fs::is_directory(reference)) return lines;
    for (const auto& entry : fs::recursive_directory_iterator(reference)) {
        if (!entry.is_regular_file() || entry.path().filename() == "claims.json") continue;
        // What the verification writes (errata, certified tables, vectors) is none of the figures'.
        fs::path inside = fs::relative(entry.path(), reference);
        if (*inside.begin() == larger_runs)
            inside = fs::relative(entry.path(), reference / larger_runs);
        const auto is_paper = [&](const Figure& figure) { return *inside.begin() == figure.paper; };
        if (!inside.has_parent_path() || std::ranges::none_of(figures, is_paper)) continue;
        const std::string stem = fs::path(inside).replace_extension().generic_string();
        if (std::ranges::find(figures, stem, &Figure::stem) == figures.end())
            lines.push_back(fmt::format("{}: no figure has this stem", entry.path().string()));
    }
    std::ranges::sort(lines);
    return lines;
}

}  // namespace

std::vector<std::string> compare_with_golden(const std::vector<Figure>& figures,
                                             const fs::path& latest, const fs::path& reference) {
    std::vector<std::string> differences;
    std::vector<std::string> papers;
    for (const Figure& figure : figures) {
        const ResultFiles now = result_files(latest, figure.stem);
        const ResultFiles then = result_files(reference, figure.stem);
        if (!has_result(reference, figure.stem)) {
            differences.push_back(fmt::format("{}: has no golden result", figure.stem));
            continue;
        }
        if (!has_result(latest, figure.stem)) {
            differences.push_back(fmt::format("{}: has not been run", figure.stem));
            continue;
        }
        const json record = read_json(then.json);
        const bool compares = !is_simulated_elsewhere(record, read_file(then.csv));
        append_short(differences,
                     compare_csv(now.csv, then.csv, tolerances(record, then.json), compares));
        append_short(differences, compare_json(read_json(now.json), record, now.json, compares));
        if (std::ranges::find(papers, figure.paper) == papers.end()) papers.push_back(figure.paper);
        if (has_result(reference / larger_runs, figure.stem) &&
            !is_whole(reference / larger_runs, figure.stem))
            differences.push_back(
                fmt::format("{}: the result of the larger run is damaged", figure.stem));
    }
    for (const std::string& paper : papers) {
        const fs::path claims = reference / paper / "claims.json";
        if (!fs::exists(claims) ||
            read_file(claims) != collect_claims(reference, of_paper(figures, paper)))
            differences.push_back(
                fmt::format("{}: is not what the golden results say", claims.string()));
    }
    append_short(differences, orphans(figures, reference));
    return differences;
}

void accept_golden(const std::vector<Figure>& figures, const Figure& figure, const fs::path& latest,
                   const fs::path& reference, bool is_larger_run) {
    const ResultFiles now = result_files(latest, figure.stem);
    const ResultFiles then =
        result_files(is_larger_run ? reference / larger_runs : reference, figure.stem);
    const std::string csv = read_file(now.csv);
    const std::string record = read_file(now.json);
    write_file_atomically(then.csv, csv);
    write_file_atomically(then.json, record);
    write_file_atomically(reference / figure.paper / "claims.json",
                          collect_claims(reference, of_paper(figures, figure.paper)));
}

std::size_t count_simulated_elsewhere(const std::vector<Figure>& figures,
                                      const fs::path& reference) {
    return static_cast<std::size_t>(std::ranges::count_if(figures, [&](const Figure& figure) {
        const ResultFiles then = result_files(reference, figure.stem);
        return has_result(reference, figure.stem) &&
               is_simulated_elsewhere(read_json(then.json), read_file(then.csv));
    }));
}

}  // namespace assay::experiments
