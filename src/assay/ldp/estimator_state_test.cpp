#include "assay/ldp/estimator_state.hpp"

#include <limits>

#include "assay/files/atomic_file.hpp"
#include "test_support/scratch_folder.hpp"
#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::test_support;

namespace {

EstimatorState some_state() {
    EstimatorState state;
    AdaptiveSettings& settings = state.course.settings;
    settings.mechanism = {.categories = 3,
                          .epsilon = 0.1,
                          .budget_share = 1.0 / 3.0,
                          .variant = ResponseVariant::as_released};
    settings.rule = SemiAdaptive{0.1 + 0.2};
    settings.sampler = LangevinSettings{
        .updates = 7, .subsample = 9, .step = {.first = 1e-300, .delay = 3.3, .power = 0.7}};
    settings.prior = {0.1, std::numeric_limits<double>::denorm_min(), 1e9};
    settings.seed = ~std::uint64_t{0};
    state.responses = {{.category = 2, .set = 5}, {.category = 0, .set = 0}};
    state.members = {1, 2, 3};
    state.course.sum_of_sizes = -1;
    state.course.sampler = {.phi = {0.0, -0.0, 1e308}, .sum_of_sums = 1.0 / 7.0, .updates = 8};
    return state;
}

void write(const std::filesystem::path& path, const EstimatorState& state) {
    write_state(path, state.course, state.responses, state.members);
}

}  // namespace

TEST_CASE("a state is read as it was written", "[estimator_state]") {
    std::vector<EstimatorState> states{some_state(), some_state(), some_state()};
    states[1].course.settings.rule = ByUtility{Utility::mean_squared_error};
    states[1].course.settings.sampler = GibbsSettings{.updates = 3};
    states[2].course.settings.rule = NonAdaptive{};
    states[2].responses.assign(200'000, {.category = 1, .set = 2});
    const ScratchFolder folder("estimator_state");
    const auto path = folder.path() / "state";
    for (const EstimatorState& state : states) {
        write(path, state);
        const EstimatorState read = read_state(path);
        const AdaptiveSettings& there = state.course.settings;
        const AdaptiveSettings& here = read.course.settings;
        CHECK(here.mechanism.categories == there.mechanism.categories);
        CHECK(here.mechanism.epsilon == there.mechanism.epsilon);
        CHECK(here.mechanism.budget_share == there.mechanism.budget_share);
        CHECK(here.mechanism.variant == there.mechanism.variant);
        CHECK((here.rule == there.rule));
        CHECK((here.sampler == there.sampler));
        CHECK(here.prior == there.prior);
        CHECK(here.seed == there.seed);
        CHECK((read.responses == state.responses));
        CHECK(read.members == state.members);
        CHECK(read.course.sum_of_sizes == state.course.sum_of_sizes);
        CHECK((read.course.sampler == state.course.sampler));
        const std::string bytes = read_file(path);
        write(path, read);
        CHECK(read_file(path) == bytes);  // to the bit, -0 too
    }
}

TEST_CASE("a setting that is none of those there are is refused", "[estimator_state]") {
    const ScratchFolder folder("estimator_state");
    EstimatorState state = some_state();
    state.course.settings.mechanism.variant = static_cast<ResponseVariant>(2);
    write(folder.path() / "state", state);
    CHECK_THROWS_WITH(read_state(folder.path() / "state"),
                      Catch::Contains("this adaptive estimator is damaged: a setting is none"));
}

TEST_CASE("a state that cannot be written is an error", "[estimator_state]") {
    const ScratchFolder folder("estimator_state");
    CHECK_THROWS_WITH(write(folder.path(), some_state()), Catch::Contains("cannot be written"));
}
