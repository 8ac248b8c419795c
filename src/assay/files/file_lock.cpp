#include "assay/files/file_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string>

#include "assay/numeric/errors.hpp"

namespace assay {

namespace {

/// Whether the name still leads to the file that is open: its last owner removes it.
bool is_current(const std::filesystem::path& path, int descriptor) {
    struct stat open {};
    struct stat named {};
    return ::fstat(descriptor, &open) == 0 && ::stat(path.c_str(), &named) == 0 &&
           open.st_ino == named.st_ino && open.st_dev == named.st_dev;
}

/// Whether a file has nothing but the number of a process.
bool is_lock(int descriptor) {
    std::array<char, 32> text{};
    const auto length = ::pread(descriptor, text.data(), text.size(), 0);
    return length >= 0 && static_cast<std::size_t>(length) < text.size() &&
           std::all_of(text.data(), text.data() + length,
                       [](char c) { return c >= '0' && c <= '9'; });
}

std::string owner(int descriptor) {
    std::array<char, 32> text{};
    const auto length = ::pread(descriptor, text.data(), text.size() - 1, 0);
    return length > 0
               ? " (process " + std::string(text.data(), static_cast<std::size_t>(length)) + ")"
               : std::string();
}

}  // namespace

FileLock::FileLock(const std::filesystem::path& file) : lock_(file) {
    lock_ += ".assay-lock";
    while (true) {
        descriptor_ = ::open(lock_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
        if (descriptor_ < 0)
            throw FileError(lock_.string(), 0,
                            fmt::format("cannot be written: {}", std::strerror(errno)));
        if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
            const int reason = errno;
            const std::string who = owner(descriptor_);
            ::close(descriptor_);
            throw FileError(
                file.string(), 0,
                reason == EWOULDBLOCK
                    ? fmt::format("another run uses it{}: try again when it has ended", who)
                    : fmt::format("cannot be locked: {}", std::strerror(reason)));
        }
        if (is_current(lock_, descriptor_)) break;
        ::close(descriptor_);
    }
    if (!is_lock(descriptor_)) {
        ::close(descriptor_);
        throw FileError(lock_.string(), 0, "is no lock of this program: it is left alone");
    }
    const std::string own = std::to_string(::getpid());
    // The number is for a message alone: the lock holds without it.
    if (::ftruncate(descriptor_, 0) == 0) (void)!::pwrite(descriptor_, own.data(), own.size(), 0);
}

FileLock::~FileLock() {
    ::unlink(lock_.c_str());
    ::close(descriptor_);
}

}  // namespace assay
