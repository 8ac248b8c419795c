#include "experiments/training_cells.hpp"

#include <fmt/format.h>
#include <oneapi/tbb/parallel_for.h>

#include <atomic>
#include <filesystem>
#include <iostream>

#include "assay/dpsgd/training_run.hpp"
#include "assay/files/progress_line.hpp"
#include "assay/numeric/errors.hpp"

namespace assay::experiments {
namespace {

void train(TrainingCell& cell, const Dataset& training, const Dataset& test,
           std::span<const float> start, const std::string& states) {
    Trainer trainer(cell.plan, training, 1);
    if (!start.empty()) trainer.start_from(start);
    TrainingLog log;
    TrainingRunOptions options;
    if (!states.empty()) {
        std::filesystem::create_directories(states);
        options.state = std::filesystem::path(states) / (cell.name + ".state");
        options.resume = true;
        options.seconds_between_states = 60.0;
    }
    static_cast<void>(run_training(trainer, test, 1, log, options));
    cell.epochs = log.epochs();
}

}  // namespace

void train_cells(std::vector<TrainingCell>& cells, const Dataset& training, const Dataset& test,
                 std::span<const float> start, const std::string& states) {
    ProgressLine progress(std::cerr);
    std::atomic<std::size_t> done = 0;
    tbb::parallel_for(std::size_t{0}, cells.size(), [&](std::size_t i) {
        tbb::this_task_arena::isolate([&] { train(cells[i], training, test, start, states); });
        progress.show(
            {.done = static_cast<double>(++done), .total = static_cast<double>(cells.size())},
            "training runs");
    });
}

const Evaluation& final_evaluation(const TrainingCell& cell) {
    if (cell.epochs.empty()) throw Error(fmt::format("{} has no epoch", cell.name));
    return cell.epochs.back().evaluation;
}

}  // namespace assay::experiments
