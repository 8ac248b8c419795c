#include "assay/pld/chernoff.hpp"

#include "test_support/test_support.hpp"

namespace assay {
namespace {

PrivacyLossPmf random_distribution(test_support::Random& random, int points) {
    PrivacyLossPmf pmf;
    pmf.step = 0.0625;
    pmf.offset = 0.03;
    pmf.first = -points / 2;
    double total = 0.0;
    for (int i = 0; i < points; ++i) {
        pmf.masses.push_back(random.log_uniform(1e-9, 1.0));
        total += pmf.masses.back();
    }
    for (double& mass : pmf.masses) mass /= total;
    return pmf;
}

TEST_CASE("moments are the sums that define them, and multiply", "[chernoff]") {
    test_support::Random random(6);
    CAPTURE(random.seed());
    for (const int points : {1, 7, 64, 65, 200}) {
        const PrivacyLossPmf distribution = random_distribution(random, points);
        const std::vector<RepeatedLoss> single{{&distribution, 1}};
        const std::vector<RepeatedLoss> triple{{&distribution, 2}, {&distribution, 1}};
        for (const double order : {-3.0, 0.0, 0.5, 1.0, 2.5, 40.0}) {
            CAPTURE(points, order);
            double direct = 0.0;
            for (std::size_t i = 0; i < distribution.masses.size(); ++i)
                direct += distribution.masses[i] * std::exp(order * distribution.loss(i));
            CHECK(std::fabs(log_moment(single, order) - std::log(direct)) < 1e-11);
            CHECK(std::fabs(log_moment(triple, order) - 3.0 * std::log(direct)) < 1e-11);
        }
    }
}

TEST_CASE("moments of huge order neither overflow nor lose the end", "[chernoff]") {
    test_support::Random random(8);
    const PrivacyLossPmf distribution = random_distribution(random, 100);
    const std::vector<RepeatedLoss> parts{{&distribution, 1}};
    const double order = 1e5;
    CHECK(log_moment(parts, order) ==
          Approx(order * distribution.loss(99) + std::log(distribution.masses[99])).epsilon(1e-12));
    CHECK(log_moment(parts, -order) ==
          Approx(-order * distribution.loss(0) + std::log(distribution.masses[0])).epsilon(1e-12));
}

TEST_CASE("tails bound what they are said to bound", "[chernoff]") {
    test_support::Random random(9);
    CAPTURE(random.seed());
    const PrivacyLossPmf distribution = random_distribution(random, 150);
    const std::vector<RepeatedLoss> parts{{&distribution, 1}};
    for (const double tilt : {0.0, 1.0, 3.0}) {
        const TiltedTails tails(parts, tilt);
        CHECK(tails.centre() == log_moment(parts, tilt));
        for (const double base : {0.0, 1.0, tilt})
            for (const double loss : {-3.0, -1.0, 0.5, 2.0, 4.0}) {
                double above = 0.0;
                double below = 0.0;
                for (std::size_t i = 0; i < distribution.masses.size(); ++i)
                    (distribution.loss(i) > loss ? above : below) +=
                        distribution.masses[i] * std::exp(base * distribution.loss(i));
                CAPTURE(tilt, base, loss);
                CHECK(above <= std::exp(tails.log_mass(base, loss, true)));
                CHECK(below <= std::exp(tails.log_mass(base, loss, false)));
            }
        double beyond = 0.0;
        for (std::size_t i = 0; i < distribution.masses.size(); ++i)
            if (distribution.loss(i) > tails.reach(3.0, true))
                beyond +=
                    distribution.masses[i] * std::exp(tilt * distribution.loss(i) - tails.centre());
        CHECK(beyond <= std::exp(-3.0));
    }
}

TEST_CASE("the best tilt solves the saddle point of a normal distribution, milder ones are smaller",
          "[chernoff]") {
    // A fine normal distribution of mean -1/2 and variance 1: the exponent t(t-1)/2 - (t-1) e is
    // least at t = e + 1/2.
    PrivacyLossPmf distribution;
    distribution.step = 0.0625;
    distribution.first = -160;
    for (int k = -160; k <= 160; ++k) {
        const double x = 0.0625 * k + 0.5;
        distribution.masses.push_back(0.0625 * test_support::normal_density(x));
    }
    const std::vector<RepeatedLoss> parts{{&distribution, 1}};
    const double best = tilt_for(parts, 4.0, PayoffSide::removal, 0.0);
    CHECK(best == Approx(4.5).epsilon(0.05));
    const double mild = tilt_for(parts, 4.0, PayoffSide::removal, 2.0);
    CHECK(mild < best);
    CHECK(mild >= 1.0);
    // The mirror image.
    CHECK(tilt_for(parts, 4.0, PayoffSide::addition, 0.0) == Approx(1.0 - best).epsilon(1e-6));
}

}  // namespace
}  // namespace assay
