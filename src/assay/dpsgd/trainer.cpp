#include "assay/dpsgd/trainer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "assay/dpsgd/gradient_noise.hpp"
#include "assay/dpsgd/reference_gradients.hpp"
#include "assay/dpsgd/training_state.hpp"

namespace assay {

TrainingDiverged::TrainingDiverged(std::int64_t step, double rate)
    : Error(fmt::format("the loss is not finite in step {}: the learning rate ({}) or the noise is "
                        "too large for this model and data",
                        step + 1, rate)),
      step_(step) {}

PrivacyLedger ledger_of(const TrainingPlan& plan) {
    // Without noise no adjacency makes a difference.
    return {plan.sampling, plan.noise_multiplier, plan.adjacency.value_or(Adjacency::zero_out)};
}

Trainer::Trainer(const TrainingPlan& plan, const Dataset& training, int threads)
    : plan_((validate(plan, training), plan)),
      data_(training),
      sampler_(plan.sampling),
      ledger_(ledger_of(plan)),
      model_(plan.architecture, training.shape, plan.seed),
      engine_(threads),
      optimiser_(plan.optimiser, model_.parameters().size()),
      start_("seed") {}

StepReport Trainer::step(const std::function<void()>& before_update) {
    sampler_.draw(steps_, batch_);
    if (plan_.path == GradientPath::streamed)
        engine_.clipped_sum(model_, data_, batch_.indices, plan_.clip_norm, gradient_);
    else
        reference_clipped_sum(model_, data_, batch_.indices, plan_.clip_norm, gradient_);
    const double rate = learning_rate(plan_.optimiser, steps_);
    if (!std::isfinite(gradient_.loss)) throw TrainingDiverged(steps_, rate);
    if (before_update) before_update();

    if (plan_.noise_multiplier > 0.0)
        add_gradient_noise(gradient_.sum, plan_.noise_multiplier * *plan_.clip_norm, plan_.seed,
                           steps_, engine_.workers());
    const float share = 1.0F / static_cast<float>(plan_.sampling.batch_size);
    for (float& x : gradient_.sum) x *= share;
    optimiser_.update(model_.parameters(), gradient_.sum, steps_);
    ++steps_;
    ledger_.record_step();

    const auto drawn = static_cast<double>(std::max<std::int64_t>(gradient_.examples, 1));
    return {gradient_.examples, gradient_.loss / drawn, gradient_.correct,
            gradient_.clipped,  gradient_.refused,      live_bytes()};
}

std::size_t Trainer::live_bytes() const {
    return sampler_.live_bytes() + batch_.indices.capacity() * sizeof(std::uint32_t) +
           gradient_.live_bytes;
}

void Trainer::start_from(std::span<const float> parameters) {
    require(steps_ == 0 && parameters.size() == model_.parameters().size(), "parameters",
            static_cast<double>(parameters.size()),
            "as many as the model has, before the first step");
    std::ranges::copy(parameters, model_.parameters().begin());
    start_ = fmt::format("{:08x}", checksum(parameters));
}

RunIdentity Trainer::identity() const {
    RunIdentity identity = run_identity(plan_, data_);
    identity.push_back({"start", start_});
    return identity;
}

TrainingDiverged Trainer::diverged() const {
    const std::int64_t last = std::max<std::int64_t>(steps_, 1) - 1;
    return {last, learning_rate(plan_.optimiser, last)};
}

void Trainer::require_finite() const {
    if (!std::ranges::all_of(model_.parameters(), [](float x) { return std::isfinite(x); }))
        throw diverged();
}

void Trainer::save(const std::filesystem::path& path, std::vector<double> log) const {
    require_finite();
    write_training_state(path, {identity(),
                                steps_,
                                {model_.parameters().begin(), model_.parameters().end()},
                                {optimiser_.state().begin(), optimiser_.state().end()},
                                std::move(log)});
}

std::vector<double> Trainer::resume(const std::filesystem::path& path) {
    TrainingState state = read_training_state(path);
    require_same_run(path, state.identity, identity());
    if (state.parameters.size() != model_.parameters().size())
        throw FileError(path.string(), 0, "holds another number of parameters than the model has");
    std::ranges::copy(state.parameters, model_.parameters().begin());
    optimiser_.restore(state.optimiser);
    steps_ = state.steps;
    ledger_.resume(steps_);
    return std::move(state.log);
}

}  // namespace assay
