#include "assay/datasets/data_folder.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <boost/algorithm/string/join.hpp>
#include <cerrno>
#include <cstring>

#include "assay/numeric/errors.hpp"

namespace assay {

std::filesystem::path find_data_file(const std::filesystem::path& folder,
                                     const std::vector<std::string>& subfolders,
                                     const std::vector<std::string>& names) {
    std::error_code ignored;
    if (!std::filesystem::exists(folder, ignored))
        throw FileError(folder.string(), 0, "there is no such folder (--data-folder)");
    if (!std::filesystem::is_directory(folder, ignored))
        throw FileError(folder.string(), 0, "this is a file, not the folder of a data set");
    if (::access(folder.c_str(), R_OK | X_OK) != 0)
        throw FileError(folder.string(), 0,
                        fmt::format("cannot be read: {}", std::strerror(errno)));
    std::vector<std::filesystem::path> places{folder};
    for (const std::string& subfolder : subfolders) places.push_back(folder / subfolder);
    for (const auto& place : places)
        for (const std::string& name : names)
            for (const char* ending : {"", ".gz"}) {
                auto file = place / (name + ending);
                if (std::filesystem::is_regular_file(file, ignored)) return file;
            }
    throw MissingDataFile(
        folder.string(), 0,
        fmt::format("has no {}, plain or .gz", boost::algorithm::join(names, " or ")));
}

std::filesystem::path data_file(const std::filesystem::path& file_or_folder,
                                const std::vector<std::string>& subfolders,
                                const std::vector<std::string>& names) {
    std::error_code ignored;
    const auto status = std::filesystem::status(file_or_folder, ignored);
    if (std::filesystem::exists(status) && !std::filesystem::is_directory(status))
        return file_or_folder;
    return find_data_file(file_or_folder, subfolders, names);
}

}  // namespace assay
