#include "assay/dpsgd/block.hpp"

#include <limits>

#include "test_support/test_support.hpp"

using namespace assay;
using test_support::Random;

TEST_CASE("sums of squares neither overflow nor vanish, at every length", "[dpsgd]") {
    Random random(3);
    CAPTURE(random.seed());
    for (std::size_t size = 0; size < 70; ++size)
        for (const float scale : {1.0F, 1e38F, 1e-38F, 1e-44F}) {
            std::vector<float> x;
            std::vector<double> y;
            test_support::Wide exact = 0;
            test_support::Wide exact_y = 0;
            for (std::size_t i = 0; i < size; ++i) {
                x.push_back(static_cast<float>(random.uniform(-1.0, 1.0)) * scale);
                y.push_back(random.uniform(-1.0, 1.0) * std::pow(scale, 8.0));
                exact += test_support::Wide(x.back()) * x.back();
                exact_y += test_support::Wide(y.back()) * y.back();
            }
            CAPTURE(size, scale);
            CHECK(abs(test_support::Wide(squared_norm(x)) - exact) <= 3e-15 * exact);
            CHECK(abs(test_support::Wide(squared_norm(y)) - exact_y) <= 1e-17 * exact_y);
        }
}

TEST_CASE("what is not a finite number shows in the sum of squares", "[dpsgd]") {
    for (const float bad :
         {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()})
        for (std::size_t at = 0; at < 37; ++at) {
            std::vector<float> x(37, 1.0F);
            x[at] = bad;
            CHECK_FALSE(std::isfinite(squared_norm(x)));
        }
}

TEST_CASE("scaled numbers are within one rounding, and nothing is left below the normal ones",
          "[dpsgd]") {
    Random random(5);
    CAPTURE(random.seed());
    constexpr float smallest = std::numeric_limits<float>::min();
    for (const double factor : {0.999, 0.3, 1e-7, 1e-30, 1e-60, 1e-99}) {
        std::vector<float> x{0.0F, -0.0F, smallest, 1e-45F, -3e38F};
        for (int i = 0; i < 100; ++i)
            x.push_back(
                static_cast<float>(random.uniform(-1.0, 1.0) * random.log_uniform(1e-44, 1e38)));
        const std::vector<float> before = x;
        scale_down(x, factor);
        for (std::size_t i = 0; i < x.size(); ++i) {
            const double exact = factor * static_cast<double>(before[i]);
            CAPTURE(factor, before[i]);
            if (std::fabs(exact) < static_cast<double>(smallest))
                CHECK(x[i] == 0.0F);
            else
                CHECK(std::fabs(x[i] - exact) <= 0x1.000001p-24 * std::fabs(exact));
        }
    }
}

TEST_CASE("a factor of 0 removes NaN and inf", "[dpsgd]") {
    std::vector<float> x{1.0F, std::numeric_limits<float>::quiet_NaN(),
                         -std::numeric_limits<float>::infinity()};
    std::vector<double> y(x.begin(), x.end());
    scale_down(x, 0.0L);
    scale_down(y, 0.0L);
    CHECK(x == std::vector<float>(3, 0.0F));
    CHECK(y == std::vector<double>(3, 0.0));
}
