#include "verify/oracles/local_response.hpp"

#include "verify/oracles/integer_order_expect.hpp"
#include "verify/oracles/local_utilities.hpp"

using namespace assay::verify;

namespace {

constexpr long response_bits = 128;

/// The largest of all K^3 log ratios.
Interval by_all_triples(const ResponseTable& table) {
    Interval largest(0.0, response_bits);
    for (const auto& row : table)
        for (const Interval& a : row)
            for (const Interval& b : row)
                if (&a != &b) largest = max(largest, log(a / b));
    return largest;
}

}  // namespace

// Independent values (another program, 22 digits).
TEST_CASE("the table of Algorithm 2 meets shared values", "[local_response]") {
    const ResponseTable three = response_table({3, {1}, 0.1, 0.5}, response_bits);
    // eps = 0.1 as a double and as a decimal differ by 5.6e-18.
    CHECK(agrees(three[1][1], "0.5124973964842103436615", 64, "1e-16"));
    CHECK(agrees(response_table({3, {1, 2}, 2.0, 0.5}, response_bits)[2][2],
                 "0.5761168847658291098583", 64, "1e-21"));
    CHECK(agrees(response_table({10, {1, 3, 5, 6, 7}, 5.0, 0.5}, response_bits)[4][0],
                 "0.004651869682787320117130", 64, "1e-21"));
    std::vector<int> all_but_two;
    for (int x = 0; x < 20; ++x)
        if (x != 1 && x != 2) all_but_two.push_back(x);
    CHECK(agrees(response_table({20, all_but_two, 2.0, 0.5}, response_bits)[16][16],
                 "0.1312020876521314179583", 64, "1e-21"));
}

TEST_CASE("the answers of every category sum to 1", "[local_response]") {
    for (const int size : {0, 1, 4, 6, 7}) {
        std::vector<int> subset;
        for (int i = 0; i < size; ++i) subset.push_back(6 - i);
        const ResponseTable table = response_table({7, subset, 1.5, 0.8}, response_bits);
        for (std::size_t x = 0; x < 7; ++x) {
            Interval sum(0.0, response_bits);
            for (const auto& row : table) sum += row[x];
            CAPTURE(size, x, sum.lower_text(20));
            CHECK(overlap(sum, Interval(1.0, response_bits)));
            CHECK(sum.relative_width() < 0x1p-110);
            CHECK(overlap(honest_responses({7, subset, 1.5, 0.8}, response_bits)[x], table[x][x]));
        }
    }
}

TEST_CASE("without S the answer is standard randomised response", "[local_response]") {
    const Interval e = exp(Interval(1.25, response_bits));
    const ResponseTable table = response_table({5, {}, 1.25, 0.3}, response_bits);
    CHECK(overlap(table[2][2], e / (e + 4.0)));
    CHECK(overlap(table[2][3], 1.0 / (e + 4.0)));
    CHECK(overlap(true_epsilon(table), Interval(1.25, response_bits)));
}

TEST_CASE("the largest ratio is that of all triples", "[local_response]") {
    for (const double share : {0.0, 0.4, 0.9, 1.0})
        for (const int size : {1, 3, 5}) {
            std::vector<int> subset;
            for (int i = 0; i < size; ++i) subset.push_back(i);
            const ResponseTable table = response_table({6, subset, 2.0, share}, response_bits);
            CHECK(overlap(true_epsilon(table), by_all_triples(table)));
            CHECK(exp(true_epsilon(table)).relative_width() < 0x1p-100);
        }
}

TEST_CASE("epsilon_2 takes the case of the theorem", "[local_response]") {
    CHECK(overlap(second_epsilon(20, 1, 1.0, 0.9, response_bits),
                  log(Interval(18.0, response_bits) /
                      (19.0 * exp(first_epsilon(1.0, 0.9, response_bits) - 1.0) - 1.0))));
    CHECK(second_epsilon(20, 0, 1.0, 0.9, response_bits).upper_double() == 1.0);
    CHECK(second_epsilon(20, 19, 1.0, 0.9, response_bits).upper_double() == 1.0);
    CHECK(second_epsilon(4, 2, 1.0, 0.1, response_bits).upper_double() == 1.0);  // 0.9 >= ln 2
    CHECK(second_epsilon(20, 5, 1.0, 1.0, response_bits).is_zero());
    // No logarithm, of |S|: (9-1) / (9 e^-0.1 - 1).
    CHECK(overlap(second_epsilon_as_released(9, 1.0, 0.9, response_bits),
                  8.0 / (9.0 * exp(first_epsilon(1.0, 0.9, response_bits) - 1.0) - 1.0)) ==
          (8.0 / (9.0 * std::exp(-0.1) - 1.0) < 1.0));
}
