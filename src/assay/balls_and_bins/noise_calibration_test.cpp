#include "assay/balls_and_bins/noise_calibration.hpp"

#include <cmath>

#include "assay/balls_and_bins/epoch_composition.hpp"
#include "assay/balls_and_bins/lower_bounds.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/test_support.hpp"

using namespace assay;
using namespace assay::test_support;

namespace {

/// balle2018 Theorem 8 with noise s / sqrt(k).
Wide gaussian(double noise, std::int64_t epochs, double epsilon) {
    const auto phi = [](const Wide& z) { return Wide(erfc(-z / sqrt(Wide(2))) / 2); };
    const Wide s = Wide(noise) / sqrt(Wide(epochs));
    return phi(1 / (2 * s) - epsilon * s) - exp(Wide(epsilon)) * phi(-1 / (2 * s) - epsilon * s);
}

/// A fine bracket, independently of the search.
Enclosure delta_at(double noise, std::int64_t steps, double epsilon) {
    return delta_within({noise, steps}, epsilon, {1e-4, 1e-30, 2e9});
}

}  // namespace

TEST_CASE("the noise returned is safe and hardly more than needed", "[noise_calibration]") {
    struct Case {
        std::int64_t steps;
        double epsilon, delta;
    };
    for (const Case& c : {Case{2, 1.0, 1e-5}, Case{200, 1.0, 1e-5}, Case{36133, 1.0, 1e-5},
                          Case{10, 1.0, 0.9}, Case{1000, 20.0, 1e-20}, Case{4517, 0.0, 1e-4}}) {
        const Threshold found =
            smallest_noise_multiplier(c.steps, Adjacency::zero_out, c.epsilon, c.delta);
        CAPTURE(c.steps, c.epsilon, c.delta, found.sufficient, found.insufficient);
        CHECK(found.value.upper <= c.delta);
        CHECK(found.insufficient < found.sufficient);
        CHECK(found.precision() <= 1e-3);
        CHECK(delta_at(found.sufficient, c.steps, c.epsilon).lower <= c.delta);
        CHECK(delta_at(found.insufficient, c.steps, c.epsilon).upper > c.delta);
    }
}

TEST_CASE("of fixed batches and of one batch it is the analytic Gaussian's",
          "[noise_calibration]") {
    for (const std::int64_t epochs : {1, 10})
        for (const Threshold& found :
             {smallest_gaussian_noise(1.0, 1e-5, 1e-8, epochs),
              smallest_noise_multiplier(1, Adjacency::zero_out, 1.0, 1e-5, 1e-8, epochs)}) {
            CHECK(found.precision() <= 1e-8);
            CHECK(gaussian(found.sufficient, epochs, 1.0) <= Wide(1e-5));
            CHECK(gaussian(found.insufficient, epochs, 1.0) > Wide(1e-5));
        }
}

TEST_CASE("several epochs need more noise", "[noise_calibration]") {
    const Threshold one = smallest_noise_multiplier(500, Adjacency::zero_out, 2.0, 1e-6);
    const Threshold four = smallest_noise_multiplier(500, Adjacency::zero_out, 2.0, 1e-6, 1e-2, 4);
    CHECK(four.precision() <= 1e-2);
    CHECK(four.insufficient > one.sufficient);
    CHECK(four.sufficient <= smallest_gaussian_noise(2.0, 1e-6, 1e-3, 4).sufficient);
}

TEST_CASE("beyond the sums' grid closed forms hem the noise in", "[noise_calibration]") {
    for (const std::int64_t epochs : {1, 2}) {
        const double epsilon = 1000.0 * static_cast<double>(epochs);
        const Threshold found =
            smallest_noise_multiplier(1000, Adjacency::zero_out, epsilon, 1e-6, 1e-2, epochs);
        CAPTURE(found.insufficient, found.sufficient);
        CHECK(found.sufficient <= smallest_gaussian_noise(epsilon, 1e-6, 1e-2, epochs).sufficient);
        CHECK(gaussian(found.sufficient, epochs, epsilon) <= Wide(1e-6));
        // chua2025 equation (6) in one epoch: the largest of the coordinates against e^eps.
        CHECK(found.insufficient > 0.0);
        CHECK(largest_coordinate_delta(BallsAndBins{found.insufficient, 1000}, epsilon).lower >
              1e-6);
        if (epochs == 1) CHECK(found.precision() <= 1e-2);
    }
}

TEST_CASE("a precision beyond the brackets is not claimed", "[noise_calibration]") {
    const Threshold found = smallest_noise_multiplier(36133, Adjacency::zero_out, 1.0, 1e-6, 1e-9);
    CHECK(found.precision() > 1e-9);
    CHECK(found.precision() < 1e-5);
    CHECK(found.value.upper <= 1e-6);
}

TEST_CASE("goals that mean nothing are refused", "[noise_calibration]") {
    CHECK(refused([] { return smallest_noise_multiplier(10, Adjacency::zero_out, -1.0, 1e-5); }) ==
          "epsilon");
    CHECK(refused([] { return smallest_noise_multiplier(10, Adjacency::zero_out, 1.0, 1.0); }) ==
          "delta");
    CHECK(refused([] { return smallest_gaussian_noise(1.0, 1e-5, 0.0); }) == "precision");
    CHECK(refused([] { return smallest_gaussian_noise(1.0, 1e-5, 0.1, 0); }) == "epochs");
    CHECK_THROWS_AS(smallest_noise_multiplier(10, Adjacency::add_remove, 1.0, 1e-5),
                    UnsupportedMechanism);
}
