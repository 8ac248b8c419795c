#include "assay/dpsgd/max_pool.hpp"

#include <limits>

#include "test_support/test_support.hpp"

using namespace assay;

TEST_CASE("the first largest of a square passes on, and gets the gradient", "[dpsgd]") {
    // Two channels, 3 rows (the last is dropped), 4 columns.
    const MaxPool pool{3, 4, 2};
    const std::vector<double> x{1, 9, 5, 8, /**/ 2, 0, 2, 0,  //
                                3, 7, 4, 6, /**/ 1, 0, 2, 0,  //
                                9, 9, 9, 9, /**/ 9, 9, 9, 9};
    std::vector<double> y(4);
    const LayerInput<double> in{x.data(), nullptr, 1};
    REQUIRE(pool.output_size() == 4);
    pool.forward(in, y.data());
    CHECK(y == std::vector<double>{5, 9, 2, 0});
    const std::vector<double> d{10, 20, 30, 40};
    std::vector<double> dx(24, -1.0);
    pool.backward(in, d.data(), dx.data());
    std::vector<double> expected(24, 0.0);
    expected[2] = 10;
    expected[1] = 20;
    expected[4] = 30;
    expected[5] = 40;
    CHECK(dx == expected);
}

TEST_CASE("a NaN is not lost in a maximum", "[dpsgd]") {
    const MaxPool pool{2, 2, 1};
    for (std::size_t at = 0; at < 4; ++at) {
        std::vector<float> x(4, 1.0F);
        x[at] = std::numeric_limits<float>::quiet_NaN();
        float y = 0.0F;
        pool.forward<float>({x.data(), nullptr, 1}, &y);
        CHECK(std::isnan(y));
    }
}
