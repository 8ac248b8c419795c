#include "assay/dpsgd/matrix_product.hpp"

#include <vector>

#include "test_support/test_support.hpp"

using namespace assay;
using test_support::Random;

namespace {

/// Compares with the three loops of the definition, bit by bit.
template <class Real>
void compare(Random& random, Eigen::Index rows, Eigen::Index columns, Eigen::Index depth) {
    const auto draw = [&](Eigen::Index count) {
        std::vector<Real> numbers;
        for (Eigen::Index i = 0; i < count; ++i)
            numbers.push_back(static_cast<Real>(random.uniform(-1.0, 1.0)));
        return numbers;
    };
    const auto a = draw(rows * depth);
    const auto b = draw(depth * columns);
    const Eigen::Index step = rows + 3;
    const auto start = draw(step * columns);
    for (const bool a_turned : {false, true})
        for (const bool b_turned : {false, true}) {
            const Factor<Real> left = a_turned ? dense_factor(a.data(), depth, rows).transposed()
                                               : dense_factor(a.data(), rows, depth);
            const Factor<Real> right = b_turned
                                           ? dense_factor(b.data(), columns, depth).transposed()
                                           : dense_factor(b.data(), depth, columns);
            std::vector<Real> plain = start;
            for (Eigen::Index i = 0; i < rows; ++i)
                for (Eigen::Index j = 0; j < columns; ++j) {
                    Real& element = plain[static_cast<std::size_t>(i + j * step)];
                    for (Eigen::Index k = 0; k < depth; ++k)
                        element += left.data[i * left.row_step + k * left.column_step] *
                                   right.data[k * right.row_step + j * right.column_step];
                }
            std::vector<Real> product = start;
            add_product(left, right, product.data(), step);
            CAPTURE(rows, columns, depth, a_turned, b_turned);
            CHECK(product == plain);
        }
}

}  // namespace

TEST_CASE("products are those of the definition, to the bit, at every size", "[dpsgd]") {
    Random random(11);
    CAPTURE(random.seed());
    for (const Eigen::Index rows : {1, 7, 16, 33, 140})
        for (const Eigen::Index columns : {1, 4, 9, 261})
            for (const Eigen::Index depth : {0, 1, 5, 256, 300}) {
                if (rows * columns * depth > 4'000'000) continue;
                compare<float>(random, rows, columns, depth);
                compare<double>(random, rows, columns, depth);
            }
    compare<long double>(random, 5, 6, 7);
}

TEST_CASE("what stands beside a product in memory is not touched", "[dpsgd]") {
    const std::vector<float> ones(64, 1.0F);
    std::vector<float> c(5 * 7, -3.0F);
    add_product(dense_factor(ones.data(), 5, 8), dense_factor(ones.data(), 8, 6), c.data(), 5);
    for (std::size_t i = 0; i < 30; ++i) CHECK(c[i] == 5.0F);
    for (std::size_t i = 30; i < 35; ++i) CHECK(c[i] == -3.0F);
}
