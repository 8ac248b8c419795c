#include "assay/rdp/rdp_sum.hpp"

#include "assay/numeric/errors.hpp"
#include "assay/privacy/citations.hpp"
#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::test_support;

namespace {

Bound bound_above(double value, Theorem theorem = cite::mironov2017_gaussian) {
    return {value, Direction::upper, theorem};
}
Bound bound_below(double value) {
    return {value, Direction::lower, cite::attained};
}

}  // namespace

TEST_CASE("sums stand on their side, and close to it", "[rdp_sum]") {
    CAPTURE(20261123);
    Random random(20261123);
    for (int trial = 0; trial < 200; ++trial) {
        RdpSum above(Direction::upper);
        RdpSum below(Direction::lower);
        Wide exact = 0;
        for (int term = 0; term < 1 + trial % 7; ++term) {
            const double value = random.log_uniform(1e-12, 1e6);
            const auto steps = static_cast<std::int64_t>(random.log_uniform(1.0, 1e12));
            above.add(bound_above(value), steps);
            below.add(bound_below(value), steps);
            exact += Wide(value) * Wide(steps);
        }
        CHECK(Wide(above.value()) >= exact);
        CHECK(Wide(below.value()) <= exact);
        CHECK(above.value() - below.value() <= 1e-15 * above.value());
    }
}

TEST_CASE("one bound, once, stays as it is", "[rdp_sum]") {
    RdpSum sum(Direction::upper);
    CHECK(sum.value() == 0.0);
    sum.add(bound_above(0.1), 1);
    CHECK(sum.value() == 0.1);
    sum.add(bound_above(0.0), 1);
    CHECK(sum.value() >= 0.1);
    RdpSum infinite(Direction::upper);
    infinite.add(bound_above(HUGE_VAL), 3);
    CHECK(infinite.value() == HUGE_VAL);
}

TEST_CASE("a sum names its theorems once, and has the weakest standing", "[rdp_sum]") {
    RdpSum sum(Direction::upper);
    sum.add(bound_above(1.0), 2);
    sum.add(bound_above(2.0), 2);
    CHECK(sum.theorems().size() == 1);
    CHECK(sum.standing() == Standing::published);
    sum.add(bound_above(1.0, cite::poisson_replace_one), 1);
    CHECK(sum.theorems().size() == 2);
    CHECK(sum.standing() == Standing::ours);
}

TEST_CASE("bounds of two sides have no sum", "[rdp_sum]") {
    RdpSum sum(Direction::upper);
    CHECK_THROWS_AS(sum.add(bound_below(1.0), 1), DirectionError);
    CHECK_THROWS_AS(RdpSum(Direction::estimate), DirectionError);
}

TEST_CASE("phases of one mechanism are one phase", "[rdp_sum]") {
    const std::vector<double> orders{2.0, 8.0};
    const Mechanism step = SampledGaussian{2.0, 0.01};
    const std::vector<Phase> cut{{step, 30}, {step, 70}};
    const std::vector<Phase> whole{{step, 100}};
    const auto two = composed_rdp(cut, Adjacency::add_remove, orders);
    const auto one = composed_rdp(whole, Adjacency::add_remove, orders);
    for (std::size_t i = 0; i < orders.size(); ++i) {
        CHECK(two[i].order == orders[i]);
        CHECK(two[i].upper.value() == Approx(one[i].upper.value()).epsilon(1e-14));
        CHECK(two[i].lower.value() <= one[i].upper.value());
        CHECK(one[i].lower.value() <= two[i].upper.value());
    }
}
