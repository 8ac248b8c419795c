#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "assay/cli/phase_input.hpp"

namespace assay::cli {

/// A schedule file: TOML with one table [[phase]] per phase, its keys named like the options.
///   Throws     FileError (file, line)
[[nodiscard]] std::vector<PhaseInput> read_schedule(const std::filesystem::path& file);

/// The same from a text; `name` stands for the file in messages.
[[nodiscard]] std::vector<PhaseInput> parse_schedule(std::string_view text,
                                                     const std::string& name);

}  // namespace assay::cli
