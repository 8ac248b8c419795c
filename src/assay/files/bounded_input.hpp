#pragma once
#include <cstddef>
#include <filesystem>
#include <istream>
#include <string>

namespace assay {

// What is read from outside has a largest size, so that an endless or damaged input ends with an
// error instead of the memory. These are the sizes; the errors name them.
inline constexpr std::size_t largest_json_line = std::size_t{1} << 20U;      // 1 MiB
inline constexpr std::size_t largest_response_line = std::size_t{1} << 24U;  // 16 MiB
inline constexpr std::size_t largest_schedule = std::size_t{1} << 20U;       // 1 MiB
inline constexpr std::size_t largest_matrix = std::size_t{1} << 28U;         // 256 MiB
inline constexpr std::size_t longest_line = std::size_t{1} << 30U;           // 1 GiB

/// The next line without its end, as std::getline; false where there is none. Of a line longer than
/// `most` bytes, the first most + 1; the rest is skipped, and the caller can refuse the line and
/// read the next.
///   Memory     at most most + 1 bytes
///   Throws     Error where a line is longer than 1 GiB
bool read_line(std::istream& in, std::string& line, std::size_t most);

/// The message for such a line: "the line has more than 1 MiB, the most that is read".
[[nodiscard]] std::string too_long(std::size_t most);

/// The whole content of a file.
///   Memory     at most `most` bytes and a buffer
///   Throws     FileError where it cannot be read or is longer
[[nodiscard]] std::string read_file_of_at_most(const std::filesystem::path& path, std::size_t most);

}  // namespace assay
