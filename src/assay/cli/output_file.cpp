#include "assay/cli/output_file.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>
#include <vector>

#include "assay/numeric/errors.hpp"

namespace assay::cli {

namespace {

[[noreturn]] void refuse(const std::filesystem::path& file, const std::string& reason) {
    throw FileError(file.string(), 0, "cannot be written: " + reason);
}

/// Two names of one file, whether it is there yet or not.
bool is_same_file(const std::filesystem::path& a, const std::filesystem::path& b) {
    const auto canonical = [](const std::filesystem::path& path) {
        return std::filesystem::weakly_canonical(std::filesystem::absolute(path));
    };
    std::error_code missing;
    return canonical(a) == canonical(b) || std::filesystem::equivalent(a, b, missing);
}

}  // namespace

void require_output_file(const std::filesystem::path& file) {
    if (file.empty() || file == "-") refuse(file, "a file name is needed");
    std::error_code failure;
    const std::filesystem::file_status status = std::filesystem::symlink_status(file, failure);
    if (failure && status.type() != std::filesystem::file_type::not_found)
        refuse(file, failure.message());
    if (std::filesystem::is_directory(status)) refuse(file, "it is a folder");
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
        refuse(file, "it is no regular file");
    const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
    if (::access(folder.c_str(), W_OK | X_OK) != 0) refuse(file, std::strerror(errno));
    // Some folders take no files whatever their permissions say.
    std::string trial = file.string() + ".XXXXXX";
    const int descriptor = ::mkstemp(trial.data());
    if (descriptor < 0) refuse(file, std::strerror(errno));
    ::close(descriptor);
    ::unlink(trial.c_str());
}

void require_output_files(std::initializer_list<std::optional<std::string>> files,
                          const std::optional<std::string>& input) {
    std::vector<std::filesystem::path> seen;
    if (input) seen.emplace_back(*input);
    for (const std::optional<std::string>& file : files) {
        if (!file) continue;
        require_output_file(*file);
        for (const std::filesystem::path& other : seen)
            if (is_same_file(other, *file))
                refuse(*file, "two outputs, or the input, have this name");
        seen.emplace_back(*file);
    }
}

}  // namespace assay::cli
