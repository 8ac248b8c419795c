#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "assay/account/bracket.hpp"
#include "assay/cli/privacy_input.hpp"
#include "assay/privacy/release.hpp"

namespace assay::cli {

/// What the options of `epsilon` and `delta` describe, with phases of every kind.
struct ReleaseInput {
    Release release;
    StandingFilter standing = StandingFilter::any;
    std::vector<PhaseInput> phases;  // as they were given

    [[nodiscard]] std::vector<std::string> assumptions() const;
    /// The phases as JSON; a noise multiplier that is open is null.
    [[nodiscard]] Json phases_json() const;
};

/// The release as `assay ask` reads it, {"adjacency": .., "phases": [..]}; noise of 0 is open,
/// null.
[[nodiscard]] Json release_json(const Release& release);

/// Whether phases may leave their noise multiplier open: it is 0 then.
enum class OpenNoise { refused, allowed };

///   Throws     Error, DomainError, FileError, UnsupportedMechanism: one line each
[[nodiscard]] ReleaseInput read_release(const PrivacyOptions& options,
                                        std::optional<std::int64_t> default_steps = std::nullopt,
                                        OpenNoise open = OpenNoise::refused);

}  // namespace assay::cli
