#include "assay/cli/release_input.hpp"

#include "assay/numeric/errors.hpp"
#include "assay/privacy/assumptions.hpp"

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
    for_each_phase(options, [&](const PhaseFields& fields) {
        const PhaseInput phase = read_phase(fields, default_steps);
        require_theorem(phase.phase.mechanism, input.release.adjacency);
        input.release.phases.push_back(phase.phase);
        input.has_rounded_probability |= phase.has_rounded_probability();
        input.descriptions.push_back(phase.description());
        input.phases.push_back(phase.to_json());
    });
    return input;
}

}  // namespace assay::cli
