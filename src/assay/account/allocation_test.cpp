#include "assay/account/allocation.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "assay/account/account.hpp"
#include "assay/numeric/errors.hpp"
#include "test_support/test_support.hpp"

using namespace assay;

namespace {

Release epochs_of(const Mechanism& mechanism, std::int64_t epochs) {
    return {Adjacency::zero_out, {{mechanism, epochs}}};
}

/// Both divergences of (X_1 X_2 + X_1 X_3 + X_2 X_3)/3, by a sum over a grid in three dimensions.
double two_of_three(double sigma, double epsilon) {
    constexpr double step = 0.1;
    const double r = 1.0 / sigma;
    std::vector<double> ratio;
    std::vector<double> mass;
    for (double z = -6.0; z < 6.0 + 2.0 * r; z += step) {
        ratio.push_back(std::exp(r * z - 0.5 * r * r));
        mass.push_back(std::exp(-0.5 * z * z) * step * 0.3989422804014327);
    }
    double removal = 0.0;
    double addition = 0.0;
    const double k = std::exp(epsilon);
    for (std::size_t a = 0; a < ratio.size(); ++a)
        for (std::size_t b = 0; b < ratio.size(); ++b)
            for (std::size_t c = 0; c < ratio.size(); ++c) {
                const double w =
                    (ratio[a] * ratio[b] + ratio[a] * ratio[c] + ratio[b] * ratio[c]) / 3.0;
                const double m = mass[a] * mass[b] * mass[c];
                removal += m * std::max(0.0, w - k);
                addition += m * std::max(0.0, 1.0 - k * w);
            }
    return std::max(removal, addition);
}

}  // namespace

TEST_CASE("two of three batches, against a sum over the cube", "[account]") {
    for (const double sigma : {0.8, 1.5})
        for (const double epsilon : {0.1, 1.0, 3.0}) {
            CAPTURE(sigma, epsilon);
            const double truth = two_of_three(sigma, epsilon);
            const Bracket found = delta(epochs_of(RandomAllocation{sigma, 3, 2}, 1), epsilon);
            CHECK(found.lower.value <= truth * 1.001);
            CHECK(found.upper.value >= truth * 0.999);
            CHECK(found.lower.value > 0.05 * truth);
        }
}

TEST_CASE("one of T batches is balls-and-bins, all of them are Gaussian steps", "[account]") {
    const Bracket one = epsilon(epochs_of(RandomAllocation{1.0, 40, 1}, 3), 1e-5);
    const Bracket bins = epsilon(epochs_of(BallsAndBins{1.0, 40}, 3), 1e-5);
    CHECK(one.lower.value == bins.lower.value);
    CHECK(one.upper.value == bins.upper.value);
    const Bracket all = epsilon(epochs_of(RandomAllocation{2.0, 8, 8}, 3), 1e-5);
    const Bracket gaussian = epsilon(epochs_of(Gaussian{2.0}, 24), 1e-5);
    CHECK(all.upper.value == Approx(gaussian.upper.value).epsilon(1e-9));
    CHECK(all.lower.value == Approx(gaussian.lower.value).epsilon(1e-9));
}

TEST_CASE("more allocations tell more, and the sides keep to their order", "[account]") {
    double lower = 0.0;
    double upper = 0.0;
    for (const std::int64_t allocations : {1, 2, 3, 5}) {
        CAPTURE(allocations);
        const Bracket found = epsilon(epochs_of(RandomAllocation{1.0, 60, allocations}, 2), 1e-5);
        CHECK(found.lower.value >= lower * 0.99);
        CHECK(found.upper.value >= upper);
        CHECK(found.upper.value <
              epsilon(epochs_of(Gaussian{1.0}, 2 * allocations), 1e-5).upper.value);
        lower = found.lower.value;
        upper = found.upper.value;
        if (allocations > 1) CHECK(found.note.find("several batches") != std::string::npos);
    }
}

TEST_CASE("the probability that all parts of an epoch are met", "[account]") {
    // Two of four batches, one in each half: 4 of 6 subsets.
    CHECK(probability_of_meeting({1.0, 4, 2}, 2) == Approx(4.0 / 6.0).epsilon(1e-12));
    CHECK(probability_of_meeting({1.0, 4, 2}, 2) <= 4.0 / 6.0);
    // Three of seven batches, sets of two: 2^3 of 35 subsets.
    CHECK(probability_of_meeting({1.0, 7, 3}, 3) == Approx(8.0 / 35.0).epsilon(1e-12));
    CHECK(probability_of_meeting({1.0, 7, 3}, 3) <= 8.0 / 35.0);
    CHECK(probability_of_meeting({1.0, 7, 3}, 1) == 1.0);
    CHECK(probability_of_meeting({1.0, 5, 5}, 5) == Approx(1.0).epsilon(1e-12));
    CHECK_THROWS_AS(probability_of_meeting({1.0, 7, 3}, 4), DomainError);
}
