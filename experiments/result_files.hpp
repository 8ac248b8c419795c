#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/claims.hpp"
#include "experiments/figure.hpp"

namespace assay::experiments {

/// The two files of a result: <folder>/<stem>.csv and .json.
struct ResultFiles {
    std::filesystem::path csv;
    std::filesystem::path json;
};

[[nodiscard]] ResultFiles result_files(const std::filesystem::path& folder,
                                       const std::string& stem);

/// Both files of the result exist.
[[nodiscard]] bool has_result(const std::filesystem::path& folder, const std::string& stem);

/// What a result's JSON keeps of its CSV: the CRC-32 of the text, as eight hexadecimal digits.
[[nodiscard]] std::string table_checksum(std::string_view csv);

/// Both files exist, the JSON is whole, and the CSV is the one that it was written with.
[[nodiscard]] bool is_whole(const std::filesystem::path& folder, const std::string& stem);

/// The claims in a result's JSON.
///   Throws     FileError
[[nodiscard]] std::vector<Claim> claims_of_result(const std::filesystem::path& folder,
                                                  const std::string& stem);

/// Below a folder of results: those of the same figures from larger runs, at the papers' sample
/// sizes or, on stand-in data, with as many seeds as decide.
inline constexpr const char* larger_runs = "paper";

/// The claims of every one of these figures that has a result, in their order, as the text of a
/// claims.json. Where `folder` has one of a larger run as well, each claim says what was found
/// there in "larger_run".
[[nodiscard]] std::string collect_claims(const std::filesystem::path& folder,
                                         const std::vector<Figure>& figures);

/// The table "figure  seconds  verdicts" of every one of these figures that has a result.
[[nodiscard]] std::string summary_table(const std::filesystem::path& folder,
                                        const std::vector<Figure>& figures);

}  // namespace assay::experiments
