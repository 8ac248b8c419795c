#include "assay/privacy/release.hpp"

#include <fmt/format.h>

namespace assay {

std::string describe(const Release& release) {
    std::string text;
    for (const ReleasePhase& phase : release.phases)
        text += fmt::format(
            "{} x {}; ", phase.repetitions,
            std::visit([](const auto& mechanism) { return describe(mechanism); }, phase.mechanism));
    return text + std::string(to_string(release.adjacency));
}

}  // namespace assay
