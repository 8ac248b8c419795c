#include "verify/case_file.hpp"

#include <algorithm>
#include <map>

#include "assay/files/atomic_file.hpp"
#include "assay/numeric/errors.hpp"

namespace assay::verify {

namespace {

constexpr std::string_view header = "check,point,reason";

/// The first two fields hold no comma; the reason is the rest of the line.
HardCase parse_line(const std::string& line, const std::string& file, int number) {
    const std::size_t first = line.find(',');
    const std::size_t second = first == line.npos ? line.npos : line.find(',', first + 1);
    if (second == line.npos) throw FileError(file, number, "expected check,point,reason");
    HardCase result{line.substr(0, first), {}, line.substr(second + 1)};
    try {
        result.point = Point::parse(std::string_view(line).substr(first + 1, second - first - 1));
    } catch (const Error& error) {
        throw FileError(file, number, error.what());
    }
    if (result.check.empty() || result.point.coordinates().empty() || result.reason.empty())
        throw FileError(file, number, "check, point and reason must not be empty");
    return result;
}

std::vector<HardCase> read_cases(const std::filesystem::path& path) {
    const std::string text = read_file(path);
    std::vector<HardCase> cases;
    int number = 0;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::string line = text.substr(begin, end - begin);
        begin = end + 1;
        ++number;
        if (number == 1) {
            if (line != header)
                throw FileError(path.string(), 1, "the header is not " + std::string(header));
        } else if (!line.empty()) {
            cases.push_back(parse_line(line, path.string(), number));
        }
    }
    return cases;
}

}  // namespace

std::vector<HardCase> read_hard_cases(const std::filesystem::path& folder) {
    if (!std::filesystem::is_directory(folder))
        throw FileError(folder.string(), 0, "is no folder of hard cases");
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        if (entry.path().extension() == ".csv") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    std::vector<HardCase> all;
    for (const auto& file : files)
        for (HardCase& one : read_cases(file)) all.push_back(std::move(one));
    return all;
}

int append_hard_cases(const std::filesystem::path& folder, const std::vector<HardCase>& cases) {
    std::map<std::string, std::vector<HardCase>> by_file;
    for (const HardCase& one : cases)
        by_file[one.check.substr(0, one.check.find('.')) + ".csv"].push_back(one);
    int added = 0;
    for (const auto& [name, group] : by_file) {
        const auto path = folder / name;
        const bool exists = std::filesystem::exists(path);
        std::vector<HardCase> known = exists ? read_cases(path) : std::vector<HardCase>{};
        std::string text = exists ? read_file(path) : std::string(header) + "\n";
        if (!text.ends_with('\n')) text += '\n';
        for (const HardCase& one : group) {
            const bool seen = std::any_of(known.begin(), known.end(), [&](const HardCase& other) {
                return other.check == one.check && other.point == one.point;
            });
            if (seen) continue;
            std::string reason = one.reason;
            std::replace(reason.begin(), reason.end(), '\n', ' ');
            text += one.check + "," + one.point.text() + "," + reason + "\n";
            known.push_back(one);
            ++added;
        }
        write_file_atomically(path, text);
    }
    return added;
}

}  // namespace assay::verify
