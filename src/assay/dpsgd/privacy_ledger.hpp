#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "assay/account/account.hpp"
#include "assay/batch_sampling/batch_sampler.hpp"
#include "assay/numeric/bound.hpp"
#include "assay/privacy/adjacency.hpp"
#include "assay/privacy/mechanism.hpp"

namespace assay {

/// epsilon at one delta of what was released so far: the truth lies in [lower, upper].
struct LedgerEpsilon {
    Bound lower;
    Bound upper;
    std::string note;  // what the reader of the numbers has to know besides
};

/// Keeps the account of a training run while it runs: what each step released, by the distribution
/// of the sampler that drew its batch, and the epsilon of all of it.
///   Maths      the tightest bracket of assay/account/account.hpp. Epoch samplers: whole epochs;
///              one begun counts as finished above and as not begun below. Balls-and-bins cut at a
///              maximum size: delta is shared, 999/1000 for the untruncated run, 1/1000 for the
///              event that a batch is cut, which has to fit (chua2025 Appendix C)
///   Direction  both sides; vacuous where nothing is certified, or where there is no noise
///   For one thread at a time, with its copies.
///   Throws     UnsupportedMechanism at once where sampler and adjacency have no theorem
class PrivacyLedger {
public:
    /// noise_multiplier 0: nothing is private, and epsilon says so.
    PrivacyLedger(const BatchSampling& sampling, double noise_multiplier, Adjacency adjacency);

    void record_step() { ++steps_; }
    [[nodiscard]] std::int64_t steps() const { return steps_; }
    [[nodiscard]] Adjacency adjacency() const { return adjacency_; }
    [[nodiscard]] double noise_multiplier() const { return noise_multiplier_; }

    /// Goes on after this many steps of an interrupted run.
    void resume(std::int64_t steps);

    /// Domain     0 < delta < 1          Cost  0.01 to 1 s; later epochs of
    ///            balls-and-bins some 0.02 s
    [[nodiscard]] LedgerEpsilon epsilon(double delta) const;

    /// One line: sampler, noise multiplier, adjacency.
    [[nodiscard]] std::string describe() const;

private:
    [[nodiscard]] LedgerEpsilon of_sampling(double delta) const;
    [[nodiscard]] LedgerEpsilon untruncated(double delta) const;
    /// What cutting the batches of balls-and-bins adds to delta at epsilon.
    [[nodiscard]] double cut_share(double epsilon) const;

    BatchSampling sampling_;
    std::int64_t batches_per_epoch_;
    double noise_multiplier_;
    Adjacency adjacency_;
    std::int64_t steps_ = 0;
    std::optional<Mechanism> released_;  // none without noise
    std::shared_ptr<EpochCache>
        distributions_;  // of balls-and-bins: copies of the ledger share them
};

}  // namespace assay
