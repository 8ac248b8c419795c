#include "assay/cli/release_input.hpp"

#include "assay/cli/epoch_input.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/privacy/assumptions.hpp"
#include "assay/rdp/worst_pair.hpp"

namespace assay::cli {

std::vector<std::string> ReleaseInput::assumptions() const {
    std::vector<std::string> lines = assay::assumptions(release);
    if (has_rounded_probability)
        lines.emplace_back(
            "q is the double nearest to |B|/|D|, the same for both neighbours; the bounds hold for "
            "that q");
    return lines;
}

ReleaseInput read_release(const PrivacyOptions& options,
                          std::optional<std::int64_t> default_steps) {
    if (!options.adjacency)
        throw Error("adjacency is missing: add-remove, replace-one or zero-out");
    ReleaseInput input;
    input.release.adjacency = adjacency_from_string(*options.adjacency);
    input.standing = read_standing(options);
    const auto note = [&](const auto& phase) {
        input.descriptions.push_back(phase.description());
        input.phases.push_back(phase.to_json());
    };
    for_each_phase(options, [&](const PhaseFields& fields) {
        if (is_epoch_sampling(fields)) {
            const EpochInput phase = read_epoch(fields, input.release.adjacency);
            input.release.phases.push_back({phase.mechanism, phase.epochs});
            note(phase);
            return;
        }
        const PhaseInput phase = read_phase(fields, default_steps);
        require_theorem(phase.phase.mechanism, input.release.adjacency);
        input.release.phases.push_back({phase.phase.mechanism, phase.phase.steps});
        input.has_rounded_probability |=
            phase.batch_size.has_value() &&
            !std::holds_alternative<FixedSizeWithReplacementGaussian>(phase.phase.mechanism);
        note(phase);
    });
    return input;
}

}  // namespace assay::cli
