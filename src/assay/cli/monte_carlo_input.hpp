#pragma once
#include <cstdint>
#include <vector>

#include "assay/cli/option_text.hpp"
#include "assay/monte_carlo/checkpoint.hpp"
#include "assay/monte_carlo/monte_carlo.hpp"

namespace assay::cli {

/// What the options of `monte-carlo` say, or what a shard says of its run, read and checked.
struct MonteCarloInput {
    std::vector<MonteCarloPlan> plans;  // one for each direction, alike otherwise
    std::int64_t samples_asked = 0;
    std::uint64_t blocks = 0;
    double confidence_error = 0.0;

    /// Of each direction: samples_asked rounded up to whole blocks.
    [[nodiscard]] std::int64_t samples() const;
    /// Of all directions together, for the rate.
    [[nodiscard]] double samples_per_block() const;
    /// The run before its first block.
    [[nodiscard]] Checkpoint empty_run() const;
    /// A block: the sums of each direction, one after the other. Both directions draw from the
    /// same stream, so their estimates depend on each other; no bound asks that they do not. The
    /// samplers are set up on so many threads.
    [[nodiscard]] TrialBlock trials(int threads = 1) const;
    /// The sums of one plan within those of the run.
    [[nodiscard]] std::span<const double> sums_of(std::size_t plan,
                                                  std::span<const double> sums) const;
};

/// Adds the options that decide the bits of a run; `fields` outlives the command.
void add_monte_carlo_fields(CLI::App& command, Fields& fields);

///   Throws     Error, DomainError, UnsupportedMechanism: one line each
[[nodiscard]] MonteCarloInput read_monte_carlo(const Fields& fields);
/// The same from the identity of a run, whose names are those of the options.
[[nodiscard]] MonteCarloInput read_monte_carlo(const RunIdentity& identity);

}  // namespace assay::cli
