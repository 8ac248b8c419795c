#include "assay/dpsgd/embedding.hpp"

#include "test_support/test_support.hpp"

using namespace assay;

namespace {

// One value, tables of 2 and 3 rows of 2 numbers, three examples.
const Embedding embedding{1, 2, {2, 3}};
const std::vector<float> three_values{0.5F, 0.25F, -1.0F};
const std::vector<std::int32_t> categories{1, 0, /**/ 0, 2, /**/ 1, 2};
const LayerInput<float> in{three_values.data(), categories.data(), 3};
const std::vector<float> d{9, 1, 2, 3, 4, /**/ 9, 5, 6, 7, 8, /**/ 9, -1, 0, 0, 2};

}  // namespace

TEST_CASE("values stand before the rows of the tables", "[dpsgd]") {
    REQUIRE(embedding.parameter_count() == 10);
    const std::vector<float> tables{10, 11, 12, 13, /**/ 20, 21, 22, 23, 24, 25};
    std::vector<float> y(15);
    embedding.forward(tables.data(), in, y.data());
    CHECK(y == std::vector<float>{0.5F, 12, 13, 20, 21, /**/ 0.25F, 10, 11, 24, 25, /**/ -1.0F, 12,
                                  13, 24, 25});
}

TEST_CASE("gradients go to the rows that were used, norms leave the values out", "[dpsgd]") {
    std::vector<float> sum(10, 100.0F);
    for (Eigen::Index piece = 0; piece < embedding.pieces(); ++piece)
        embedding.add_gradients(piece, in, d.data(), sum.data());
    CHECK(sum == std::vector<float>{105, 106, 100, 102, /**/ 103, 104, 100, 100, 107, 110});
    std::vector<long double> squared(3, 1.0L);
    embedding.add_squared_norms(in, d.data(), squared.data());
    CHECK(squared == std::vector<long double>{31.0L, 175.0L, 6.0L});
}
