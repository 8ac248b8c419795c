#include "verify/oracles/balls_and_bins_epoch.hpp"

#include <cmath>

#include "verify/oracles/integer_order_expect.hpp"
#include "verify/oracles/published_hockey_stick.hpp"

using namespace assay::verify;

namespace {

Interval of_epoch(std::string_view quantity, const Point& point, long bits = 64) {
    return oracle_named(balls_and_bins_epoch_oracles(), quantity).evaluate(point, bits);
}

bool near(const Interval& answer, double truth, double tolerance) {
    CAPTURE(answer.lower_text(20), answer.upper_text(20), truth);
    const bool close = std::abs(answer.lower_double() / truth - 1.0) < tolerance &&
                       std::abs(answer.upper_double() / truth - 1.0) < tolerance;
    CHECK(close);
    return close;
}

}  // namespace

TEST_CASE("one batch is a Gaussian step in both directions", "[balls_and_bins]") {
    for (const char* quantity : {"balls_and_bins.delta_remove", "balls_and_bins.delta_add"})
        CHECK(agrees(of_epoch(quantity, epoch_point(1, 2, 0.125)),
                     "0.15038116527960193017224876457853"));
}

// Certified brackets of another program with relative width 2e-9, shared between the projects that
// check each other (their middles).
TEST_CASE("two batches meet shared brackets", "[balls_and_bins]") {
    near(of_epoch("balls_and_bins.delta_remove", epoch_point(2, 1, 1)), 0.0592065010858927, 2e-9);
    near(of_epoch("balls_and_bins.delta_remove", epoch_point(2, 0.5, 4)), 0.0448251179110256, 2e-9);
    near(of_epoch("balls_and_bins.delta_add", epoch_point(2, 1, 1)), 0.0501976623623630, 2e-9);
    near(of_epoch("balls_and_bins.delta_add", epoch_point(2, 0.3, 1)), 0.7879103885154816, 2e-9);
}

TEST_CASE("more bits give narrower answers about one number", "[balls_and_bins]") {
    const Interval coarse = of_epoch("balls_and_bins.delta_remove", epoch_point(2, 1.3, 0.7), 64);
    const Interval fine = of_epoch("balls_and_bins.delta_remove", epoch_point(2, 1.3, 0.7), 256);
    CHECK(overlap(coarse, fine));
    CHECK(coarse.relative_width() < 0x1p-32);
    CHECK(fine.relative_width() < 0x1p-128);
}

TEST_CASE("at zero both directions of three batches are the total variation", "[balls_and_bins]") {
    const Interval removal = of_epoch("balls_and_bins.delta_remove", epoch_point(3, 2, 0), 32);
    const Interval addition = of_epoch("balls_and_bins.delta_add", epoch_point(3, 2, 0), 32);
    CHECK(overlap(removal, addition));
    CHECK(removal.relative_width() < 1e-6);
    // A mean of more terms is smaller in convex order.
    CHECK(certainly_below(removal, of_epoch("balls_and_bins.delta_remove", epoch_point(2, 2, 0))));
}

TEST_CASE("one Poisson step is the closed form", "[balls_and_bins]") {
    for (const double q : {0.01, 0.3, 0.9}) {
        const Point point{{"T", 1}, {"sigma", 2}, {"q", q}, {"eps", 0.125}};
        CHECK(overlap(of_epoch("poisson.delta_remove", point, 128),
                      one_step_delta_remove(0.5, q, Interval(0.125, 128), 128)));
    }
}

TEST_CASE("two Poisson steps with nearly all sampled are nearly Gaussian", "[balls_and_bins]") {
    const double q = 1.0 - 0x1p-30;
    const Interval steps =
        of_epoch("poisson.delta_remove", {{"T", 2}, {"sigma", 2}, {"q", q}, {"eps", 0.5}});
    near(steps, gaussian_delta(0.5, 2, Interval(0.5, 128), 128).upper_double(), 1e-7);
}
