#include "experiments/provenance.hpp"

#include <fstream>
#include <nlohmann/json.hpp>

#include "assay/files/build_info.hpp"

namespace assay {
namespace {

using Json = nlohmann::ordered_json;

Json columns_of(const Table& table) {
    Json list = Json::array();
    for (const Column& column : table.columns())
        list.push_back(
            {{"name", column.name},
             {"unit", column.unit},
             {"direction", column.direction ? Json(to_string(*column.direction)) : Json()},
             {"golden_tolerance", column.golden_tolerance}});
    return list;
}

Json series_of(const Table& table) {
    Json list = Json::array();
    for (const Series& series : table.series())
        list.push_back({{"name", series.name},
                        {"label", series.label},
                        {"direction", to_string(series.direction)},
                        {"theorem", series.theorem.citation},
                        {"standing", to_string(series.theorem.standing)}});
    return list;
}

Json build_of(const BuildInfo& info) {
    Json libraries = Json::object();
    for (const auto& [name, version] : info.libraries) libraries[name] = version;
    return {{"version", info.version},   {"commit", info.commit},         {"dirty", info.dirty},
            {"compiler", info.compiler}, {"build_type", info.build_type}, {"flags", info.flags},
            {"libraries", libraries}};
}

}  // namespace

std::string processor_make() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);)
        if (line.starts_with("vendor_id"))
            if (const auto colon = line.find(": "); colon != std::string::npos)
                return line.substr(colon + 2);
    return "unknown";
}

std::string provenance_to_json(const Provenance& provenance, const Table& table,
                               const std::vector<Claim>& claims) {
    const Json json = {{"stem", provenance.stem},
                       {"paper", provenance.paper},
                       {"title", provenance.title},
                       {"notes", provenance.notes},
                       {"parameters", Json::parse(provenance.parameters)},
                       {"seed", provenance.seed ? Json(*provenance.seed) : Json()},
                       {"columns", columns_of(table)},
                       {"series", series_of(table)},
                       {"claims", Json::parse(claims_to_json(claims))},
                       {"build", build_of(build_info())},
                       {"run",
                        {{"seconds", provenance.seconds},
                         {"threads", provenance.threads},
                         {"processor", processor_make()},
                         {"table_crc32", provenance.table_crc32}}}};
    return json.dump(2) + "\n";
}

}  // namespace assay
