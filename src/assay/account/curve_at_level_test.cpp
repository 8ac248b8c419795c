#include "assay/account/curve_at_level.hpp"

#include <boost/math/distributions/normal.hpp>
#include <catch2/catch.hpp>

#include "assay/account/trade_off.hpp"

namespace assay {

namespace {

const Release gaussian_step{Adjacency::add_remove, {{Gaussian{1.0}, 1}}};

/// One of which nothing is known.
DivergenceProfile unknown_profile() {
    DivergenceProfile profile;
    profile.at = [](double epsilon) { return DivergenceSample{epsilon, {0.0, 1.0}, {0.0, 1.0}}; };
    profile.most_samples = 1;
    return profile;
}

}  // namespace

// Catches a sample at a smaller epsilon or of a smaller delta than were answered.
TEST_CASE("answers of epsilon bound the power of a tiny level", "[curve_at_level]") {
    const boost::math::normal_distribution<long double> normal;
    for (const double level : {1e-20, 1e-100, 1e-290}) {
        DivergenceProfile profile = unknown_profile();
        const TradeOffCurve curve =
            curve_at_level(gaussian_step, {}, level, profile, TradeOffCurve({profile.at(0.0)}));
        const long double z = quantile(complement(normal, static_cast<long double>(level)));
        const auto power = static_cast<double>(cdf(complement(normal, z - 1.0L)));
        const double upper = curve.true_positive_rate(level, TestDirection::worst).upper;
        INFO(level << ": at most " << upper << ", exactly " << power);
        CHECK(upper >= power * (1.0 - 1e-12));
        CHECK(upper <= 3.0 * power);
        CHECK_FALSE(profile.note.empty());  // the lower side is still 0
    }
}

TEST_CASE("levels that grids resolve are left as they are", "[curve_at_level]") {
    DivergenceProfile profile = unknown_profile();
    const TradeOffCurve curve =
        curve_at_level(gaussian_step, {}, 1e-3, profile, TradeOffCurve({profile.at(0.0)}));
    CHECK(curve.samples().size() == 1);
    CHECK(profile.note.empty());
}

// Without those answers the sides are at least 45 orders of magnitude apart, and the power at
// 1e-300 may be larger than the one at 1e-100.
TEST_CASE("sampled steps have close sides at tiny levels", "[curve_at_level]") {
    const Release release{Adjacency::add_remove, {{SampledGaussian{2.0, 1e-4}, 1'000'000}}};
    double before = 0.0;
    for (const double level : {1e-300, 1e-100}) {
        const Bracket power = true_positive_rate(release, level);
        INFO(level << ": " << describe(power, 12));
        CHECK(power.upper.value >= before);
        before = power.upper.value;
        CHECK(power.upper.value <= (level < 1e-290 ? 1e5 : 10.0) * power.lower.value);
        CHECK((!power.note.empty() || power.upper.value <= 2.0 * power.lower.value));
    }
}

}  // namespace assay
