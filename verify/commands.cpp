#include "verify/commands.hpp"

#include <fmt/format.h>

#include "assay/numeric/errors.hpp"
#include "assay/record/atomic_file.hpp"
#include "verify/case_file.hpp"
#include "verify/trial_json.hpp"

namespace assay::verify {

int remember(const std::filesystem::path& report, const std::filesystem::path& hard_cases,
             const std::string& reason) {
    std::vector<HardCase> cases;
    try {
        const Json json = Json::parse(read_file(report));
        for (const Json& row : json.at("rows"))
            if (row.at("kind") != "control" && row.contains("violation"))
                cases.push_back({row.at("id").get<std::string>(),
                                 trial_from_json(row.at("violation")).point, reason});
    } catch (const Json::exception& error) {
        throw FileError(report.string(), 0, fmt::format("is no report: {}", error.what()));
    }
    return append_hard_cases(hard_cases, cases);
}

}  // namespace assay::verify
