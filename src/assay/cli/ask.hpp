#pragma once
#include <functional>
#include <istream>
#include <ostream>
#include <string_view>

#include "assay/cli/json_number.hpp"

namespace assay::cli {

/// The answer to one question about a whole release: epsilon, delta, type_two_error,
/// true_positive_rate, advantage or gaussian_mu of it, or the noise_multiplier, steps, epochs,
/// sampling_probability or batch_size that it needs or may have.
/// One that cannot be answered gets an "error" with kind, parameter and message; `is_json` becomes
/// false where the line is no JSON object.          Throws  InternalError
[[nodiscard]] Json answer_question(std::string_view line, bool& is_json);

using AnswerLine = std::function<Json(std::string_view line, bool& is_json)>;

/// Answers JSON Lines (cli/answer_lines.hpp). Where bounds contradict each other that line has an
/// error of the kind internal, and the others are answered.
///   Returns    the exit code: 3 after such a line; 2 where a line was no JSON; 0
int run_ask(std::istream& in, std::ostream& out, std::ostream& err,
            const AnswerLine& answer = answer_question);

}  // namespace assay::cli
