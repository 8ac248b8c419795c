#include "experiments/result_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/crc.hpp>
#include <nlohmann/json.hpp>

#include "assay/files/atomic_file.hpp"
#include "assay/numeric/errors.hpp"

namespace assay::experiments {
namespace {

using Json = nlohmann::ordered_json;

Json read_json(const std::filesystem::path& path) {
    const std::string text = read_file(path);
    try {
        return Json::parse(text);
    } catch (const Json::exception& error) {
        throw FileError(path.string(), 0, std::string("is no JSON: ") + error.what());
    }
}

/// The member `key`, or a FileError that names the file.
Json member(const Json& json, const char* key, const std::filesystem::path& path) {
    if (!json.is_object() || !json.contains(key))
        throw FileError(path.string(), 0, fmt::format("has no \"{}\"", key));
    return json.at(key);
}

}  // namespace

ResultFiles result_files(const std::filesystem::path& folder, const std::string& stem) {
    return {folder / (stem + ".csv"), folder / (stem + ".json")};
}

bool has_result(const std::filesystem::path& folder, const std::string& stem) {
    const ResultFiles files = result_files(folder, stem);
    return std::filesystem::exists(files.csv) && std::filesystem::exists(files.json);
}

std::string table_checksum(std::string_view csv) {
    boost::crc_32_type crc;
    crc.process_bytes(csv.data(), csv.size());
    return fmt::format("{:08x}", crc.checksum());
}

bool is_whole(const std::filesystem::path& folder, const std::string& stem) {
    if (!has_result(folder, stem)) return false;
    const ResultFiles files = result_files(folder, stem);
    const Json record = Json::parse(read_file(files.json), nullptr, false);
    const Json::json_pointer kept("/run/table_crc32");
    return record.contains(kept) && record.at(kept) == table_checksum(read_file(files.csv));
}

std::vector<Claim> claims_of_result(const std::filesystem::path& folder, const std::string& stem) {
    const std::filesystem::path path = result_files(folder, stem).json;
    return claims_from_json(member(read_json(path), "claims", path).dump(), path.string());
}

std::string collect_claims(const std::filesystem::path& folder,
                           const std::vector<Figure>& figures) {
    std::vector<Claim> collected;
    std::vector<Claim> of_larger_runs;
    const auto collect = [&](const std::filesystem::path& from, std::vector<Claim>& into) {
        for (const Figure& figure : figures)
            if (has_result(from, figure.stem))
                std::ranges::move(claims_of_result(from, figure.stem), std::back_inserter(into));
    };
    collect(folder, collected);
    collect(folder / larger_runs, of_larger_runs);
    Json list = Json::parse(claims_to_json(collected));
    const Json larger = Json::parse(claims_to_json(of_larger_runs));
    for (Json& claim : list)
        for (const Json& other : larger)
            if (other["id"] == claim["id"])
                claim["larger_run"] = {{"found", other["found"]}, {"verdict", other["verdict"]}};
    return list.dump(2) + "\n";
}

std::string summary_table(const std::filesystem::path& folder, const std::vector<Figure>& figures) {
    std::size_t width = std::string_view("figure").size();
    for (const Figure& figure : figures) width = std::max(width, figure.stem.size());
    std::string table = fmt::format("{:<{}}  {:>8}  {}\n", "figure", width, "seconds", "verdict");
    for (const Figure& figure : figures) {
        if (!has_result(folder, figure.stem)) continue;
        const std::filesystem::path path = result_files(folder, figure.stem).json;
        const Json seconds = member(member(read_json(path), "run", path), "seconds", path);
        if (!seconds.is_number()) throw FileError(path.string(), 0, "run.seconds is no number");
        table += fmt::format("{:<{}}  {:>8.2f}  {}\n", figure.stem, width, seconds.get<double>(),
                             count_verdicts(claims_of_result(folder, figure.stem)));
    }
    return table;
}

}  // namespace assay::experiments
