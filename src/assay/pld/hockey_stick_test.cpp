#include "assay/pld/hockey_stick.hpp"

#include <limits>

#include "test_support/test_support.hpp"

namespace assay {
namespace {

using test_support::Wide;

PrivacyLossPmf distribution(Direction direction) {
    PrivacyLossPmf pmf;
    pmf.direction = direction;
    pmf.step = 0.5;
    pmf.first = -2;
    pmf.masses = {0.125, 0.25, 0.375, 0.1875, 0.0625};
    return pmf;
}

Wide exact(const PrivacyLossPmf& pmf, double epsilon, bool removal) {
    Wide sum = 0;
    const Wide k = exp(Wide(epsilon));
    for (std::size_t i = 0; i < pmf.masses.size(); ++i) {
        const Wide w = exp(Wide(pmf.loss(i)));
        const Wide payoff = removal ? Wide(w - k) : Wide(1 - k * w);
        if (payoff > 0) sum += Wide(pmf.masses[i]) * payoff;
    }
    return sum;
}

TEST_CASE("sums over the masses, outward", "[hockey_stick]") {
    const HockeyStick upper(distribution(Direction::upper));
    const HockeyStick lower(distribution(Direction::lower));
    for (const double epsilon : {-0.75, 0.0, 0.25, 0.5, 0.500001, 0.99, 1.0, 1.5}) {
        CAPTURE(epsilon);
        for (const bool removal : {true, false}) {
            const Wide truth = exact(distribution(Direction::upper), epsilon, removal);
            const double up = removal ? upper.removal(epsilon) : upper.addition(epsilon);
            const double low = removal ? lower.removal(epsilon) : lower.addition(epsilon);
            CHECK((up == 1.0 || Wide(up) >= truth));
            CHECK(Wide(low) <= truth);
            if (up < 1.0) CHECK(up - low <= 1e-13);
        }
    }
}

TEST_CASE("infinity, null and rounding allowances count in full", "[hockey_stick]") {
    PrivacyLossPmf pmf = distribution(Direction::upper);
    const double plain = HockeyStick(pmf).removal(0.3);
    const double reverse = HockeyStick(pmf).addition(0.3);
    pmf.infinity_mass = 1e-3;
    pmf.null_mass = 2e-3;
    CHECK(HockeyStick(pmf).removal(0.3) == Approx(plain + 1e-3).epsilon(1e-12));
    CHECK(HockeyStick(pmf).addition(0.3) == Approx(reverse + 2e-3).epsilon(1e-12));
    pmf.rounding = 1e-4;  // each of the two points above 0.3 may hold that much more
    const double more = 1e-4 * (std::exp(0.5) + std::exp(1.0) - 2.0 * std::exp(0.3));
    CHECK(HockeyStick(pmf).removal(0.3) == Approx(plain + 1e-3 + more).epsilon(1e-10));
    // What ends and infinities add is not rounding.
    const HockeyStick whole(pmf);
    CHECK(whole.rounding_of_removal(0.3) >= more);
    CHECK(whole.rounding_of_removal(0.3) <= 3.0 * more);
    CHECK(whole.allowance_of_removal(0.3) - whole.rounding_of_removal(0.3) == Approx(1e-3));
    CHECK(whole.allowance_of_addition(0.3) - whole.rounding_of_addition(0.3) == Approx(2e-3));
    PrivacyLossPmf below = distribution(Direction::lower);
    below.rounding = 1e-4;
    CHECK(HockeyStick(below).removal(0.3) == Approx(plain - more).epsilon(1e-10));
    below.rounding = 1.0;
    CHECK(HockeyStick(below).removal(0.3) == 0.0);
    pmf.rounding = 10.0;
    CHECK(HockeyStick(pmf).removal(0.3) == 1.0);
}

TEST_CASE("a tilted distribution gives the same answer", "[hockey_stick]") {
    const PrivacyLossPmf plain = distribution(Direction::upper);
    PrivacyLossPmf tilted = plain;
    tilted.tilt = 2.0;
    tilted.log_scale = 0.25;
    for (std::size_t i = 0; i < plain.masses.size(); ++i)
        tilted.masses[i] *= std::exp(2.0 * plain.loss(i) - 0.25);
    for (const double epsilon : {0.0, 0.4, 0.9})
        CHECK(HockeyStick(tilted).removal(epsilon) ==
              Approx(HockeyStick(plain).removal(epsilon)).epsilon(1e-12));
}

TEST_CASE("loss and mass errors move the curve outward", "[hockey_stick]") {
    PrivacyLossPmf pmf = distribution(Direction::upper);
    const double plain = HockeyStick(pmf).removal(0.3);
    pmf.loss_error = 0.01;
    pmf.mass_error = 0.001;
    // (w e^s - K)_+ e^a
    const double k = std::exp(0.3);
    const double scaled =
        std::exp(0.001) * (0.1875 * (std::exp(0.51) - k) + 0.0625 * (std::exp(1.01) - k));
    CHECK(HockeyStick(pmf).removal(0.3) == Approx(scaled).epsilon(1e-12));
    CHECK(scaled > plain);
    pmf.direction = Direction::lower;
    const double less =
        std::exp(-0.001) * (0.1875 * (std::exp(0.49) - k) + 0.0625 * (std::exp(0.99) - k));
    CHECK(HockeyStick(pmf).removal(0.3) == Approx(less).epsilon(1e-12));
}

TEST_CASE("epsilon inverts delta on its own side", "[hockey_stick]") {
    const HockeyStick upper(distribution(Direction::upper));
    const HockeyStick lower(distribution(Direction::lower));
    for (const double target : {0.2, 0.05, 0.01}) {
        CAPTURE(target);
        const double high = upper.epsilon(target);
        const double low = lower.epsilon(target);
        CHECK(upper.delta(high) <= target);
        CHECK(lower.delta(low) > target);
        CHECK(high >= low);
        CHECK(high - low < 1e-10);
    }
    CHECK(upper.epsilon(0.99) == 0.0);
    PrivacyLossPmf heavy = distribution(Direction::upper);
    heavy.infinity_mass = 0.5;
    CHECK(HockeyStick(heavy).epsilon(0.1) == std::numeric_limits<double>::infinity());
    CHECK(test_support::refused([&] { return upper.epsilon(0.0); }) == "delta");
    CHECK(test_support::refused([&] { return upper.removal(std::nan("")); }) == "epsilon");
}

TEST_CASE("masses under Q below the range of doubles count under P", "[hockey_stick]") {
    // One point: mass under Q 0.5 e^{400 - 2 600}, under P e^{600} times that.
    PrivacyLossPmf pmf;
    pmf.step = 0.5;
    pmf.first = 1200;
    pmf.masses = {0.5};
    pmf.tilt = 2.0;
    pmf.log_scale = 400.0;
    for (const double epsilon : {500.0, 599.5}) {
        CAPTURE(epsilon);
        const Wide truth = exp(Wide(-200)) / 2 * (1 - exp(Wide(epsilon) - 600));
        pmf.direction = Direction::upper;
        CHECK(Wide(HockeyStick(pmf).removal(epsilon)) >= truth);
        CHECK(Wide(HockeyStick(pmf).removal(epsilon)) <= truth * (1 + Wide(1e-10)));
        pmf.direction = Direction::lower;
        CHECK(Wide(HockeyStick(pmf).removal(epsilon)) <= truth);
        CHECK(Wide(HockeyStick(pmf).removal(epsilon)) >= truth * (1 - Wide(1e-10)));
    }
}

}  // namespace
}  // namespace assay
