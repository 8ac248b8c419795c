#pragma once
#include <functional>
#include <istream>
#include <ostream>
#include <string>
#include <string_view>

#include "assay/cli/json_number.hpp"

namespace assay::cli {

/// Answers JSON Lines in their order: each answer leaves as soon as it is there, blank lines are
/// skipped. `err` is told of work that takes longer than a second. `file` stands in errors; empty
/// for standard input.
///   Throws     FileError where `in` has a line above 1 GiB or cannot be read to its end,
///              Error where `out` cannot be written
void answer_lines(std::istream& in, const std::string& file, std::ostream& out, std::ostream& err,
                  const std::function<Json(std::string_view line, int number)>& answer);

}  // namespace assay::cli
