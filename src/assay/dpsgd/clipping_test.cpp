#include "assay/dpsgd/clipping.hpp"

#include <algorithm>
#include <limits>

#include "test_support/test_support.hpp"

using namespace assay;
using test_support::infinity;
using test_support::Random;
using test_support::refused;
using test_support::Wide;

namespace {
constexpr double budget = clipping_budget<float>;
}  // namespace

TEST_CASE("factor times norm stays below the clip norm, with the budget", "[dpsgd]") {
    Random random(2);
    CAPTURE(random.seed());
    for (int i = 0; i < 5000 * test_support::effort(); ++i) {
        const double clip_norm = random.log_uniform(1e-20, 1e20);
        const double norm = clip_norm * (i % 2 == 0 ? random.log_uniform(1e-9, 1e15)
                                                    : random.uniform(1.0 - 1e-5, 1.0 + 1e-5));
        const auto squared = static_cast<long double>(norm) * norm;
        const Clipping clipping = clip(squared, clip_norm, budget);
        CAPTURE(norm, clip_norm);
        const Wide exact = sqrt(Wide(squared)) * (1 + Wide(budget));
        CHECK(Wide(clipping.factor) * exact <= Wide(clip_norm));
        CHECK(clipping.factor >= std::min(1.0L, clip_norm / norm * (1.0L - 2.0L * budget)));
        CHECK(clipping.clipped == (clipping.factor < 1.0L));
        CHECK(clipping.norm == Approx(norm).epsilon(2e-6));
        CHECK_FALSE(clipping.refused);
    }
}

TEST_CASE("a norm that is not a finite number is refused with the factor 0", "[dpsgd]") {
    for (const long double bad : {std::numeric_limits<long double>::infinity(),
                                  std::numeric_limits<long double>::quiet_NaN(), -1.0L, 1e700L}) {
        const Clipping clipping = clip(bad, 1.0, budget);
        CHECK(clipping.factor == 0.0L);
        CHECK(clipping.refused);
        CHECK_FALSE(clipping.clipped);
        CHECK(clipping.norm == 0.0);
    }
    CHECK(clip(0.0L, 1e-20, budget).factor == 1.0L);
}

TEST_CASE("clip norms that are no positive number of sense are refused", "[dpsgd]") {
    for (const double bad : {0.0, -1.0, 1e-21, 1e21, std::nan(""), infinity})
        CHECK(refused([&] { return clip(1.0L, bad, budget); }) == "clip_norm");
}
