#include "assay/cli/output_file.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include "assay/numeric/errors.hpp"

namespace assay::cli {

namespace {

[[noreturn]] void refuse(const std::filesystem::path& file, const std::string& reason) {
    throw FileError(file.string(), 0, "cannot be written: " + reason);
}

}  // namespace

void require_output_file(const std::filesystem::path& file) {
    if (file.empty() || file == "-") refuse(file, "a file name is needed");
    const std::filesystem::file_status status = std::filesystem::symlink_status(file);
    if (std::filesystem::is_directory(status)) refuse(file, "it is a folder");
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
        refuse(file, "it is no regular file");
    const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
    if (::access(folder.c_str(), W_OK | X_OK) != 0) refuse(file, std::strerror(errno));
}

void require_output_files(std::initializer_list<std::optional<std::string>> files) {
    std::vector<std::filesystem::path> seen;
    for (const std::optional<std::string>& file : files) {
        if (!file) continue;
        require_output_file(*file);
        const std::filesystem::path path = std::filesystem::absolute(*file).lexically_normal();
        for (const std::filesystem::path& other : seen)
            if (other == path) refuse(*file, "two outputs, or the input, have this name");
        seen.push_back(path);
    }
}

}  // namespace assay::cli
