#include "assay/files/atomic_file.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <sstream>
#include <system_error>

#include "assay/numeric/errors.hpp"

namespace assay {
namespace {

/// Writes and flushes to the disk; errno tells the reason of a false.
bool write_through(const std::filesystem::path& path, std::string_view text) {
    std::FILE* file = std::fopen(path.c_str(), "wb");
    if (file == nullptr) return false;
    const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size() &&
                         std::fflush(file) == 0 && ::fsync(::fileno(file)) == 0;
    const int reason = errno;
    const bool closed = std::fclose(file) == 0;
    if (!written) errno = reason;
    return written && closed;
}

}  // namespace

void write_file_atomically(const std::filesystem::path& path, std::string_view text) {
    std::error_code failure;
    if (path.has_parent_path()) {
        std::filesystem::create_directories(path.parent_path(), failure);
        if (failure)
            throw FileError(path.parent_path().string(), 0,
                            "cannot create this folder: " + failure.message());
    }
    std::filesystem::path temporary = path;
    temporary += ".writing-" + std::to_string(::getpid());
    if (!write_through(temporary, text)) {
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
    std::ostringstream content;
    content << file.rdbuf();
    if (file.bad())
        throw FileError(path.string(), 0, std::string("cannot be read: ") + std::strerror(EIO));
    return content.str();
}

}  // namespace assay
