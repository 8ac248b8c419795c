#include "assay/pld/loss_sum.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "test_support/test_support.hpp"

namespace assay {
namespace {

DominatingPair poisson(real q, real c) {
    DominatingPair pair;
    pair.q = q;
    pair.c = c;
    return pair;
}

real tail(real z) {
    return 0.5L * std::erfc(z / std::numbers::sqrt2_v<real>);
}

/// E_Q (W - k)_+, W = 1 - q + q e^{cz - c^2/2}.
real excess(const DominatingPair& pair, real k) {
    const real above = k - 1 + pair.q;
    if (above <= 0) return 1 - k;
    const real z = std::log(above / pair.q) / pair.c + pair.c / 2;
    return pair.q * tail(z - pair.c) - above * tail(z);
}

/// E_Q (V W - k)_+ of independent steps, by Simpson's rule over the first.
real excess_of_both(const DominatingPair& first, const DominatingPair& second, real k) {
    constexpr int nodes = 8000;
    const real from = -13;
    const real step = (26 + first.c) / nodes;
    real sum = 0;
    for (int i = 0; i <= nodes; ++i) {
        const real z = from + step * static_cast<real>(i);
        const real ratio = 1 - first.q + first.q * std::exp(first.c * z - first.c * first.c / 2);
        const real weight = i == 0 || i == nodes ? 1 : (i % 2 == 1 ? 4 : 2);
        sum += weight * std::exp(-z * z / 2) * ratio * excess(second, k / ratio);
    }
    return sum * step / 3 / std::sqrt(2 * std::numbers::pi_v<real>);
}

TEST_CASE("the sum of two different steps contains the integral over both", "[loss_sum]") {
    const DominatingPair first = poisson(0.01L, 1.0L);
    const DominatingPair second = poisson(1e-3L, 2.0L);
    const auto points = loss_points(1e-8, 40.0, 0.02);
    const auto sum = [&](Direction direction, bool turned) {
        const LossSum one(first, points, direction, PayoffSide::removal, 1e-50);
        const LossSum other(second, points, direction, PayoffSide::removal, 1e-50);
        return turned ? other.plus(one, 0) : one.plus(other, 0);
    };
    const LossSum lower = sum(Direction::lower, false);
    const LossSum upper = sum(Direction::upper, false);
    for (const double epsilon : {0.0, 1e-3, 0.02, 0.3, 2.0}) {
        const auto truth =
            static_cast<double>(excess_of_both(first, second, std::exp(real{epsilon})));
        CAPTURE(epsilon, truth, lower.delta(epsilon), upper.delta(epsilon));
        CHECK(lower.delta(epsilon) <= truth * (1.0 + 1e-8));
        CHECK(upper.delta(epsilon) >= truth * (1.0 - 1e-8));
        CHECK(upper.delta(epsilon) - lower.delta(epsilon) <= 0.05 * truth);
        CHECK(sum(Direction::lower, true).delta(epsilon) ==
              Approx(lower.delta(epsilon)).epsilon(1e-12));
        CHECK(sum(Direction::upper, true).delta(epsilon) ==
              Approx(upper.delta(epsilon)).epsilon(1e-12));
    }
}

TEST_CASE("merged small losses widen a sum and keep it on its side", "[loss_sum]") {
    const DominatingPair pair = poisson(0.01L, 1.0L);
    const auto points = loss_points(1e-8, 40.0, 0.02);
    const LossSum lower(pair, points, Direction::lower, PayoffSide::removal, 1e-50);
    const LossSum upper(pair, points, Direction::upper, PayoffSide::removal, 1e-50);
    const auto below = std::ranges::lower_bound(points->loss, 3e-3);
    const int kept = static_cast<int>(below - points->loss.begin());
    for (const double epsilon : {0.0, 1e-3, 0.02, 0.3}) {
        const auto truth = static_cast<double>(excess_of_both(pair, pair, std::exp(real{epsilon})));
        const double merged_lower = lower.plus(lower, kept).delta(epsilon);
        const double merged_upper = upper.plus(upper, kept).delta(epsilon);
        CAPTURE(epsilon, truth, merged_lower, merged_upper);
        CHECK(merged_lower <= truth * (1.0 + 1e-8));
        CHECK(merged_upper >= truth * (1.0 - 1e-8));
        CHECK(merged_lower <= lower.plus(lower, 0).delta(epsilon) * (1.0 + 1e-12));
        CHECK(merged_upper >= upper.plus(upper, 0).delta(epsilon) * (1.0 - 1e-12));
    }
    CHECK(lower.plus(lower, kept).delta(0.0) < 0.99 * lower.plus(lower, 0).delta(0.0));
    CHECK(upper.plus(upper, kept).delta(1e-3) > 1.001 * upper.plus(upper, 0).delta(1e-3));
}

TEST_CASE("sums on different points or sides are refused", "[loss_sum]") {
    const auto points = loss_points(1e-8, 3.0, 0.02);
    const auto on = [](const std::shared_ptr<const LossPoints>& where, Direction direction) {
        return LossSum(poisson(0.01L, 1.0L), where, direction, PayoffSide::removal, 1e-50);
    };
    const LossSum upper = on(points, Direction::upper);
    CHECK_THROWS_AS(upper.plus(on(loss_points(1e-7, 3.0, 0.02), Direction::upper), 0), Error);
    CHECK_THROWS_AS(upper.plus(on(points, Direction::lower), 0), Error);
}

}  // namespace
}  // namespace assay
