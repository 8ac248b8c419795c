#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "assay/ldp/adaptive_estimator.hpp"

namespace CLI {
class App;
}

namespace assay::cli {

/// The mechanism as the options of `assay ldp` say it, as written.
struct LocalMechanismOptions {
    std::optional<std::string> categories, epsilon, budget_share, variant;
};

/// How sets are chosen and the posterior is drawn, as written.
struct PosteriorOptions {
    std::optional<std::string> rule, sampler, updates, subsample, step, step_delay, step_power,
        prior, seed;
    std::string default_sampler = "langevin";
    int default_updates = 20;  ///< of langevin; one of gibbs, and none where this is 0
};

/// Adds the options to a command; the struct outlives it.
void add_mechanism_options(CLI::App& command, LocalMechanismOptions& options);
void add_posterior_options(CLI::App& command, PosteriorOptions& options);

/// What is not given is as in `otherwise`, where there is one; else it has to be given, but for the
/// variant.
///   Throws     Error, DomainError: one line each
[[nodiscard]] RestrictedResponse read_mechanism(
    const LocalMechanismOptions& options,
    const std::optional<RestrictedResponse>& otherwise = std::nullopt);

/// `planned_users` sets the paper's step 0.5/T where no step is given; 0: how many will answer is
/// not known, and the step after t answers is 0.5/(1 + t), the paper's once T = t answered.
[[nodiscard]] AdaptiveSettings read_settings(const RestrictedResponse& mechanism,
                                             const PosteriorOptions& options,
                                             std::int64_t planned_users);

/// The rule's name; of the semi-adaptive one also which of its two readings `asked` makes it, the
/// paper's text or the authors' program.
[[nodiscard]] std::string rule_statement(const SubsetRule& rule, const RestrictedResponse& asked);

/// "epsilon-LDP: ..." by the theorem; of the released variant the audited epsilon, which is not the
/// one asked for. Every output of that variant carries it.
[[nodiscard]] std::string privacy_statement(const RestrictedResponse& mechanism);

}  // namespace assay::cli
