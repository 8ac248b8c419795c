#include "assay/pld/loss_sum.hpp"

#include <algorithm>
#include <cmath>

#include "assay/pld/near_bracket.hpp"
#include "test_support/removal_delta.hpp"
#include "test_support/test_support.hpp"

namespace assay {
namespace {

using test_support::Wide;

TEST_CASE("sums of small losses contain the integral over one and two steps", "[loss_sum]") {
    for (const long double q : {1e-13L, 1e-8L, 0.01L})
        for (const long double c : {0.05L, 1.0L, 2.0L})
            for (const int steps : {1, 2}) {
                DominatingPair pair;
                pair.q = q;
                pair.c = c;
                const RepeatedLossPair repeated{pair, steps};
                NearPlan plan({&repeated, 1}, Adjacency::add_remove);
                plan.negligible = 1e-50;
                const NearBracket bracket(plan, 0.01);
                for (const long double z : {0.0L, 1.5L, 4.0L}) {
                    CAPTURE(q, c, steps, z);
                    const long double kappa = q * std::expm1(c * z);
                    const auto epsilon = static_cast<double>(std::log1p(kappa));
                    const double truth = test_support::removal_delta(q, c, epsilon, steps);
                    const DeltaSides sides = bracket.at(epsilon);
                    CHECK(sides.removal_lower <= truth * (1.0 + 1e-9));
                    CHECK(sides.removal_upper >= truth * (1.0 - 1e-9));
                    CHECK(sides.removal_upper - sides.removal_lower <= 0.03 * truth);
                }
            }
}

TEST_CASE("masses at the end of the doubles leave to the safe side", "[loss_sum]") {
    // Under Q they are below 1e-308, under P e^560 times as much: most of delta.
    DominatingPair pair;
    pair.q = 1e-10L;
    pair.c = 20.0L;
    const auto points = loss_points(1e-3, 590.0, 0.02);
    const LossSum upper(pair, points, Direction::upper, PayoffSide::removal, 1e-200);
    const LossSum lower(pair, points, Direction::lower, PayoffSide::removal, 1e-200);
    for (const double epsilon : {200.0, 400.0, 540.0, 560.0, 588.0}) {
        const Wide e(epsilon);
        const Wide q(pair.q);
        const Wide kappa = exp(e) - 1;
        const Wide t = 10 + log(1 + kappa / q) / 20;
        using test_support::normal_tail_wide;
        const Wide truth = q * normal_tail_wide(t - 20) - (kappa + q) * normal_tail_wide(t);
        CAPTURE(epsilon, lower.delta(epsilon), upper.delta(epsilon));
        CHECK(Wide(lower.delta(epsilon)) <= truth);
        CHECK(Wide(upper.delta(epsilon)) >= truth);
        CHECK(Wide(lower.plus(lower, 0).delta(epsilon)) <= upper.plus(upper, 0).delta(epsilon));
    }
    // Three steps, whose divergence falls from 3.311e-37 at 464.3 (nested quadrature).
    pair.q = 9.778007364477649e-12L;
    pair.c = 1.0L / 0.05833718076695665L;
    const RepeatedLossPair repeated{pair, 3};
    NearPlan plan({&repeated, 1}, Adjacency::add_remove);
    plan.negligible = 1e-120;
    CHECK(NearBracket(plan, 0.02, false).at(480.0).removal_lower <= 3.312e-37);
}

TEST_CASE("the addition is the removal of the mirrored pair", "[loss_sum]") {
    DominatingPair pair;
    pair.shape = DominatingPair::Shape::antipodal;
    pair.q = 1e-9L;
    pair.c = 1.0L;
    const auto points = loss_points(1e-13, 1e-4, 0.02);
    for (const Direction direction : {Direction::lower, Direction::upper}) {
        const LossSum removal(pair, points, direction, PayoffSide::removal, 1e-60);
        const LossSum addition(pair, points, direction, PayoffSide::addition, 1e-60);
        for (const double epsilon : {0.0, 1e-9, 5e-9}) {
            CAPTURE(epsilon);
            const double removed = removal.plus(removal, 0).delta(epsilon);
            CHECK(std::fabs(addition.plus(addition, 0).delta(epsilon) - removed) <= 1e-6 * removed);
        }
    }
}

}  // namespace
}  // namespace assay
