#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "assay/monte_carlo/delta_estimate.hpp"
#include "experiments/params.hpp"
#include "experiments/table.hpp"

namespace assay::experiments::chua2025 {

/// How many trials of each direction, how sure, and where a long run keeps what is finished.
struct MonteCarloEffort {
    std::int64_t samples = 0;  // rounded up to whole blocks
    double beta = 1e-3;
    std::optional<std::filesystem::path> checkpoints{};  // a folder; it goes on with what is there
    int threads = 1;
};

/// All the threads that this run has; `confidence_error`, and `checkpoints` where the parameters
/// name a folder.
[[nodiscard]] MonteCarloEffort read_effort(const Params& params, std::int64_t samples);

/// Runs the plan: the same numbers for any number of threads and interruptions. Where importance
/// sampling has an event of probability below 1e-30, that is the bound, and nothing is sampled.
[[nodiscard]] std::vector<DeltaEstimate> monte_carlo_curve(const MonteCarloPlan& plan,
                                                           const MonteCarloEffort& effort);

/// The estimates of both directions of one curve, made one of delta = max(removal, addition).
struct DeltaMonteCarlo {
    double epsilon = 0.0;
    double mean = 0.0;         // the larger of both means
    double upper = 1.0;        // the larger of both KL bounds, each failing with probability beta
    double bernstein = 1.0;    // the same of the empirical Bernstein bounds
    double curve_upper = 1.0;  // KL bounds at beta/(2 n): all n epsilons together with 1 - beta
};
struct BothDirections {
    std::vector<DeltaEstimate> removal;
    std::vector<DeltaEstimate> addition;
    std::vector<DeltaMonteCarlo> larger;
};
[[nodiscard]] BothDirections monte_carlo_both(MonteCarloPlan plan, const MonteCarloEffort& effort);

/// Seconds that the calling thread has computed: what other work on the machine does not change.
[[nodiscard]] double thread_seconds();

/// A column for such seconds: a comparison with a golden result accepts any number there.
[[nodiscard]] Column measured_seconds();

}  // namespace assay::experiments::chua2025
