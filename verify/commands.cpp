#include "verify/commands.hpp"

#include <fmt/format.h>

#include <limits>

#include "assay/files/bounded_input.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/numeric/number_text.hpp"
#include "verify/case_file.hpp"
#include "verify/trial_json.hpp"

namespace assay::verify {

namespace {

constexpr std::size_t largest_report = std::size_t{1} << 28U;

}  // namespace

int remember(const std::filesystem::path& report, const std::filesystem::path& hard_cases,
             const std::string& reason) {
    std::vector<HardCase> cases;
    try {
        const Json json = Json::parse(read_file_of_at_most(report, largest_report));
        for (const Json& row : json.at("rows"))
            if (row.at("kind") != "control" && row.contains("violation"))
                cases.push_back({row.at("id").get<std::string>(),
                                 trial_from_json(row.at("violation")).point, reason});
    } catch (const Json::exception& error) {
        throw FileError(report.string(), 0, fmt::format("is no report: {}", error.what()));
    }
    return append_hard_cases(hard_cases, cases);
}

std::string closest_lines(const std::filesystem::path& report, const std::string& words) {
    std::string lines;
    try {
        const Json json = Json::parse(read_file_of_at_most(report, largest_report));
        for (const Json& row : json.at("rows")) {
            const auto id = row.at("id").get<std::string>();
            if (!row.contains("closest") || id.find(words) == std::string::npos) continue;
            const Trial trial = trial_from_json(row.at("closest"));
            const bool is_number = trial.subject.lower == trial.subject.upper;
            const std::string answer =
                is_number
                    ? fmt::format("{:.6g}", trial.subject.upper)
                    : fmt::format("[{:.17g}, {:.17g}]", trial.subject.lower, trial.subject.upper);
            constexpr double none = std::numeric_limits<double>::quiet_NaN();
            const double low = read_decimal(trial.truth_lower).value_or(none);
            const double high = read_decimal(trial.truth_upper).value_or(none);
            const std::string truth = low == high ? fmt::format("{:.6g}", low)
                                                  : fmt::format("[{:.17g}, {:.17g}]", low, high);
            lines += fmt::format("{:<56} {}, {} {}, {} points\n", id, answer,
                                 row.at("relation").get<std::string>(), truth,
                                 row.at("points").get<std::size_t>());
        }
    } catch (const Json::exception& error) {
        throw FileError(report.string(), 0, fmt::format("is no report: {}", error.what()));
    }
    return lines;
}

}  // namespace assay::verify
