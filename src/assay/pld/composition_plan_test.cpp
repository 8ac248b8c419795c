#include "assay/pld/composition_plan.hpp"

#include "assay/pld/discretise.hpp"
#include "assay/pld/hockey_stick.hpp"
#include "test_support/test_support.hpp"

namespace assay {
namespace {

DominatingPair removal(real q, real c) {
    DominatingPair pair;
    pair.q = q;
    pair.c = c;
    return pair;
}

TEST_CASE("blocks multiply up to all steps, on either side of mean 1", "[composition_plan]") {
    const std::vector<RepeatedLossPair> pairs{{removal(0.001L, 1.0L), 1003},
                                              {removal(0.1L, 0.5L), 7}};
    const CompositionPlan plan(pairs, Adjacency::add_remove, 1e-3);
    const PldResolution resolution{.spacing = 0.05, .step = short_step(2e-3)};
    for (const Direction direction : {Direction::upper, Direction::lower}) {
        const LossBlocks blocks = plan.blocks(direction, resolution);
        // 1003 = 3 * 256 + 128 + 64 + 32 + 8 + 2 + 1, and 7.
        CHECK(blocks.counts == std::vector<std::int64_t>{1, 1, 1, 1, 1, 1, 3, 7});
        CHECK(plan.factors() == 16.0);
        const PrivacyLossPmf distribution = convolve(blocks.parts(), 0.0);
        double mass = 0.0;
        double mean = 0.0;
        for (std::size_t i = 0; i < distribution.masses.size(); ++i) {
            const double under_q = distribution.masses[i] * std::exp(distribution.log_scale);
            mass += under_q;
            mean += under_q * std::exp(distribution.loss(i));
        }
        CHECK(mass == Approx(1.0).epsilon(1e-9));
        CHECK(mean == Approx(1.0).epsilon(1e-9));
    }
}

TEST_CASE("Gaussians become one, nothing released takes no block", "[composition_plan]") {
    DominatingPair nothing = removal(0.0L, 0.0L);
    const std::vector<RepeatedLossPair> pairs{
        {removal(1.0L, 0.3L), 16}, {nothing, 100}, {removal(1.0L, 0.5L), 4}};
    const CompositionPlan plan(pairs, Adjacency::add_remove, 1e-3);
    CHECK(plan.factors() == 1.0);
    CHECK(plan.scale() == Approx(std::sqrt(16 * 0.09 + 4 * 0.25)));
    const PldResolution resolution{.spacing = 0.05, .step = short_step(1e-2)};
    CHECK(plan.blocks(Direction::upper, resolution).counts == std::vector<std::int64_t>{1});
    const std::vector<RepeatedLossPair> empty{{nothing, 3}};
    CHECK(CompositionPlan(empty, Adjacency::add_remove, 1e-3).factors() == 0.0);
}

}  // namespace
}  // namespace assay
