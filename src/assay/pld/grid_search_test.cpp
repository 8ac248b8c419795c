#include "assay/pld/grid_search.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "assay/numeric/errors.hpp"
#include "assay/privacy/dominating_pair.hpp"
#include "assay/privacy/mechanism.hpp"
#include "test_support/test_support.hpp"

using namespace assay;

namespace {

CompositionPlan plan_of(double sigma, double q, std::int64_t steps) {
    const DominatingPair pair = dominating_pair(SampledGaussian{sigma, q}, Adjacency::add_remove);
    return {std::vector<RepeatedLossPair>{{pair, steps}}, Adjacency::add_remove, 1e-3};
}

constexpr double unknown = std::numeric_limits<double>::infinity();

}  // namespace

TEST_CASE("a search ends at the gap that is required, or at the cheap one", "[pld]") {
    // A pass too many where a gap was told; none where a closer one is cheap.
    const CompositionPlan plan = plan_of(1.0, 0.01, 1000);
    GridSearch told({}, plan, unknown);
    CHECK_FALSE(told.goes_on(9e-4, 1.0, 1.0));
    CHECK(told.note().empty());
    GridSearch close({.cheap_gap = 1e-4}, plan, unknown);
    const PldResolution before = close.resolution();
    CHECK(close.goes_on(9e-4, 1.0, 1.0));
    // Errors are quadratic in the step: ten times less of them, and the reserve of 5 %.
    CHECK(close.resolution().step == Approx(before.step / std::sqrt(10.5)).epsilon(1e-3));
    CHECK_FALSE(close.goes_on(9e-5, 1.0, 1.0));
    CHECK(close.note().empty());
}

TEST_CASE("a closer gap that is not cheap is left", "[pld]") {
    const CompositionPlan plan = plan_of(1.0, 0.01, 1000);
    GridSearch search({.cheap_gap = 1e-4, .most_products = 1e7}, plan, unknown);
    const PldResolution before = search.resolution();
    CHECK_FALSE(search.goes_on(9e-4, 1.0, 1.0));
    CHECK(search.resolution().step == before.step);
    CHECK(search.note().empty());  // the gap that is required was reached
}

TEST_CASE("a search that no longer gains ends and says so", "[pld]") {
    // Passes without end, or a plan with fewer roundings that is never tried.
    const CompositionPlan plan = plan_of(1.0, 0.01, 1000);
    GridSearch search({}, plan, unknown);
    CHECK(search.goes_on(0.5, 10.0, 10.0));
    CHECK_FALSE(search.is_stuck());
    CHECK(search.goes_on(0.49, 10.0, 10.0));
    CHECK_FALSE(search.goes_on(0.49, 10.0, 10.0));
    CHECK(search.is_stuck());
    CHECK_FALSE(search.note().empty());
}

TEST_CASE("a search that follows another method begins coarse and must beat it", "[pld]") {
    // Catches steps so fine that their rounding exceeds a far delta, and passes without end.
    const CompositionPlan plan = plan_of(1.0, 0.01, 1000);
    GridSearch search({}, plan, 0.1);
    CHECK(search.resolution().step ==
          Approx(16.0 * GridSearch({}, plan, unknown).resolution().step).epsilon(1e-3));
    CHECK(search.goes_on(0.1, 10.0, 10.0));
    CHECK_FALSE(search.goes_on(0.1, 10.0, 10.0));
    CHECK(search.is_stuck());
    // The first pass may close the gap further where that is cheap, whatever was known.
    GridSearch close({.cheap_gap = 1e-4}, plan, 1e-3);
    CHECK(close.goes_on(9e-4, 1.0, 1.0));
}

TEST_CASE("the parts of delta that a search may lose stay below its gap", "[pld]") {
    for (const double gap : {1e-2, 1e-3, 1e-4, 1e-6, 1e-9}) {
        const PldOptions options{.relative_gap = gap};
        CHECK(options.negligible_part() < options.allowed_part());
        CHECK(options.allowed_part() <= 0.2 * gap);
    }
    CHECK_THROWS_AS(GridSearch({.relative_gap = 0.0}, plan_of(1.0, 0.01, 10), unknown),
                    DomainError);
    CHECK_THROWS_AS(GridSearch({.most_bytes = 1000}, plan_of(1.0, 0.01, 10), unknown), DomainError);
}
