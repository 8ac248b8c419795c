#include "assay/pld/convolve.hpp"

#include <limits>
#include <numeric>

#include "test_support/test_support.hpp"

namespace assay {
namespace {

using test_support::Digits100;

PrivacyLossPmf random_distribution(test_support::Random& random, int points, Direction direction) {
    PrivacyLossPmf pmf;
    pmf.direction = direction;
    pmf.step = 0.0625;
    pmf.first = -points / 2;
    double total = 0.0;
    for (int i = 0; i < points; ++i) {
        // Masses over many orders of magnitude.
        pmf.masses.push_back(random.log_uniform(1e-12, 1.0));
        total += pmf.masses.back();
    }
    for (double& mass : pmf.masses) mass /= total;
    return pmf;
}

std::vector<Digits100> product(const std::vector<Digits100>& a, const std::vector<Digits100>& b) {
    std::vector<Digits100> result(a.size() + b.size() - 1, Digits100(0));
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t j = 0; j < b.size(); ++j) result[i + j] += a[i] * b[j];
    return result;
}

/// The masses under Q of all parts by the schoolbook sum, in 100 digits, from index `first`.
std::vector<Digits100> schoolbook(std::span<const RepeatedLoss> parts, std::int64_t& first) {
    std::vector<Digits100> result{Digits100(1)};
    first = 0;
    for (const RepeatedLoss& part : parts) {
        const std::vector<Digits100> masses(part.pmf->masses.begin(), part.pmf->masses.end());
        for (std::int64_t n = 0; n < part.count; ++n) {
            result = product(result, masses);
            first += part.pmf->first;
        }
    }
    return result;
}

TEST_CASE("every mass is within the stated rounding of the schoolbook sum", "[convolve]") {
    test_support::Random random(2025);
    CAPTURE(random.seed());
    for (int trial = 0; trial < 3 * test_support::effort(); ++trial) {
        const PrivacyLossPmf one = random_distribution(random, 23, Direction::lower);
        const PrivacyLossPmf two = random_distribution(random, 12, Direction::lower);
        const PrivacyLossPmf three = random_distribution(random, 30, Direction::lower);
        const std::vector<RepeatedLoss> parts{{&one, 5}, {&two, 2}, {&three, 1}};
        std::int64_t first = 0;
        const std::vector<Digits100> exact = schoolbook(parts, first);
        for (const double tilt : {0.0, 1.0, 4.0}) {
            const PrivacyLossPmf distribution = convolve(parts, tilt);
            CHECK(distribution.rounding > 0.0);
            CHECK(distribution.rounding < 1e-13);
            CHECK(distribution.mass_error < 1e-12);
            const Digits100 relative = exp(Digits100(distribution.mass_error)) - 1;
            for (std::size_t i = 0; i < distribution.masses.size(); ++i) {
                const std::int64_t k = distribution.first + static_cast<std::int64_t>(i) - first;
                const bool inside = k >= 0 && k < static_cast<std::int64_t>(exact.size());
                const Digits100 under_q =
                    inside ? exact[static_cast<std::size_t>(k)] : Digits100(0);
                const Digits100 tilted =
                    under_q * exp(Digits100(distribution.tilt) * Digits100(distribution.loss(i)) -
                                  Digits100(distribution.log_scale));
                const Digits100 error = abs(Digits100(distribution.masses[i]) - tilted);
                REQUIRE(error <= Digits100(distribution.rounding + distribution.aliased) +
                                     relative * tilted);
            }
        }
    }
}

TEST_CASE("a window that is too short moves mass to infinity or marks it", "[convolve]") {
    test_support::Random random(3);
    const PrivacyLossPmf above = random_distribution(random, 64, Direction::upper);
    PrivacyLossPmf below = above;
    below.direction = Direction::lower;
    const std::vector<RepeatedLoss> up{{&above, 16}};
    const std::vector<RepeatedLoss> down{{&below, 16}};
    CHECK(convolve(up, 1.0, 64).null_mass > 1e-9);
    CHECK(convolve(down, 1.0, 64).aliased > 1e-9);
    CHECK(convolve(up, 1.0).infinity_mass < 1e-12);
    CHECK(convolve(down, 1.0).aliased < 1e-15);
}

TEST_CASE("nothing is known of a sum whose moments overflow", "[convolve]") {
    for (const Direction direction : {Direction::upper, Direction::lower}) {
        PrivacyLossPmf far;
        far.direction = direction;
        far.step = 1.0;
        far.first = 600;
        far.masses = {0.5, 0.5};
        const RepeatedLoss often{&far, 1'000'000'000'000'000};
        const double huge = std::numeric_limits<double>::max();
        const PrivacyLossPmf sum = convolve({&often, 1}, huge);
        CHECK(std::accumulate(sum.masses.begin(), sum.masses.end(), 0.0) == 0.0);
        if (direction == Direction::upper) CHECK(sum.infinity_mass == 1.0);
    }
}

TEST_CASE("the order of the parts and how they are grouped do not matter", "[convolve]") {
    test_support::Random random(5);
    CAPTURE(random.seed());
    const PrivacyLossPmf one = random_distribution(random, 40, Direction::upper);
    const PrivacyLossPmf two = random_distribution(random, 20, Direction::upper);
    const PrivacyLossPmf a = convolve(std::vector<RepeatedLoss>{{&one, 3}, {&two, 2}}, 1.0);
    const PrivacyLossPmf b =
        convolve(std::vector<RepeatedLoss>{{&two, 1}, {&one, 2}, {&one, 1}, {&two, 1}}, 1.0);
    REQUIRE(a.masses.size() == b.masses.size());
    REQUIRE(a.first == b.first);
    for (std::size_t i = 0; i < a.masses.size(); ++i)
        REQUIRE(std::fabs(a.masses[i] - b.masses[i]) <= a.rounding + b.rounding);
}

TEST_CASE("upper and lower distributions do not compose", "[convolve]") {
    test_support::Random random(7);
    const PrivacyLossPmf one = random_distribution(random, 8, Direction::upper);
    const PrivacyLossPmf two = random_distribution(random, 8, Direction::lower);
    CHECK_THROWS_AS(convolve(std::vector<RepeatedLoss>{{&one, 1}, {&two, 1}}, 0.0), DirectionError);
    CHECK(test_support::refused([&] {
              return convolve(std::vector<RepeatedLoss>{{&one, 0}}, 0.0);
          }) == "count");
}

}  // namespace
}  // namespace assay
