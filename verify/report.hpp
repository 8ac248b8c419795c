#pragma once
#include <string>

#include "verify/engine.hpp"

namespace assay::verify {

/// The whole run as JSON: seed, tier, program, seconds, points, verdict ("green", "red"), and a row
/// each: id, kind, claim, subject, oracle, relation, verdict, counts, closest (the trial with the
/// smallest margin), violation (shrunk), bits, seconds, and every trial's coordinates and margin.
[[nodiscard]] std::string report_json(const RunResult& result, const RunOptions& options);

/// Text for the terminal: every row that fails with its counterexample and both numbers, then one
/// line of totals.
[[nodiscard]] std::string report_text(const RunResult& result);

/// A violation in words: the point, the subject's answer, the oracle's interval and precision.
[[nodiscard]] std::string describe(const Check& check, const Trial& trial);

/// "holds", "violated", "undecided"; a control is "refuted" or "survives"; "incomplete", "not run".
[[nodiscard]] std::string_view row_verdict(const RowResult& row);

}  // namespace assay::verify
