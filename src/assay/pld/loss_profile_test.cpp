#include "assay/pld/loss_profile.hpp"

#include <cmath>

#include "test_support/test_support.hpp"

namespace assay {
namespace {

using test_support::normal_density;
using test_support::trapezoid;

/// Both divergences of one Poisson step at e^epsilon = k, in closed form.
struct OneStep {
    double q;
    double shift;

    [[nodiscard]] static double tail(double z) { return 0.5 * std::erfc(z / std::sqrt(2.0)); }
    [[nodiscard]] double kink(double ratio) const {
        return 0.5 * shift + std::log((ratio - 1.0 + q) / q) / shift;
    }
    [[nodiscard]] double removal(double k) const {
        if (k <= 1.0 - q) return 1.0 - k;
        const double z = kink(k);
        return (1.0 - q - k) * tail(z) + q * tail(z - shift);
    }
    [[nodiscard]] double addition(double k) const {  // E (1 - kW)_+
        if (1.0 / k <= 1.0 - q) return 0.0;
        const double z = kink(1.0 / k);
        return (1.0 - k * (1.0 - q)) * tail(-z) - k * q * tail(shift - z);
    }
};

// Two steps: one by quadrature, the other in closed form. Catches directions that are exchanged, a
// phase composed once too often or not at all, and a side on the wrong side.
TEST_CASE("a profile of two sampled steps encloses both divergences", "[loss_profile]") {
    const OneStep one{0.2, 1.25};
    const Phase phase{SampledGaussian{0.8, 0.2}, 2};
    const LossProfile profile({&phase, 1}, Adjacency::add_remove, {});
    for (const double epsilon : {0.0, 0.1, 0.3, 0.44, 0.5, 1.0, 2.0, 3.5}) {
        const double k = std::exp(epsilon);
        const auto two_steps = [&](auto&& rest) {
            return trapezoid(-10.0, 11.0, 2e-3, [&](double z) {
                const double w = 1.0 - one.q + one.q * std::exp(one.shift * (z - 0.5 * one.shift));
                return normal_density(z) * rest(w);
            });
        };
        const auto removal_at = [&](double at) {
            return two_steps([&](double w) { return w * one.removal(at / w); });
        };
        const auto addition_at = [&](double at) {
            return two_steps([&](double w) { return one.addition(at * w); });
        };
        // The power of the test whose level is the slope: what a gap is relative to.
        const auto power = [&](const auto& divergence) {
            return divergence(k) + (divergence(k) - divergence(1.001 * k)) / 1e-3;
        };
        const double removal = removal_at(k);
        const double addition = addition_at(k);
        const DeltaSides sides = profile.at(epsilon);
        CAPTURE(epsilon, removal, addition);
        const double slack = 1e-9;  // of the quadrature
        CHECK(sides.removal_lower <= removal * (1.0 + slack) + 1e-15);
        CHECK(sides.removal_upper >= removal * (1.0 - slack));
        CHECK(sides.removal_upper - sides.removal_lower <= 1.2e-3 * power(removal_at));
        CHECK(sides.addition_lower <= addition * (1.0 + slack) + 1e-15);
        CHECK(sides.addition_upper >= addition * (1.0 - slack) - 1e-15);
        // Refined at some places alone: near its end this direction is wider.
        CHECK(sides.addition_upper - sides.addition_lower <= 1.2e-3 * power(addition_at) + 1e-6);
    }
    // No ratio of this direction exceeds (1 - q)^-2.
    const double largest = -2.0 * std::log1p(-one.q);
    CHECK(profile.largest_addition_loss() >= largest);
    CHECK(profile.largest_addition_loss() <= largest * (1.0 + 1e-12));
    CHECK(profile.at(largest * (1.0 + 1e-12)).addition_upper == 0.0);
    CHECK_FALSE(profile.symmetric());
}

TEST_CASE("Gaussian phases are one Gaussian, both ways", "[loss_profile]") {
    const Phase phases[] = {{Gaussian{2.0}, 3}, {Gaussian{3.0}, 2}};
    const LossProfile profile(phases, Adjacency::add_remove, {});
    const auto noise = 1 / sqrt(test_support::Wide(3) / 4 + test_support::Wide(2) / 9);
    for (const double epsilon : {0.0, 0.7, 4.0}) {
        const auto truth = test_support::gaussian_delta_wide(noise, 1, epsilon);
        const DeltaSides sides = profile.at(epsilon);
        CHECK_THAT((Enclosure{sides.removal_lower, sides.removal_upper}),
                   test_support::Encloses(truth));
        CHECK(sides.addition_lower == sides.removal_lower);
        CHECK(sides.addition_upper == sides.removal_upper);
    }
    CHECK(profile.symmetric());
    CHECK(std::isinf(profile.largest_addition_loss()));
}

TEST_CASE("a profile needs phases, steps and an epsilon", "[loss_profile]") {
    using test_support::refused;
    const auto profile = [](std::vector<Phase> phases) {
        return LossProfile(phases, Adjacency::add_remove, {});
    };
    CHECK(refused([&] { return profile({}); }) == "phases");
    CHECK(refused([&] { return profile({{Gaussian{1.0}, 0}}); }) == "steps");
    const LossProfile one = profile({{Gaussian{1.0}, 1}});
    for (const double epsilon : {-0.1, test_support::infinity, std::nan("")})
        CHECK(refused([&] { return one.at(epsilon).upper(); }) == "epsilon");
}

}  // namespace
}  // namespace assay
