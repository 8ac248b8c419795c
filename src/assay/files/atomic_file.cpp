#include "assay/files/atomic_file.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <system_error>

#include "assay/numeric/errors.hpp"

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

}  // namespace

void write_file_atomically(const std::filesystem::path& path, std::string_view text) {
    write_file_atomically(path, {text});
}

void write_file_atomically(const std::filesystem::path& path,
                           std::initializer_list<std::string_view> pieces) {
    std::error_code failure;
    if (path.has_parent_path()) {
        std::filesystem::create_directories(path.parent_path(), failure);
        if (failure)
            throw FileError(path.parent_path().string(), 0,
                            "cannot create this folder: " + failure.message());
    }
    std::filesystem::path temporary = path;
    temporary += ".writing-" + std::to_string(::getpid());
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
