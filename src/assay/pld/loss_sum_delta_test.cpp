#include "assay/pld/loss_sum.hpp"

#include "assay/pld/pld_accountant.hpp"
#include "test_support/test_support.hpp"

namespace assay {
namespace {

using test_support::Wide;

TEST_CASE("a sum of two evaluated as it stands is tighter than one put on the points",
          "[loss_sum]") {
    DominatingPair pair;
    pair.q = 1e-4L;
    pair.c = 1.0L;
    const auto points = loss_points(1e-8, 3.0, 0.02);
    const LossSum upper(pair, points, Direction::upper, PayoffSide::removal, 1e-50);
    const LossSum lower(pair, points, Direction::lower, PayoffSide::removal, 1e-50);
    for (const double epsilon : {1e-4, 1e-3, 0.01}) {
        CHECK(lower.plus(lower, 0).delta(epsilon) <= lower.delta(epsilon, &lower));
        CHECK(lower.delta(epsilon, &lower) <= upper.delta(epsilon, &upper));
        CHECK(upper.delta(epsilon, &upper) <= upper.plus(upper, 0).delta(epsilon));
    }
}

// mu = 100: e^5000 is no double. Steps with q = 1 - 2^-53 pass through the grids.
TEST_CASE("far epsilons meet the Gaussian's closed form", "[pld_accountant]") {
    const std::vector<Phase> phases{
        {SampledGaussian{.noise_multiplier = 1.0, .sampling_probability = 1.0 - 0x1p-53}, 10000}};
    using test_support::normal_tail_wide;
    for (const double epsilon : {4950.0, 5000.0, 5300.0}) {
        CAPTURE(epsilon);
        const Wide e(epsilon);
        const Wide mu(100.0);
        const Wide truth =
            normal_tail_wide(e / mu - mu / 2) - exp(e) * normal_tail_wide(e / mu + mu / 2);
        const DeltaBracket found =
            pld_delta(phases, Adjacency::add_remove, {&epsilon, 1}).points.front();
        CHECK(Wide(found.removal_lower) <= truth);
        CHECK(Wide(found.removal_upper) >= truth * (1 - Wide(1e-10)));
        CHECK(found.removal_upper - found.removal_lower <= 2e-3 * found.removal_upper);
    }
}

TEST_CASE("divergences at negative or unbounded epsilons are refused", "[loss_sum]") {
    DominatingPair pair;
    pair.q = 1e-4L;
    pair.c = 1.0L;
    const LossSum sum(pair, loss_points(1e-8, 3.0, 0.02), Direction::upper, PayoffSide::removal,
                      1e-50);
    for (const double epsilon : {-1e-300, test_support::infinity, std::nan("")})
        CHECK(test_support::refused([&] { return sum.delta(epsilon); }) == "epsilon");
}

}  // namespace
}  // namespace assay
