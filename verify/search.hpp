#pragma once
#include <cstdint>
#include <vector>

#include "verify/judge.hpp"

namespace assay::verify {

/// A walk that looks for a violation: a third of its trials are random draws, the others steps of
/// shrinking size from the trial with the smallest margin so far. Walk number `index` of a seed is
/// always the same. Ends early at a violation.
[[nodiscard]] std::vector<Trial> walk(const Check& check, std::uint64_t seed, std::size_t index,
                                      std::size_t trials);

}  // namespace assay::verify
