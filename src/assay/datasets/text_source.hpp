#pragma once
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include "assay/datasets/byte_source.hpp"

namespace assay {

/// The lines of a text file, gz or plain, one at a time.
///   Domain     lines of at most 1 MiB, ended by LF or CR LF; the last one need not be ended
///   Cost       a buffer of 1 MiB
class TextSource {
public:
    /// Throws what ByteSource throws.
    explicit TextSource(const std::filesystem::path& path);

    /// The next line without its end, valid until the next call; false after the last one.
    ///   Throws     FileError (file, line) for a line that is too long or data that are damaged
    [[nodiscard]] bool next(std::string_view& line);

    /// The number of the line read last, from 1.
    [[nodiscard]] std::int64_t line() const { return line_; }
    [[nodiscard]] const ByteSource& bytes() const { return bytes_; }

private:
    void refill();

    ByteSource bytes_;
    std::vector<char> buffer_;
    std::size_t begin_ = 0;  // of what is not yet handed out
    std::size_t end_ = 0;
    bool at_end_ = false;  // the file has nothing more
    std::int64_t line_ = 0;
};

/// Cuts a line at every `separator` and returns how many fields it has; those for which `fields`
/// has no room are counted only.
[[nodiscard]] std::size_t split_fields(std::string_view line, char separator,
                                       std::span<std::string_view> fields);

}  // namespace assay
