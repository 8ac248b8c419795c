#pragma once
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
    std::vector<std::string> descriptions;  // of the phases, a line each
    std::vector<Json> phases;
    bool has_rounded_probability = false;  // q follows from two sizes

    [[nodiscard]] std::vector<std::string> assumptions() const;
};

///   Throws     Error, DomainError, FileError, UnsupportedMechanism: one line each
[[nodiscard]] ReleaseInput read_release(const PrivacyOptions& options,
                                        std::optional<std::int64_t> default_steps = std::nullopt);

}  // namespace assay::cli
