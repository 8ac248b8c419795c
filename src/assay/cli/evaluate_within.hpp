#pragma once
#include <functional>
#include <optional>

#include "assay/formulas/quantity.hpp"

namespace assay::cli {

/// Runs `evaluation` in a thread of its own and waits `seconds` for it; nothing when it is not done
/// by then: it is left behind, and what it captured must live on without the caller.
/// Whatever it throws is thrown here.
[[nodiscard]] std::optional<formulas::Answer> evaluate_within(
    double seconds, std::function<formulas::Answer()> evaluation);

/// How many evaluations were left behind; while there are any, end the process by std::_Exit.
[[nodiscard]] int evaluations_left_behind();

}  // namespace assay::cli
