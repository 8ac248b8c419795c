#include "assay/rdp/drawn_steps.hpp"

#include <cmath>

#include "test_support/test_support.hpp"

namespace assay {
namespace {

using test_support::normal_tail_wide;
using test_support::one_step_delta_wide;
using test_support::Wide;

TEST_CASE("the bound from the number of draws is below one step's divergence, and near it",
          "[drawn_steps]") {
    for (const double q : {0.05, 0.5, 0.99})
        for (const double c : {6.0, 12.5, 40.0})
            for (const double part : {0.0, 0.5, 0.99}) {
                const double epsilon = part * 0.5 * c * c;
                const double bound =
                    drawn_steps_delta({static_cast<real>(q), static_cast<real>(c), 1}, epsilon);
                const Wide exact = one_step_delta_wide(q, c, epsilon);
                CAPTURE(q, c, part, bound, exact);
                CHECK(bound <= exact);
                CHECK(bound >= 0.3 * exact);
            }
}

TEST_CASE("the bound from the number of draws says nothing where losses are small",
          "[drawn_steps]") {
    CHECK(drawn_steps_delta({0.01L, 1.0L, 1000}, 1.0) == 0.0);
    CHECK(drawn_steps_epsilon({0.01L, 1.0L, 1000}, 1e-5) == 0.0);
    CHECK(drawn_steps_epsilon({0.5L, 1e4L, 1'000'000'000'000}, 1e-5) == 0.0);  // too many values
}

TEST_CASE("draws that are almost certain are Gaussian steps", "[drawn_steps]") {
    // 25 steps of shift 4: mu = 20; Phi(10 - e/20) - e^e Phi(-10 - e/20) at the mean loss.
    const double bound = drawn_steps_delta({1.0L - 0x1p-60L, 4.0L, 25}, 200.0);
    const Wide exact = normal_tail_wide(Wide(0)) - exp(Wide(200)) * normal_tail_wide(Wide(20));
    CHECK(bound <= exact);
    CHECK(bound >= exact * (1 - Wide(1e-12)));
}

}  // namespace
}  // namespace assay
