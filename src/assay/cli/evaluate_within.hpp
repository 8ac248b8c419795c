#pragma once
#include <functional>
#include <optional>

#include "assay/formulas/quantity.hpp"

namespace assay::cli {

/// Runs `evaluation` in this thread and ends it (InterruptionScope) after `seconds` of the thread's
/// processor time, so that the answer does not depend on the load; nothing where that was needed.
/// Whatever it throws is thrown here.
[[nodiscard]] std::optional<formulas::Answer> evaluate_within(
    double seconds, const std::function<formulas::Answer()>& evaluation);

}  // namespace assay::cli
