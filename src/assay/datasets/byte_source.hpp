#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>

struct gzFile_s;  // of zlib

namespace assay {

/// The bytes of a file, gz or plain, in order. Which of the two it is, its first bytes decide.
///   Cost       a buffer of 256 KiB, whatever the size of the file
class ByteSource {
public:
    /// Throws FileError: no such file, a folder, not readable, named .gz without being gzip.
    explicit ByteSource(const std::filesystem::path& path);

    /// Fills as much of `bytes` as the file still has; fewer at its end, 0 after it.
    ///   Throws     FileError where the compressed data are damaged or cut short
    [[nodiscard]] std::size_t read(std::span<char> bytes);

    /// How much of the file as it lies on disk has been read, in [0, 1].
    [[nodiscard]] double share() const;

    /// Of all its bytes, where the file is not compressed and no pipe.
    [[nodiscard]] std::optional<std::uintmax_t> plain_size() const;
    [[nodiscard]] const std::string& name() const { return name_; }

private:
    struct Close {
        void operator()(gzFile_s* file) const;
    };

    std::string name_;
    std::uintmax_t size_ = 0;
    bool is_plain_ = false;
    bool is_cut_short_ = false;
    std::unique_ptr<gzFile_s, Close> file_;
};

}  // namespace assay
