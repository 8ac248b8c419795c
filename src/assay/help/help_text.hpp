#pragma once
#include <CLI/CLI.hpp>
#include <string>

namespace assay {

/// The help of a command that is called by `path`: its description, its usage, and lists of its
/// arguments, options and parts. CLI11 lays these out differently from version to version.
[[nodiscard]] std::string help_text(const CLI::App& command, const std::string& path);

/// Has a program, and the commands that are added to it from here on, print their help so.
void print_help_text(CLI::App& program);

}  // namespace assay
