#pragma once
#include <CLI/CLI.hpp>
#include <string>

namespace assay::cli {

/// The help of a command that is called by `path`: its description, its usage, and lists of its
/// arguments, options and parts. CLI11 lays these out differently from version to version.
[[nodiscard]] std::string help_text(const CLI::App& command, const std::string& path);

}  // namespace assay::cli
