#pragma once
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <string>
#include <string_view>

namespace assay {

/// Writes a whole file or nothing: a temporary name beside it, flushed, then renamed over it.
/// Creates missing folders, and removes the temporary files of processes that were killed.
///   Throws     FileError where a folder or the file cannot be written; an older file then stays
void write_file_atomically(const std::filesystem::path& path, std::string_view text);
/// The same of pieces, one behind the other.
void write_file_atomically(const std::filesystem::path& path,
                           std::initializer_list<std::string_view> pieces);

/// Creates the folder where it is missing, and tries to write there: better now than after the
/// work.
///   Throws     FileError
void require_writable_folder(const std::filesystem::path& folder);

/// A file at its beginning.
///   Throws     FileError with the reason where it is a folder or cannot be opened
[[nodiscard]] std::ifstream open_file(const std::filesystem::path& path);

/// The whole content of a file.
///   Memory     that of the content where the file tells its length
///   Throws     FileError where it cannot be read
[[nodiscard]] std::string read_file(const std::filesystem::path& path);

}  // namespace assay
