#include "assay/monte_carlo/conditional_monte_carlo.hpp"

#include "assay/epochs/deterministic_batches.hpp"
#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::test_support;

namespace {

MeanEstimate run(const ConditionalPlan& plan, std::int64_t samples) {
    const ConditionalSampler sampler(plan);
    std::vector<double> total(sampler.number_of_sums());
    std::vector<double> block(total.size());
    std::int64_t drawn = 0;
    for (std::uint64_t b = 0; drawn < samples; ++b, drawn += sampler.trials_per_block()) {
        sampler.run_block(b, block);
        for (std::size_t i = 0; i < block.size(); ++i) total[i] += block[i];
    }
    return conditional_estimate(total, drawn).front();
}

}  // namespace

TEST_CASE("conditional Monte Carlo within independent brackets", "[conditional_monte_carlo]") {
    struct Case {
        LossDirection direction;
        std::int64_t steps;
        double s, eps, low, high, relative;
    };
    using enum LossDirection;
    // Deterministic brackets computed elsewhere; `relative` is the standard error to reach.
    for (const Case& c :
         {Case{removal, 36133, 0.4, 1, 0.0003211407053085929, 0.0003211507534615075, 0.01},
          Case{removal, 5000, 0.4, 12, 4.4853871033853757e-13, 4.485405671854056e-13, 1e-4},
          Case{removal, 100, 0.7, 3, 5.389297661407023e-07, 5.389699608396996e-07, 0.01},
          Case{addition, 12497, 0.4, 0.5, 1.6675148644248513e-11, 1.6813532154135318e-11, 0.06},
          Case{addition, 1000, 0.5, 0.3, 0.001779576177704238, 0.0017801954003019537, 0.03},
          Case{addition, 2, 0.5, 4, 0.016611860190667377, 0.0166118602238911, 0.03}}) {
        CAPTURE(c.steps, c.s, c.eps);
        const MeanEstimate found = run({{c.s, c.steps}, c.direction, {c.eps}, 3}, 3000 * effort());
        CHECK(found.mean > c.low - 5.0 * found.standard_error);
        CHECK(found.mean < c.high + 5.0 * found.standard_error);
        CHECK(found.standard_error < c.relative * c.high);
    }
}

TEST_CASE("one step integrates everything", "[conditional_monte_carlo]") {
    const double truth = deterministic_delta({0.9, 1}, 0.7).midpoint();
    const MeanEstimate found = run({{0.9, 1}, LossDirection::removal, {0.7}, 1}, 100);
    CHECK(found.mean == Approx(truth).epsilon(1e-12));
    CHECK(found.standard_error < 1e-8);
}

TEST_CASE("conditional Monte Carlo refuses", "[conditional_monte_carlo]") {
    const auto refusal = [](const ConditionalPlan& plan) {
        return refused([&] { return ConditionalSampler(plan).number_of_sums(); });
    };
    CHECK(refusal({{0.5, 0}, LossDirection::removal, {1.0}, 1}) == "batches-per-epoch");
    CHECK(refusal({{0.03, 5}, LossDirection::removal, {1.0}, 1}) == "noise-multiplier");
    CHECK(refusal({{0.5, 5}, LossDirection::removal, {}, 1}) == "epsilon");
    CHECK(refusal({{0.5, 5}, LossDirection::addition, {std::nan("")}, 1}) == "epsilon");
    CHECK(refused([] { return conditional_estimate(std::vector<double>{1.0, 1.0}, 1); }) == "m");
}
