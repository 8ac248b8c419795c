#include "experiments/training_cells.hpp"

#include "assay/dpsgd/trainer.hpp"
#include "test_support/scratch_folder.hpp"
#include "test_support/training_examples.hpp"

using namespace assay;
using namespace assay::experiments;
using test_support::plan_for;
using test_support::two_clouds;

namespace {

std::vector<TrainingCell> three_cells(const Dataset& data) {
    std::vector<TrainingCell> cells;
    for (const std::uint64_t seed : {1, 2, 3}) {
        TrainingPlan plan = plan_for(data);
        plan.seed = seed;
        cells.push_back({"seed_" + std::to_string(seed), plan, {}});
    }
    return cells;
}

}  // namespace

TEST_CASE("cells are trained as their plans say, alone or together", "[experiments]") {
    const Dataset data = two_clouds(40);
    auto cells = three_cells(data);
    train_cells(cells, data, data, {}, "");
    for (const TrainingCell& cell : cells) {
        auto alone = std::vector<TrainingCell>{{cell.name, cell.plan, {}}};
        train_cells(alone, data, data, {}, "");
        CHECK(alone.front().epochs == cell.epochs);
        CHECK(final_evaluation(cell) == cell.epochs.back().evaluation);
    }
    CHECK(cells[0].epochs != cells[1].epochs);
}

TEST_CASE("finished cells are read from their states", "[experiments]") {
    const ScratchFolder folder("training_cells");
    const Dataset data = two_clouds(40);
    auto cells = three_cells(data);
    train_cells(cells, data, data, {}, folder.path().string());
    auto again = three_cells(data);
    train_cells(again, data, data, {}, folder.path().string());
    for (std::size_t i = 0; i < cells.size(); ++i) CHECK(again[i].epochs == cells[i].epochs);
    again[0].plan.noise_multiplier = 0.7;
    CHECK_THROWS_AS(train_cells(again, data, data, {}, folder.path().string()), FileError);
}
