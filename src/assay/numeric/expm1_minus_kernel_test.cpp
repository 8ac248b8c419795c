#include "assay/numeric/expm1_minus_kernel.hpp"

#include <cmath>
#include <vector>

#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::test_support;

namespace {

/// One increment with weight 1, where rate * loss is exact.
double single(double t) {
    const std::vector<double> rates{t};
    std::vector<double> sums{0.0};
    add_expm1_minus(rates, 1.0, 1.0, sums);
    return sums[0];
}

Wide exact(const Wide& t) {
    return expm1(t) - t;
}

}  // namespace

TEST_CASE("the kernel keeps its budget over the whole domain", "[expm1_minus_kernel]") {
    Random random(31);
    CAPTURE(random.seed());
    for (int i = 0; i < 4000 * effort(); ++i) {
        const double size =
            i % 4 == 0 ? random.uniform(0.2, 2.5) : random.log_uniform(1e-18, 700.0);
        const double t = i % 2 == 0 ? size : -size;
        const Wide truth = exact(Wide(t));
        CAPTURE(t);
        REQUIRE(abs(Wide(single(t)) - truth) <= Wide(3.0 * size + 64.0) * Wide(0x1p-53) * truth);
        REQUIRE(single(t) >= 0.0);
    }
    CHECK(single(0.0) == 0.0);
    for (const double t :
         {700.0, -700.0, 0.34657359027997264, 0.34657359027997270, -0.3465735902799727})
        CHECK(abs(Wide(single(t)) - exact(Wide(t))) <=
              Wide(3.0 * std::fabs(t) + 64.0) * Wide(0x1p-53) * exact(Wide(t)));
}

TEST_CASE("tiny exponents lose nothing", "[expm1_minus_kernel]") {
    for (const double t : {1e-12, -1e-9, 1e-5, -1e-3})
        CHECK(abs(Wide(single(t)) / exact(Wide(t)) - 1) < Wide(4e-16));
}

TEST_CASE("increments are weighted and added for every rate", "[expm1_minus_kernel]") {
    Random random(32);
    CAPTURE(random.seed());
    for (const std::size_t count : {0U, 1U, 3U, 4U, 7U, 8U, 33U}) {
        std::vector<double> rates;
        std::vector<Wide> truth(count, Wide(0));
        std::vector<double> sums(count, 0.0);
        for (std::size_t j = 0; j < count; ++j) rates.push_back(random.uniform(0.01, 60.0));
        for (int node = 0; node < 12; ++node) {
            const double loss = random.uniform(-4.0, 4.0);
            const double weight = random.log_uniform(1e-9, 1.0);
            add_expm1_minus(rates, loss, weight, sums);
            for (std::size_t j = 0; j < count; ++j)
                truth[j] += Wide(weight) * exact(Wide(rates[j]) * Wide(loss));
        }
        for (std::size_t j = 0; j < count; ++j)
            CHECK(abs(Wide(sums[j]) / truth[j] - 1) < Wide((4.0 * 240.0 + 128.0) * 0x1p-53));
    }
}

TEST_CASE("a rate's sum does not depend on its neighbours", "[expm1_minus_kernel]") {
    std::vector<double> rates;
    for (int j = 1; j <= 37; ++j) rates.push_back(0.37 * j);
    std::vector<double> sums(rates.size(), 0.0);
    add_expm1_minus(rates, 1.25, 0.125, sums);
    for (std::size_t j = 0; j < rates.size(); ++j) {
        std::vector<double> alone{0.0};
        add_expm1_minus({&rates[j], 1}, 1.25, 0.125, alone);
        CHECK(alone[0] == sums[j]);
    }
}
