#include "experiments/epoch_training.hpp"

#include <filesystem>
#include <optional>

namespace assay::experiments {

std::vector<double> train_by_epochs(Trainer& trainer, const std::string& states,
                                    const std::string& name, const EpochNumbers& numbers_of,
                                    const std::function<void(const StepReport&)>& step_done) {
    std::vector<double> kept;
    const auto finish_epoch = [&](std::int64_t epoch) {
        const std::vector<double> numbers = numbers_of(epoch);
        kept.insert(kept.end(), numbers.begin(), numbers.end());
    };
    std::optional<std::filesystem::path> state;
    if (!states.empty()) {
        std::filesystem::create_directories(states);
        state = std::filesystem::path(states) / (name + ".state");
    }
    if (state && std::filesystem::exists(*state))
        kept = trainer.resume(*state);
    else
        finish_epoch(0);
    while (!trainer.finished()) {
        const StepReport step = trainer.step();
        if (step_done) step_done(step);
        if (trainer.steps_done() % trainer.batches_per_epoch() != 0) continue;
        finish_epoch(trainer.steps_done() / trainer.batches_per_epoch());
        if (state) trainer.save(*state, kept);
    }
    return kept;
}

}  // namespace assay::experiments
