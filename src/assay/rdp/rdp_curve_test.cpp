#include "assay/rdp/rdp_curve.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "assay/numeric/errors.hpp"
#include "assay/privacy/citations.hpp"
#include "assay/rdp/rdp_to_epsilon_delta.hpp"
#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::test_support;

namespace {

const std::vector<double> curve_orders{1.5, 2.0, 8.0, 32.0};
const Mechanism poisson_step =
    SampledGaussian{.noise_multiplier = 2.0, .sampling_probability = 0.01};
const Mechanism fixed_step =
    FixedSizeGaussian{.noise_multiplier = 3.0, .sampling_probability = 0.02};

}  // namespace

TEST_CASE("a curve takes its side from the exact enclosure", "[rdp_curve]") {
    const RdpCurve upper =
        exact_curve(fixed_step, Adjacency::replace_one, Direction::upper, curve_orders);
    const RdpCurve lower =
        exact_curve(fixed_step, Adjacency::replace_one, Direction::lower, curve_orders);
    const auto exact = exact_rdp(fixed_step, Adjacency::replace_one, curve_orders);
    CHECK(upper.orders == curve_orders);
    for (std::size_t i = 0; i < curve_orders.size(); ++i) {
        CHECK(upper.epsilons[i] == exact[i].upper);
        CHECK(lower.epsilons[i] == exact[i].lower);
    }
    CHECK(upper.adjacency == Adjacency::replace_one);
    CHECK(upper.theorems == std::vector<Theorem>{cite::fixed_size_replace_one});
    CHECK(upper.standing() == Standing::ours);
    CHECK(lower.theorems == std::vector<Theorem>{cite::attained});
    CHECK(lower.standing() == Standing::published);
    CHECK_THROWS_AS(
        exact_curve(fixed_step, Adjacency::replace_one, Direction::estimate, curve_orders),
        DirectionError);
    CHECK_THROWS_AS(exact_curve(fixed_step, Adjacency::zero_out, Direction::upper, curve_orders),
                    UnsupportedMechanism);
}

TEST_CASE("repetition multiplies, rounded to the curve's side", "[rdp_curve]") {
    const RdpCurve upper =
        exact_curve(poisson_step, Adjacency::add_remove, Direction::upper, curve_orders);
    const RdpCurve lower =
        exact_curve(poisson_step, Adjacency::add_remove, Direction::lower, curve_orders);
    for (const std::int64_t steps :
         {std::int64_t{1}, std::int64_t{3}, std::int64_t{104166}, std::int64_t{1'000'000'000}}) {
        const RdpCurve many = repeated(upper, steps);
        const RdpCurve few = repeated(lower, steps);
        for (std::size_t i = 0; i < curve_orders.size(); ++i) {
            CAPTURE(steps, curve_orders[i]);
            const Wide above = Wide(upper.epsilons[i]) * Wide(steps);
            const Wide below = Wide(lower.epsilons[i]) * Wide(steps);
            CHECK(Wide(many.epsilons[i]) >= above);
            CHECK(Wide(many.epsilons[i]) <= above * (1 + Wide(0x1p-51)));
            CHECK(Wide(few.epsilons[i]) <= below);
            CHECK(Wide(few.epsilons[i]) >= below * (1 - Wide(0x1p-51)));
        }
        CHECK(many.direction == Direction::upper);
        CHECK(few.direction == Direction::lower);
    }
    CHECK_THROWS_AS(repeated(upper, 0), DomainError);
    CHECK_THROWS_AS(repeated(upper, -5), DomainError);
    RdpCurve vacuous_curve = upper;
    vacuous_curve.epsilons[0] = infinity;
    CHECK(repeated(vacuous_curve, 7).epsilons[0] == infinity);
}

TEST_CASE("repetition is rounded outward where the product hides below extended precision",
          "[rdp_curve]") {
    // epsilon * steps = m 2^30 +- 1 with 52 bits in m: 64 bits cannot tell it from m 2^30.
    RdpCurve curve;
    curve.orders = {2.0};
    curve.epsilons = {5859129174551765.0};
    constexpr double above = 2252039758769226.0 * 0x1p30;
    REQUIRE(Wide(5859129174551765.0) * 412707965 == Wide(above) + 1);
    CHECK(repeated(curve, 412707965).epsilons[0] > above);
    curve.direction = Direction::lower;
    curve.epsilons = {7192074256672483.0};
    constexpr double below = 2251887533109930.0 * 0x1p30;
    REQUIRE(Wide(7192074256672483.0) * 336195893 == Wide(below) - 1);
    CHECK(repeated(curve, 336195893).epsilons[0] < below);
}

TEST_CASE("composition adds, rounded to the curve's side, and keeps all theorems", "[rdp_curve]") {
    Random random(201);
    CAPTURE(random.seed());
    for (const Direction direction : {Direction::upper, Direction::lower}) {
        RdpCurve first = exact_curve(poisson_step, Adjacency::replace_one, direction, curve_orders);
        RdpCurve second = exact_curve(fixed_step, Adjacency::replace_one, direction, curve_orders);
        for (int repeat = 0; repeat < 50 * effort(); ++repeat) {
            for (std::size_t i = 0; i < curve_orders.size(); ++i) {
                first.epsilons[i] = random.log_uniform(1e-20, 1e3);
                second.epsilons[i] = random.log_uniform(1e-20, 1e3);
            }
            const RdpCurve both = composed(first, second);
            for (std::size_t i = 0; i < curve_orders.size(); ++i) {
                const Wide exact = Wide(first.epsilons[i]) + Wide(second.epsilons[i]);
                if (direction == Direction::upper)
                    REQUIRE(Wide(both.epsilons[i]) >= exact);
                else
                    REQUIRE(Wide(both.epsilons[i]) <= exact);
                REQUIRE(abs(Wide(both.epsilons[i]) - exact) <= exact * Wide(0x1p-51));
            }
        }
        const RdpCurve both = composed(first, second);
        if (direction == Direction::upper)
            CHECK(both.theorems ==
                  std::vector<Theorem>{cite::poisson_replace_one, cite::fixed_size_replace_one});
        else
            CHECK(both.theorems == std::vector<Theorem>{cite::attained});
        CHECK(both.direction == direction);
    }
}

TEST_CASE("standing is published only when all theorems are", "[rdp_curve]") {
    const RdpCurve published =
        exact_curve(poisson_step, Adjacency::add_remove, Direction::upper, curve_orders);
    const RdpCurve also =
        exact_curve(fixed_step, Adjacency::add_remove, Direction::upper, curve_orders);
    CHECK(composed(published, also).standing() == Standing::published);
    const RdpCurve ours = exact_curve(FixedSizeWithReplacementGaussian{2.0, 3, 100},
                                      Adjacency::add_remove, Direction::upper, curve_orders);
    CHECK(ours.standing() == Standing::ours);
    CHECK(composed(published, ours).standing() == Standing::ours);
    CHECK(composed(ours, published).standing() == Standing::ours);
}

TEST_CASE("what does not fit together is not composed", "[rdp_curve]") {
    const RdpCurve upper =
        exact_curve(poisson_step, Adjacency::add_remove, Direction::upper, curve_orders);
    const RdpCurve lower =
        exact_curve(poisson_step, Adjacency::add_remove, Direction::lower, curve_orders);
    const RdpCurve other =
        exact_curve(poisson_step, Adjacency::replace_one, Direction::upper, curve_orders);
    const std::vector<double> fewer{1.5, 2.0};
    CHECK_THROWS_AS(composed(upper, lower), DirectionError);
    CHECK_THROWS_AS(composed(upper, other), DirectionError);
    CHECK_THROWS_AS(
        composed(upper, exact_curve(poisson_step, Adjacency::add_remove, Direction::upper, fewer)),
        DirectionError);
    RdpCurve guess = upper;
    guess.direction = Direction::estimate;
    CHECK_THROWS_AS(composed(guess, guess), DirectionError);
    CHECK_THROWS_AS(repeated(guess, 2), DirectionError);
}

TEST_CASE("epsilon of a curve is the least over its orders", "[rdp_curve]") {
    const RdpCurve curve = repeated(
        exact_curve(fixed_step, Adjacency::add_remove, Direction::upper, curve_orders), 1000);
    for (const double delta : {1e-300, 1e-9, 1e-3, 0.5}) {
        double least = infinity;
        double at = 0.0;
        for (std::size_t i = 0; i < curve_orders.size(); ++i) {
            const double value =
                canonne2020_epsilon(curve_orders[i], exactly(curve.epsilons[i]), delta).upper;
            if (value < least) {
                least = value;
                at = curve_orders[i];
            }
        }
        const CurveEpsilon answer = curve_epsilon(curve, delta);
        CAPTURE(delta);
        CHECK(answer.epsilon.value == least);
        CHECK(answer.order == at);
        CHECK(answer.epsilon.direction == Direction::upper);
    }
    const RdpCurve lower = repeated(
        exact_curve(fixed_step, Adjacency::add_remove, Direction::lower, curve_orders), 1000);
    CHECK(curve_epsilon(lower, 1e-5).epsilon.value <= curve_epsilon(curve, 1e-5).epsilon.value);
    CHECK(curve_epsilon(lower, 1e-5).epsilon.direction == Direction::lower);
    CHECK(curve_epsilon(curve, 1e-5).epsilon.value ==
          Approx(curve_epsilon(lower, 1e-5).epsilon.value).epsilon(1e-12));
}

TEST_CASE("the papers' composition at 104166 steps", "[rdp_curve]") {
    const Mechanism cifar = FixedSizeGaussian{6.0, 0.0024};
    const RdpCurve curve = repeated(
        exact_curve(cifar, Adjacency::replace_one, Direction::upper, opacus_orders()), 104166);
    const CurveEpsilon answer = curve_epsilon(curve, 1e-5);
    // independent 30-digit value
    CHECK(answer.epsilon.value == Approx(1.08384437963046927521973814345).epsilon(1e-12));
    CHECK(answer.order == 17.0);
    const RdpCurve other = repeated(exact_curve(FixedSizeGaussian{2.0, 0.01}, Adjacency::add_remove,
                                                Direction::upper, opacus_orders()),
                                    1000);
    // independent 30-digit value
    CHECK(curve_epsilon(other, 1e-6).epsilon.value ==
          Approx(2.43669380302214324932111862603).epsilon(1e-12));
}
