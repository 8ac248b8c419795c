#include "experiments/training_cells.hpp"

#include "assay/dpsgd/trainer.hpp"
#include "assay/dpsgd/training_examples.hpp"
#include "assay/scratch_folder.hpp"

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

TEST_CASE("means, deviations and Welch's test are those of the textbook", "[experiments]") {
    const std::vector<double> a{27.5, 21.0, 19.0, 23.6, 17.0, 17.9, 16.9, 20.1,
                                21.9, 22.6, 23.1, 19.6, 19.0, 21.7, 21.4};
    const std::vector<double> b{27.1, 22.0, 20.8, 23.4, 23.4, 23.5, 25.8, 22.0,
                                24.8, 20.2, 21.9, 22.1, 22.9, 30.5, 24.4};
    // t = -2.85295, 27.887 degrees of freedom, two-sided p = 0.00807194 (scipy.stats.ttest_ind).
    CHECK(spread_of(a).mean == Approx(20.82));
    CHECK(spread_of(a).deviation == Approx(2.804893).epsilon(1e-6));
    CHECK(welch_p_value(b, a) == Approx(0.00807194 / 2.0).epsilon(1e-6));
    CHECK(welch_p_value(a, b) == Approx(1.0 - 0.00807194 / 2.0).epsilon(1e-4));
    // The same numbers as pairs: t = -3.21921, 14 degrees of freedom (scipy.stats.ttest_rel).
    CHECK(paired_p_value(b, a) == Approx(0.0061798726 / 2.0).epsilon(1e-5));
    const std::vector<double> same{1.0, 1.0};
    CHECK(paired_p_value(same, same) == 0.5);
    CHECK(welch_p_value(same, same) == 0.5);
}
