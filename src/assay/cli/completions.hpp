#pragma once
#include <string>
#include <vector>

#include "assay/cli/option_table.hpp"

namespace assay::cli {

// Completions of commands, options, listed values and files, as a file for each shell.

[[nodiscard]] std::string bash_completions(const std::vector<CommandEntry>& table);
[[nodiscard]] std::string zsh_completions(const std::vector<CommandEntry>& table);
[[nodiscard]] std::string fish_completions(const std::vector<CommandEntry>& table);

}  // namespace assay::cli
