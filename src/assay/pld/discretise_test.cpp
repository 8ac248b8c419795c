#include "assay/pld/discretise.hpp"

#include <algorithm>

#include "assay/pld/hockey_stick.hpp"
#include "test_support/test_support.hpp"

namespace assay {
namespace {

using test_support::Wide;

/// E (W - K)_+ of one step, W = 1-q + q e^{cz - c^2/2}, in closed form; negative q is not needed.
Wide excess(const Wide& q, const Wide& c, const Wide& threshold) {
    const Wide y = 1 + (threshold - 1) / q;
    if (y <= 0) return 1 - threshold;
    const Wide z = log(y) / c + c / 2;
    const Wide under_q = test_support::normal_tail_wide(z);
    return (1 - q - threshold) * under_q + q * test_support::normal_tail_wide(z - c);
}

double sum(const std::vector<double>& values) {
    double total = 0.0;
    for (const double value : values) total += value;
    return total;
}

TEST_CASE("one step in closed form lies between the two distributions, in both directions",
          "[discretise]") {
    struct Setting {
        real q, c;
        double step;
    };
    for (const Setting& s : {Setting{1.0L, 0.5L, 0.01}, Setting{0.25L, 1.0L, 0.02},
                             Setting{0.01L, 2.5L, 0.002}, Setting{0.9L, 3.0L, 0.05}}) {
        const LossGrid grid{.step = short_step(s.step)};
        const DominatingPair pair{.q = s.q, .c = s.c, .theorem = {}};
        const PrivacyLossPmf above =
            discretise(pair, Adjacency::add_remove, Direction::upper, grid);
        const PrivacyLossPmf below =
            discretise(pair, Adjacency::add_remove, Direction::lower, grid);
        const HockeyStick upper(above);
        const HockeyStick lower(below);
        const Wide q(s.q);
        const Wide c(s.c);
        for (const double epsilon : {0.0, 0.013, 0.1, 0.5, 1.0, 2.0}) {
            CAPTURE(static_cast<double>(s.q), static_cast<double>(s.c), epsilon);
            const Wide k = exp(Wide(epsilon));
            const Wide truth = excess(q, c, k);
            CHECK(Wide(upper.removal(epsilon)) >= truth);
            CHECK(Wide(lower.removal(epsilon)) <= truth);
            // E (1 - KW)_+ = K (E (W - 1/K)_+ + 1/K - 1)
            const Wide reverse = k * excess(q, c, 1 / k) + 1 - k;
            CHECK(Wide(upper.addition(epsilon)) >= reverse);
            CHECK(Wide(lower.addition(epsilon)) <= reverse + Wide(1e-40));
            if (truth > Wide(1e-8))
                CHECK(upper.removal(epsilon) - lower.removal(epsilon) <=
                      0.02 * static_cast<double>(truth) + s.step * s.step);
        }
    }
}

TEST_CASE("the error falls with the square of the step", "[discretise]") {
    const DominatingPair pair{.q = 1.0L, .c = 1.0L, .theorem = {}};
    const Wide truth = excess(Wide(1), Wide(1), exp(Wide(0.4)));
    const auto gap = [&](double step, Direction direction) {
        const HockeyStick distribution(
            discretise(pair, Adjacency::add_remove, direction, LossGrid{.step = short_step(step)}));
        return std::fabs(static_cast<double>(Wide(distribution.removal(0.4)) - truth));
    };
    for (const Direction direction : {Direction::upper, Direction::lower}) {
        CHECK(gap(0.0625, direction) < 0.1 * gap(0.25, direction));
        CHECK(gap(0.015625, direction) < 0.1 * gap(0.0625, direction));
    }
}

TEST_CASE("atoms keep mass and mean above, and are merged without loss below", "[discretise]") {
    RatioAtoms atoms;
    for (const auto& [q, ratio] :
         {std::pair{0.125, 0.5}, {0.375, 0.75}, {0.25, 1.0}, {0.1875, 1.375}, {0.0625, 2.375}}) {
        atoms.under_q.push_back(q);
        atoms.under_p.push_back(q * ratio);
    }
    const LossGrid grid{.step = 0.125};
    atoms.direction = Direction::upper;
    const PrivacyLossPmf upper = discretise(atoms, Adjacency::add_remove, grid);
    atoms.direction = Direction::lower;
    const PrivacyLossPmf lower = discretise(atoms, Adjacency::add_remove, grid);
    double mean = 0.0;
    double lower_mean = 0.0;
    for (std::size_t i = 0; i < upper.masses.size(); ++i)
        mean += upper.masses[i] * std::exp(upper.loss(i));
    for (std::size_t i = 0; i < lower.masses.size(); ++i)
        lower_mean += lower.masses[i] * std::exp(lower.loss(i));
    CHECK(sum(upper.masses) == Approx(1.0).epsilon(1e-14));
    CHECK(mean == Approx(sum(atoms.under_p)).epsilon(1e-14));
    CHECK(sum(lower.masses) <= 1.0 + 1e-14);
    CHECK(lower_mean <= sum(atoms.under_p) + 1e-14);
    // Convex order, at every kink of either distribution.
    const auto exact_excess = [&](double k) {
        double total = 0.0;
        for (std::size_t i = 0; i < atoms.under_q.size(); ++i)
            total += std::max(0.0, atoms.under_p[i] - k * atoms.under_q[i]);
        return total;
    };
    const HockeyStick up(upper);
    const HockeyStick low(lower);
    for (double loss = -0.7; loss < 1.0; loss += 0.01) {
        CAPTURE(loss);
        CHECK(up.removal(loss) >= exact_excess(std::exp(loss)) - 1e-15);
        CHECK(low.removal(loss) <= exact_excess(std::exp(loss)) + 1e-15);
    }
}

TEST_CASE("a distribution much narrower than the grid keeps its mass below", "[discretise]") {
    const LossGrid grid{.step = short_step(1e-2)};
    RatioAtoms atoms;
    atoms.direction = Direction::lower;
    // Almost everything at 1 - 1e-6 .. 1, a rare large gain.
    const double rare = 1e-7;
    const double gain = 3.0;
    atoms.under_q = {0.5, 0.5 - rare, rare};
    atoms.under_p = {0.5 * (1.0 - 4e-7), (0.5 - rare) * (1.0 - 1e-7), rare * gain};
    const PrivacyLossPmf pmf = discretise(atoms, Adjacency::add_remove, grid);
    CHECK(sum(pmf.masses) >= 1.0 - 1e-6);
}

TEST_CASE("grid steps with many digits are refused", "[discretise]") {
    CHECK(test_support::refused([] {
              return discretise(RatioAtoms{}, Adjacency::add_remove, LossGrid{.step = 0.1});
          }) == "grid step");
    CHECK(short_step(0.1) <= 0.1);
    CHECK(short_step(0.1) > 0.0999);
}

}  // namespace
}  // namespace assay
