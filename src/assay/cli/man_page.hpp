#pragma once
#include <string>
#include <vector>

#include "assay/cli/option_table.hpp"

namespace assay::cli {

/// "assay" or "assay-ldp-audit": what a command's manual page is called, before ".1".
[[nodiscard]] std::string page_name(const CommandEntry& command);

/// The manual page of a command in man(7), section 1. `version` is that of the program.
[[nodiscard]] std::string man_page(const CommandEntry& command, const std::string& version);

}  // namespace assay::cli
