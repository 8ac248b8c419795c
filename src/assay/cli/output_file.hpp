#pragma once
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>

namespace assay::cli {

/// Refuses a path that a whole file cannot be written to, before any work: a folder, a device, a
/// pipe or a link, a folder that is missing or may not be written, an empty name, "-".
///   Throws     FileError
void require_output_file(const std::filesystem::path& file);

/// The same for each that is given; and two names of one file are refused, the input's included.
///   Throws     FileError
void require_output_files(std::initializer_list<std::optional<std::string>> files,
                          const std::optional<std::string>& input = std::nullopt);

}  // namespace assay::cli
