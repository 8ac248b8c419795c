#pragma once
#include <string>
#include <vector>

#include "assay/privacy/release.hpp"

namespace assay {

/// What every number about the release presumes, a sentence each: sensitivity, neighbours, how each
/// sampler draws, composition, and what is idealised.
[[nodiscard]] std::vector<std::string> assumptions(const Release& release);

}  // namespace assay
