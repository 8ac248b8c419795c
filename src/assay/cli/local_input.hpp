#pragma once
#include <optional>
#include <string>

#include "assay/ldp/adaptive_estimator.hpp"

namespace CLI {
class App;
}

namespace assay::cli {

/// The mechanism as the options of `assay ldp` say it, as written.
struct LocalMechanismOptions {
    std::optional<std::string> categories, epsilon, budget_share;
    std::string variant = "theorem";
};

/// How sets are chosen and the posterior is drawn, as written.
struct PosteriorOptions {
    std::optional<std::string> rule, sampler, updates, subsample, step, prior, seed;
    std::string default_sampler = "langevin";
    int default_updates = 20;  ///< of langevin; one of gibbs, and none where this is 0
};

/// Adds the options to a command; the struct outlives it.
void add_mechanism_options(CLI::App& command, LocalMechanismOptions& options);
void add_posterior_options(CLI::App& command, PosteriorOptions& options);

///   Throws     Error, DomainError: one line each
[[nodiscard]] RestrictedResponse read_mechanism(const LocalMechanismOptions& options);

/// `planned_users` sets the paper's step 0.5/T where no step is given.
[[nodiscard]] AdaptiveSettings read_settings(const RestrictedResponse& mechanism,
                                             const PosteriorOptions& options,
                                             std::int64_t planned_users);

/// The step 0.5/T of T planned users where it is not given.
[[nodiscard]] double read_step(const std::optional<std::string>& text, std::int64_t planned_users);

/// "epsilon-LDP: ..." by the theorem; of the released variant the audited epsilon, which is not the
/// one asked for. Every output of that variant carries it.
[[nodiscard]] std::string privacy_statement(const RestrictedResponse& mechanism);

}  // namespace assay::cli
