#include "assay/numeric/exact_bernoulli.hpp"

#include <catch2/catch.hpp>
#include <cstddef>
#include <vector>

using assay::exact_bernoulli;

namespace {

/// Whether the event happens when the words are these; fails when it asks for more.
bool happens(double p, const std::vector<std::uint64_t>& words) {
    std::size_t next = 0;
    const bool happened = exact_bernoulli([&] { return words.at(next++); }, p);
    CHECK(next == words.size());
    return happened;
}

}  // namespace

TEST_CASE("an event happens when a uniform number of any length is below its probability",
          "[numeric]") {
    constexpr std::uint64_t half = 1ULL << 63U;
    CHECK(happens(0.5, {half - 1}));
    CHECK_FALSE(happens(0.5, {half}));
    CHECK_FALSE(happens(0.5, {half + 1}));
    CHECK(happens(0.75, {half}));
    CHECK(happens(1.0, {}));
    CHECK_FALSE(happens(0.0, {}));
}

TEST_CASE("events rarer than one word resolves still happen", "[numeric]") {
    // 2^-100: a word of 0, then one below 2^28.
    CHECK(happens(0x1p-100, {0, (1ULL << 28U) - 1}));
    CHECK_FALSE(happens(0x1p-100, {0, 1ULL << 28U}));
    CHECK_FALSE(happens(0x1p-100, {1}));
    // The smallest double, 2^-1074 = 2^-64*16 2^-50: sixteen words of 0, then one below 2^14.
    std::vector<std::uint64_t> words(16, 0);
    words.push_back((1ULL << 14U) - 1);
    CHECK(happens(0x1p-1074, words));
    words.back() += 1;
    CHECK_FALSE(happens(0x1p-1074, words));
}

TEST_CASE("every bit of a probability counts", "[numeric]") {
    // 2^-1 + 2^-53 + a word's end: digit 2^63 + 2^11, no rest.
    constexpr std::uint64_t digit = (1ULL << 63U) + (1ULL << 11U);
    CHECK(happens(0.5 + 0x1p-53, {digit - 1}));
    CHECK_FALSE(happens(0.5 + 0x1p-53, {digit}));
    // 2^-20 + 2^-70: the second word decides, below 2^58.
    CHECK(happens(0x1p-20 + 0x1p-70, {1ULL << 44U, (1ULL << 58U) - 1}));
    CHECK_FALSE(happens(0x1p-20 + 0x1p-70, {1ULL << 44U, 1ULL << 58U}));
}
