#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "assay/batch_sampling/batch_sampler.hpp"
#include "assay/datasets/dataset.hpp"
#include "assay/dpsgd/gradient_engine.hpp"
#include "assay/dpsgd/model.hpp"
#include "assay/dpsgd/optimiser.hpp"
#include "assay/dpsgd/privacy_ledger.hpp"
#include "assay/dpsgd/training_plan.hpp"
#include "assay/numeric/errors.hpp"

namespace assay {

/// The loss stopped being finite: nothing was changed by this step.
class TrainingDiverged : public Error {
public:
    TrainingDiverged(std::int64_t step, double rate);
    [[nodiscard]] std::int64_t step() const noexcept { return step_; }

private:
    std::int64_t step_;
};

/// What one step saw.
struct StepReport {
    std::int64_t batch_size = 0;  // examples that were drawn
    double loss = 0.0;            // mean over them
    std::int64_t correct = 0;
    std::int64_t clipped = 0;
    std::int64_t refused = 0;
    // Of what the step works with: the sampler's arrays, the batch, the gradients and what they
    // need (GradientSum). Buffers are kept, so that it depends on the steps before in this process.
    std::size_t live_bytes = 0;
};

/// The account of a run of this plan, before its first step: of its sampler, its noise and no
/// other.
///   Throws     as PrivacyLedger
[[nodiscard]] PrivacyLedger ledger_of(const TrainingPlan& plan);

/// DP-SGD (chua2025 Algorithm 1, birrell2024 Algorithm 1): per step one batch of the sampler, the
/// sum of clipped gradients plus N(0, (C sigma)^2), over |B| (its expectation for samplers of
/// random size), and a move of the optimiser.
///   A batch that is padded up to its maximum size costs nothing: examples of weight zero add 0 to
///   the sum, and |B| is the divisor whatever was drawn (chua2025 Section 5, Appendix C).
///   The trainer keeps the account of its own steps: none can be of another sampler, noise or clip
///   norm, which the noise is a multiple of.
///   Every bit is decided by plan and data: neither threads nor interruptions show. The data has to
///   outlive the trainer.
class Trainer {
public:
    Trainer(const TrainingPlan& plan, const Dataset& training, int threads);

    /// Throws     TrainingDiverged. `before_update` is called when the loss at the current
    ///            parameters is known to be finite: the moment to keep them
    StepReport step(const std::function<void()>& before_update = {});

    /// What the steps so far released.
    [[nodiscard]] const PrivacyLedger& ledger() const { return ledger_; }

    [[nodiscard]] std::int64_t steps_done() const { return steps_; }
    [[nodiscard]] bool finished() const { return steps_ >= plan_.steps; }
    [[nodiscard]] const TrainingPlan& plan() const { return plan_; }
    [[nodiscard]] const Model<float>& model() const { return model_; }
    [[nodiscard]] std::int64_t batches_per_epoch() const { return sampler_.batches_per_epoch(); }

    /// Begins at these parameters, e.g. those of a network trained on other data.
    ///   Throws     DomainError (parameters) unless their number fits and none was moved yet
    void start_from(std::span<const float> parameters);

    /// What to throw when the last step is seen to have led nowhere.
    [[nodiscard]] TrainingDiverged diverged() const;
    /// Throws diverged() unless all parameters are finite.
    void require_finite() const;

    /// The whole state and the numbers of a log in a file, or the older file untouched; and back,
    /// refused by name where the file is of another plan or other data, cut short or damaged. A
    /// state that cannot go on is not kept: the one before it stays.
    ///   Throws     FileError; save: as require_finite
    void save(const std::filesystem::path& path, std::vector<double> log = {}) const;
    [[nodiscard]] std::vector<double> resume(const std::filesystem::path& path);

private:
    [[nodiscard]] RunIdentity identity() const;
    [[nodiscard]] std::size_t live_bytes() const;

    TrainingPlan plan_;
    const Dataset& data_;
    BatchSampler sampler_;
    PrivacyLedger ledger_;
    Model<float> model_;
    GradientEngine<float> engine_;
    Optimiser optimiser_;
    std::string start_;  // of the identity: the seed's weights, or the checksum of those given
    Batch batch_;
    GradientSum<float> gradient_;
    std::int64_t steps_ = 0;
};

}  // namespace assay
