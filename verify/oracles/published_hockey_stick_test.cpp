#include "verify/oracles/published_hockey_stick.hpp"

#include "verify/oracles/integer_order_expect.hpp"

using namespace assay::verify;

namespace {

Interval one_step(std::string_view quantity, const Point& point, long bits = 64) {
    return oracle_named(published_hockey_stick_oracles(), quantity).evaluate(point, bits);
}

Point step_point(double c, double q, double eps) {
    return {{"c", c}, {"q", q}, {"eps", eps}};
}

}  // namespace

// Truth: integrals of the positive parts by quadrature and roots by iteration, computed
// independently with 60+ digits (mpmath).

TEST_CASE("one step in both directions agrees with quadrature") {
    for (const long bits : {64, 256}) {
        CHECK(agrees(one_step("one_step.delta_remove", step_point(1, 0.25, 0.5), bits),
                     "0.020687686757765280756632389576526", bits));
        CHECK(agrees(one_step("one_step.delta_add", step_point(1, 0.25, 0.125), bits),
                     "0.030693863804364714650936765404151", bits));
    }
}

TEST_CASE("at zero both directions are the total variation") {
    const Interval removal = one_step("one_step.delta_remove", step_point(2, 0.25, 0), 128);
    const Interval addition = one_step("one_step.delta_add", step_point(2, 0.25, 0), 128);
    // q (2 Phi(c/2) - 1)
    const Interval expected = 0.25 * (2.0 * normal_cdf(Interval(1.0, 300)) - 1.0);
    CHECK(overlap(removal, expected));
    CHECK(overlap(addition, expected));
}

TEST_CASE("below zero and above it the half-lines end") {
    // W >= 1-q: for e^eps <= 1-q the whole line counts.
    CHECK(overlap(one_step("one_step.delta_remove", step_point(1, 0.25, -2), 128),
                  1.0 - exp(Interval(-2.0, 300))));
    CHECK(one_step("one_step.delta_add", step_point(1, 0.25, 0.3)).is_zero());  // e^-0.3 < 3/4
    CHECK(one_step("one_step.delta_add", step_point(1, 0.25, 0.28)).is_positive());
    CHECK(one_step("one_step.delta_remove", step_point(1, 0, 0.5)).is_zero());
    CHECK(one_step("one_step.delta_add", step_point(1, 0, 0.5)).is_zero());
}

TEST_CASE("everything sampled is the plain Gaussian") {
    const Interval gaussian = one_step("gaussian.delta", {{"c", 0.5}, {"T", 4}, {"eps", 1}}, 128);
    CHECK(agrees(gaussian, "0.12693673750664394580082962475777"));
    CHECK(overlap(one_step("one_step.delta_remove", step_point(1, 1, 1), 128), gaussian));
    CHECK(overlap(one_step("one_step.delta_add", step_point(1, 1, 1), 128), gaussian));
    CHECK(agrees(one_step("exact.deterministic_delta", {{"sigma", 2}, {"eps", 0.125}}),
                 "0.15038116527960193017224876457853"));
}

TEST_CASE("tiny probabilities keep their digits") {
    const Interval delta = one_step("one_step.delta_remove", step_point(0.5, 0.001, 3), 128);
    CHECK(delta.is_positive());
    CHECK(delta.upper_double() < 1e-50);
    CHECK(delta.relative_width() <= 0x1p-128);
}

TEST_CASE("the least epsilon agrees with independent roots") {
    for (const long bits : {64, 256}) {
        CHECK(
            agrees(one_step("one_step.epsilon", {{"c", 1}, {"q", 0.25}, {"delta", 0x1p-10}}, bits),
                   "1.4793993430521385108760479637586", bits));
        CHECK(agrees(one_step("gaussian.epsilon", {{"c", 0.5}, {"T", 4}, {"delta", 0x1p-10}}, bits),
                     "3.1461641610794906077210061937408", bits));
    }
}
