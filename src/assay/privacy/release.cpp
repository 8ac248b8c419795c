#include "assay/privacy/release.hpp"

#include <cstdint>
#include <map>

namespace assay {

std::string describe(const Release& release) {
    return describe(release.phases, release.adjacency);
}

Release joined(const Release& release) {
    constexpr std::int64_t most = std::int64_t{1} << 53U;
    std::vector<Phase> phases;
    std::map<Mechanism, std::size_t> places;
    for (const Phase& phase : release.phases) {
        validate(phase.mechanism);  // what is no number has no order
        const auto [place, is_new] = places.try_emplace(phase.mechanism, phases.size());
        if (!is_new && phase.repetitions >= 1) {
            Phase& same = phases[place->second];
            if (same.repetitions >= 1 && same.repetitions <= most - phase.repetitions) {
                same.repetitions += phase.repetitions;
                continue;
            }
        }
        phases.push_back(phase);
    }
    return {release.adjacency, std::move(phases)};
}

}  // namespace assay
