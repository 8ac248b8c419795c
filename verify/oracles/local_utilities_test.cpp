#include "verify/oracles/local_utilities.hpp"

#include "verify/oracles/integer_order_expect.hpp"

using namespace assay::verify;

namespace {

constexpr long utility_bits = 96;

using Matrix = std::vector<std::vector<Interval>>;

Matrix matrix_of(const std::vector<std::vector<double>>& rows) {
    Matrix matrix;
    for (const auto& row : rows) {
        matrix.emplace_back();
        for (const double entry : row) matrix.back().emplace_back(entry, utility_bits);
    }
    return matrix;
}

LocalPopulation of_oracle(const std::vector<int>& subset, double share) {
    return {{4, subset, 1.0, share}, {290178, 385603, 963002, 237272}};
}

}  // namespace

// Independent values (another program, 22 digits); kappa = 0.8 as a decimal and as a double differ.
TEST_CASE("determinants and traces meet shared values", "[local_utilities]") {
    const LocalPopulation population = of_oracle({2}, 0.8);
    CHECK(agrees(response_determinant(population.mechanism, utility_bits),
                 "0.002216651311624342620287", 64, "1e-14"));
    CHECK(agrees(fisher_determinant(population, utility_bits), "0.002167221422570184222767", 64,
                 "1e-14"));
    CHECK(agrees(trace_full_covariance(population, utility_bits), "58.86317289360205295921", 64,
                 "1e-14"));
}

TEST_CASE("the entropy of standard randomised response is a shared value", "[local_utilities]") {
    const LocalPopulation population{{3, {}, 1.0, 0.9}, {1000000, 750000, 562500}};
    CHECK(agrees(local_utility(2, population, utility_bits), "-1.095038988704754893433", 64,
                 "1e-21"));
}

TEST_CASE("matrices are inverted", "[local_utilities]") {
    const Matrix matrix = matrix_of({{2, 1, 0}, {1, 3, 1}, {0, 1, 4}});
    CHECK(agrees(determinant(matrix), "18", 80));
    const Matrix inverted = inverse(matrix);
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) {
            Interval sum(0.0, utility_bits);
            for (std::size_t l = 0; l < 3; ++l) sum += matrix[i][l] * inverted[l][j];
            CHECK(overlap(sum, Interval(i == j ? 1.0 : 0.0, utility_bits)));
            CHECK((sum + 1.0).relative_width() < 1e-25);
        }
    CHECK_FALSE(determinant(matrix_of({{1, 2}, {2, 4}})).is_finite());
}

// Two categories, answers as they are with probability p: F = (2p-1)^2 / (h_1 h_2).
TEST_CASE("the Fisher information of two categories is that of a coin", "[local_utilities]") {
    const LocalPopulation population{{2, {}, 2.0, 0.5}, {3, 1}};
    const Interval e = exp(Interval(2.0, utility_bits));
    const Interval p = e / (e + 1.0);
    const Interval h = 0.25 + 0.5 * p;
    CHECK(overlap(local_utility(1, population, utility_bits),
                  -(h * (1.0 - h) / square(2.0 * p - 1.0))));
    CHECK(overlap(local_utility(6, population, utility_bits), p));
    CHECK(overlap(local_utility(4, population, utility_bits), -(0.75 - h)));
    // Sum theta_x |g - h| / 2 over both answers.
    CHECK(
        overlap(local_utility(3, population, utility_bits), 0.75 * (p - h) + 0.25 * (p + h - 1.0)));
    // P(X = x | Y)^2 on average, less 1.
    const Interval posterior = (square(0.75 * p) + square(0.25 * (1.0 - p))) / h +
                               (square(0.75 * (1.0 - p)) + square(0.25 * p)) / (1.0 - h);
    CHECK(overlap(local_utility(5, population, utility_bits), posterior - 1.0));
}

TEST_CASE("the smallest component is the last of equal ones", "[local_utilities]") {
    CHECK(smallest_component({3, 1, 2, 1, 4}) == 3);
    CHECK(most_probable({3, 1, 4, 1, 4}, 3) == std::vector<int>{2, 4, 0});
}

TEST_CASE("the best size of a concentrated population is one", "[local_utilities]") {
    const LocalPopulation population{{4, {}, 1.0, 0.9}, {1000, 1, 1, 1}};
    const Interval size = best_size(6, population, utility_bits);
    CHECK(size.lower_double() == 1.0);
    CHECK(size.upper_double() == 1.0);
    LocalPopulation best = population;
    best.mechanism.subset = {0};
    CHECK(overlap(largest_honest_response(population, utility_bits),
                  local_utility(6, best, utility_bits)));
}
