#include "assay/files/atomic_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <system_error>

#include "assay/numeric/errors.hpp"
#include "assay/numeric/number_text.hpp"

namespace assay {
namespace {

/// Writes and flushes to the disk; errno tells the reason of a false.
bool write_through(const std::filesystem::path& path,
                   std::initializer_list<std::string_view> pieces) {
    std::FILE* file = std::fopen(path.c_str(), "wb");
    if (file == nullptr) return false;
    const bool written = std::ranges::all_of(pieces,
                                             [&](std::string_view text) {
                                                 return std::fwrite(text.data(), 1, text.size(),
                                                                    file) == text.size();
                                             }) &&
                         std::fflush(file) == 0 && ::fsync(::fileno(file)) == 0;
    const int reason = errno;
    const bool closed = std::fclose(file) == 0;
    if (!written) errno = reason;
    return written && closed;
}

constexpr std::string_view infix = ".writing-";

/// Removes what a killed process left of this file.
void remove_left_behind(const std::filesystem::path& path) {
    std::error_code failure;
    const std::string prefix = path.filename().string() + std::string(infix);
    const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
    for (const auto& entry : std::filesystem::directory_iterator(folder, failure)) {
        const std::string name = entry.path().filename().string();
        if (!name.starts_with(prefix)) continue;
        const auto process = read_integer<::pid_t>(std::string_view(name).substr(prefix.size()));
        if (process && ::kill(*process, 0) != 0 && errno == ESRCH)
            std::filesystem::remove(entry.path(), failure);
    }
}

}  // namespace

void write_file_atomically(const std::filesystem::path& path, std::string_view text) {
    write_file_atomically(path, {text});
}

namespace {

void create_folder(const std::filesystem::path& folder) {
    std::error_code failure;
    std::filesystem::create_directories(folder, failure);
    if (failure)
        throw FileError(folder.string(), 0, "cannot create this folder: " + failure.message());
}

}  // namespace

void require_writable_folder(const std::filesystem::path& folder) {
    create_folder(folder);
    std::string trial = (folder / ".assay-XXXXXX").string();
    const int descriptor = ::mkstemp(trial.data());
    if (descriptor < 0)
        throw FileError(folder.string(), 0,
                        fmt::format("cannot be written: {}", std::strerror(errno)));
    ::close(descriptor);
    std::filesystem::remove(trial);
}

void write_file_atomically(const std::filesystem::path& path,
                           std::initializer_list<std::string_view> pieces) {
    std::error_code failure;
    if (path.has_parent_path()) create_folder(path.parent_path());
    std::filesystem::path temporary = path;
    temporary += std::string(infix) + std::to_string(::getpid());
    remove_left_behind(path);
    if (!write_through(temporary, pieces)) {
        const std::string reason = std::strerror(errno);
        std::filesystem::remove(temporary, failure);
        throw FileError(path.string(), 0, "cannot be written: " + reason);
    }
    std::filesystem::rename(temporary, path, failure);
    if (failure) {
        const std::string reason = failure.message();
        std::filesystem::remove(temporary, failure);
        throw FileError(path.string(), 0, "cannot be written: " + reason);
    }
}

std::ifstream open_file(const std::filesystem::path& path) {
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored))
        throw FileError(path.string(), 0, "cannot be read: it is a folder");
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    if (!file)
        throw FileError(path.string(), 0,
                        std::string("cannot be read: ") + std::strerror(errno != 0 ? errno : EIO));
    return file;
}

std::string read_file(const std::filesystem::path& path) {
    std::ifstream file = open_file(path);
    std::string content;
    std::error_code unknown;
    const auto length = std::filesystem::file_size(path, unknown);  // of a pipe there is none
    constexpr std::size_t chunk = std::size_t{1} << 16U;
    if (!unknown) content.reserve(static_cast<std::size_t>(length) + chunk);
    while (file) {
        const std::size_t before = content.size();
        content.resize(before + chunk);
        file.read(content.data() + before, static_cast<std::streamsize>(chunk));
        content.resize(before + static_cast<std::size_t>(file.gcount()));
    }
    if (file.bad())
        throw FileError(path.string(), 0, std::string("cannot be read: ") + std::strerror(EIO));
    return content;
}

}  // namespace assay
