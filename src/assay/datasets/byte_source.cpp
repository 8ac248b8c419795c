#include "assay/datasets/byte_source.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "assay/numeric/errors.hpp"

namespace assay {

void ByteSource::Close::operator()(gzFile_s* file) const {
    gzclose_r(file);
}

ByteSource::ByteSource(const std::filesystem::path& path) : name_(path.string()) {
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (!std::filesystem::exists(status)) throw FileError(name_, 0, "there is no such file");
    if (std::filesystem::is_directory(status))
        throw FileError(name_, 0, "this is a folder, not a file");
    size_ = std::filesystem::file_size(path, error);
    if (error) size_ = 0;  // a pipe
    file_.reset(gzopen(name_.c_str(), "rb"));
    if (!file_) throw FileError(name_, 0, fmt::format("cannot be read: {}", std::strerror(errno)));
    gzbuffer(file_.get(), 1U << 18U);
    is_plain_ = gzdirect(file_.get()) != 0;
    if (is_plain_ && size_ > 0 && path.extension() == ".gz")
        throw FileError(name_, 0, "is named .gz but is not compressed by gzip");
}

std::size_t ByteSource::read(std::span<char> bytes) {
    std::size_t done = 0;
    while (done < bytes.size()) {
        const auto wanted = std::min<std::size_t>(bytes.size() - done, 1U << 24U);
        const int got = gzread(file_.get(), bytes.data() + done, static_cast<unsigned>(wanted));
        int code = Z_OK;
        const char* message = gzerror(file_.get(), &code);
        // From zlib 1.3.2 on it is said once, with the first bytes read of the last buffer.
        if (code == Z_BUF_ERROR) is_cut_short_ = true;
        if (got > 0) {
            done += static_cast<std::size_t>(got);
            continue;
        }
        if (is_cut_short_) throw FileError(name_, 0, "the compressed data are cut short");
        if (got < 0 || (code != Z_OK && code != Z_STREAM_END))
            throw FileError(name_, 0,
                            fmt::format("cannot be read: {}",
                                        code == Z_ERRNO ? std::strerror(errno) : message));
        break;
    }
    return done;
}

std::optional<std::uintmax_t> ByteSource::plain_size() const {
    return is_plain_ && size_ > 0 ? std::optional(size_) : std::nullopt;
}

double ByteSource::share() const {
    if (size_ == 0) return 0.0;
    const auto offset = static_cast<double>(gzoffset(file_.get()));
    return std::clamp(offset / static_cast<double>(size_), 0.0, 1.0);
}

}  // namespace assay
