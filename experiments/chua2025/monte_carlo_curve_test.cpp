#include "experiments/chua2025/monte_carlo_curve.hpp"

#include "test_support/scratch_folder.hpp"
#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::experiments::chua2025;

namespace {

MonteCarloPlan plan_of(SamplingMethod method) {
    MonteCarloPlan plan;
    plan.mechanism = {.noise_multiplier = 0.5, .batches_per_epoch = 50};
    plan.epsilons = {0.0, 1.0, 2.0};
    plan.method = method;
    plan.seed = 7;
    return plan;
}

}  // namespace

TEST_CASE("a curve does not depend on threads or on having been kept", "[chua2025]") {
    const MonteCarloPlan plan = plan_of(SamplingMethod::plain);
    MonteCarloEffort effort{.samples = 20000};
    const BothDirections one = monte_carlo_both(plan, effort);
    effort.threads = 2;
    const ScratchFolder folder("chua2025");
    effort.checkpoints = folder.path() / "kept";
    const BothDirections two = monte_carlo_both(plan, effort);
    const BothDirections resumed = monte_carlo_both(plan, effort);
    for (std::size_t i = 0; i < plan.epsilons.size(); ++i) {
        CHECK(one.larger[i].mean == two.larger[i].mean);
        CHECK(one.larger[i].upper == two.larger[i].upper);
        CHECK(one.larger[i].curve_upper == resumed.larger[i].curve_upper);
    }
}

TEST_CASE("a bound for the whole curve is above that for one point", "[chua2025]") {
    const BothDirections both = monte_carlo_both(plan_of(SamplingMethod::plain), {.samples = 5000});
    for (const DeltaMonteCarlo& point : both.larger) {
        CHECK(point.mean < point.upper);
        CHECK(point.upper < point.curve_upper);
        CHECK(point.mean < point.bernstein);
    }
}

TEST_CASE("a rare event is its own bound", "[chua2025]") {
    MonteCarloPlan plan = plan_of(SamplingMethod::importance);
    plan.mechanism = {.noise_multiplier = 0.3, .batches_per_epoch = 2000};
    plan.direction = LossDirection::addition;
    plan.epsilons = {0.5, 9.0};
    const auto curve = monte_carlo_curve(plan, {.samples = 400});
    REQUIRE(curve.size() == 2);
    CHECK(curve[0].kl_upper > 1e-3);
    CHECK(curve[1].mean == 0.0);
    CHECK(curve[1].kl_upper > 0.0);
    CHECK(curve[1].kl_upper < 1e-30);
}

TEST_CASE("measured seconds are not compared", "[chua2025]") {
    CHECK(measured_seconds().golden_tolerance < 1.0);
    CHECK(measured_seconds().golden_tolerance * 5.0 >= 5.0 - 0.001);
    CHECK(thread_seconds() >= 0.0);
}
