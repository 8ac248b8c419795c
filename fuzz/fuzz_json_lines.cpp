#include "assay/cli/ask.hpp"
#include "assay/cli/eval.hpp"
#include "assay/numeric/interruption.hpp"
#include "fuzz/target.hpp"

// Lines for `assay eval` and `assay ask`; what takes long ends at its first look round.
FUZZ_TARGET(json_lines) {
    const assay::InterruptionScope scope([] { return true; });
    assay::cli::EvalOptions options;
    options.budget = 1e-4;
    bool failed = false;
    const assay::cli::Json reply = assay::cli::answer_line(input, 1, options, failed);
    fuzz::require(reply.contains("error") == failed, "an error that is not told");
    fuzz::require(!failed || reply["error"]["kind"] != "internal", "an internal error");
    bool is_json = true;
    static_cast<void>(assay::cli::answer_question(input, is_json));
}
