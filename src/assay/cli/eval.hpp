#pragma once
#include <istream>
#include <ostream>
#include <string>
#include <string_view>

#include "assay/cli/json_number.hpp"

namespace assay::cli {

struct EvalOptions {
    double budget = 10.0;  // seconds a line
    std::string file;      // named before the line number in messages; empty for standard input
};

/// The answer to one line of JSON, or the object with its error; `failed` becomes true then.
[[nodiscard]] Json answer_line(std::string_view line, int line_number, const EvalOptions& options,
                               bool& failed);

/// Answers JSON Lines (cli/answer_lines.hpp).
///   Returns    true when every line had an answer
bool run_eval(std::istream& in, std::ostream& out, std::ostream& err, const EvalOptions& options);

/// Every quantity with its parameters, formula and source.
[[nodiscard]] std::string quantity_list_text();
[[nodiscard]] Json quantity_list_json();

}  // namespace assay::cli
