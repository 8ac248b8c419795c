#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "assay/account/bracket.hpp"
#include "assay/cli/phase_input.hpp"
#include "assay/cli/schedule.hpp"
#include "assay/privacy/adjacency.hpp"

namespace CLI {
class App;
}

namespace assay::cli {

/// What the options of `epsilon`, `delta` and `rdp` say, as written.
struct PrivacyOptions {
    Fields fields;                    // of the one phase given by --sampling and its kin
    std::vector<std::string> phases;  // --phase, repeated
    std::optional<std::string> schedule;
    std::optional<std::string> adjacency;
    std::string standing = "any";
    std::string effort = "normal";
    bool json = false;
};

/// Adds what describes a release to a command; `options` outlives it. `noise_required` says where
/// the noise multiplier is.
void add_release_options(CLI::App& command, PrivacyOptions& options,
                         std::string_view noise_required = "required in every phase");
void add_standing_option(CLI::App& command, PrivacyOptions& options);
void add_effort_option(CLI::App& command, PrivacyOptions& options);

/// The fields of one phase, of those of --phase, or of the schedule, in their order.
///   Throws     what `take` throws, said of which phase
void for_each_phase(const PrivacyOptions& options, const TakePhase& take);

[[nodiscard]] StandingFilter read_standing(const PrivacyOptions& options);

}  // namespace assay::cli
