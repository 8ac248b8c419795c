#include "assay/batch_sampling/uniform_index.hpp"

#include <deque>

#include "test_support/goodness_of_fit.hpp"
#include "test_support/test_support.hpp"

using namespace assay;

TEST_CASE("uniform indices are the products of a stream's halves, some refused", "[batch]") {
    const std::uint64_t bound = GENERATE(1ULL, 2ULL, 3ULL, 1000ULL, 46'000'000ULL, 3ULL << 30U,
                                         (1ULL << 32U) - 1, 1ULL << 32U);
    CAPTURE(bound);
    RandomStream words(5, Purpose::test, 1);
    std::deque<std::uint64_t> halves;
    for (int i = 0; i < 4000; ++i) {
        const std::uint64_t word = words.bits();
        halves.push_back(word % (1ULL << 32U));
        halves.push_back(word / (1ULL << 32U));
    }
    UniformIndices indices(RandomStream(5, Purpose::test, 1));
    const auto next = [&]() -> std::uint64_t {
        // Of the 2^32 halves, those that leave 2^32 mod bound too many for some index are refused.
        for (;;) {
            const std::uint64_t product = halves.front() * bound;
            halves.pop_front();
            if (product % (1ULL << 32U) >= (1ULL << 32U) % bound) return product / (1ULL << 32U);
        }
    };
    for (int i = 0; i < 3000; ++i) {
        const std::uint64_t expected = next();
        CAPTURE(i);
        CHECK(expected < bound);
        REQUIRE(indices.below(bound) == expected);
    }
}

TEST_CASE("a bound that refuses a quarter of the halves still gives uniform indices", "[batch]") {
    constexpr std::uint64_t bound = 3ULL << 30U;
    const std::uint64_t seed = 20'611;
    CAPTURE(seed);
    UniformIndices indices(RandomStream(seed, Purpose::test, 2));
    const int draws = 200'000 * test_support::effort();
    std::vector<double> thirds(3, 0.0);
    std::vector<double> residues(7, 0.0);
    for (int i = 0; i < draws; ++i) {
        const std::uint32_t index = indices.below(bound);
        thirds[index >> 30U] += 1.0;
        residues[index % 7] += 1.0;
    }
    CHECK(goodness_of_fit::detected_deviation(3, draws) < 0.02);
    CHECK(goodness_of_fit::uniform_p_value(thirds) > goodness_of_fit::level);
    CHECK(goodness_of_fit::uniform_p_value(residues) > goodness_of_fit::level);
}
