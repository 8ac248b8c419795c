#include "assay/numeric/random_streams.hpp"

#include <Random123/philox.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::test_support;

namespace {

/// |sample mean - mean| within five standard errors, given the variance.
bool near(double sum, double count, double mean, double variance) {
    return std::fabs(sum / count - mean) < 5.0 * std::sqrt(variance / count);
}

}  // namespace

TEST_CASE("Philox known answers", "[random_streams]") {
    // kat_vectors of Random123, philox4x32 with 10 rounds: counter, key, four words.
    const auto words = [](std::array<std::uint32_t, 2> key, std::uint64_t position,
                          std::uint64_t block) {
        std::array<std::uint64_t, 2> out{};
        detail::philox_plain(key, block, position, out);
        return out;
    };
    using Words = std::array<std::uint64_t, 2>;
    const std::uint64_t ones = ~std::uint64_t{0};
    CHECK(words({0, 0}, 0, 0) == Words{0xe169c58d6627e8d5, 0x9b00dbd8bc57ac4c});
    CHECK(words({0xffffffff, 0xffffffff}, ones, ones) ==
          Words{0x41c83b0e408f276d, 0x6d5451fda20bc7c6});
    CHECK(words({0xa4093822, 0x299f31d0}, 0x85a308d3243f6a88, 0x0370734413198a2e) ==
          Words{0x94fdccebd16cfe09, 0x24126ea15001e420});
}

TEST_CASE("the vector kernel gives the bits of Random123", "[random_streams]") {
    Random random(20261);
    CAPTURE(random.seed());
    const auto word = [&] { return static_cast<std::uint32_t>(random.uniform(0, 4294967296.0)); };
    for (int i = 0; i < 200 * effort(); ++i) {
        std::vector<std::uint64_t> plain(static_cast<std::size_t>(2 * random.integer(0, 100)));
        std::vector<std::uint64_t> fast(plain.size());
        const std::array<std::uint32_t, 2> key{word(), word()};
        const std::uint64_t block = std::uint64_t{word()} << 32U | word();
        // A carry out of the low half of the position within the run.
        const std::uint64_t position = std::uint64_t{word()} << 32U | (0xffffffffU - word() % 20);
        detail::philox_plain(key, block, position, plain);
        detail::philox_vector(key, block, position, fast);
        REQUIRE(plain == fast);
    }
}

TEST_CASE("filling is the same stream as drawing one by one", "[random_streams]") {
    Random random(7);
    CAPTURE(random.seed());
    RandomStream one(3, Purpose::test, 5);
    RandomStream many(3, Purpose::test, 5);
    for (int i = 0; i < 60; ++i) {
        std::vector<std::uint64_t> words(static_cast<std::size_t>(random.integer(0, 300)));
        std::vector<double> numbers(static_cast<std::size_t>(random.integer(0, 700)));
        many.fill_bits(words);
        for (const std::uint64_t word : words) REQUIRE(word == one.bits());
        many.fill_uniform(numbers);
        for (const double number : numbers) REQUIRE(number == one.uniform());
        REQUIRE(many.bits() == one.bits());
    }
}

TEST_CASE("different addresses give different numbers", "[random_streams]") {
    std::set<std::uint64_t> seen;
    std::size_t drawn = 0;
    for (const std::uint64_t seed : {0ULL, 1ULL, 1ULL << 32U})
        for (const Purpose purpose : {Purpose::test, Purpose::balls_and_bins_loss})
            for (const std::uint64_t block : {0ULL, 1ULL, 2ULL, 1ULL << 32U, ~0ULL}) {
                RandomStream stream(seed, purpose, block);
                for (int i = 0; i < 200; ++i, ++drawn) seen.insert(stream.bits());
            }
    CHECK(seen.size() == drawn);
}

TEST_CASE("uniforms never reach 0 or 1", "[random_streams]") {
    CHECK(RandomStream::to_unit_interval(0) == 0x1p-53);
    CHECK(RandomStream::to_unit_interval(~std::uint64_t{0}) == 1.0 - 0x1p-53);
    CHECK(RandomStream::to_unit_interval(0xfff) == 0x1p-53);
    CHECK(RandomStream::to_unit_interval(0x1000) == 3 * 0x1p-53);
}

TEST_CASE("moments", "[random_streams]") {
    const std::uint64_t seed = 11;
    CAPTURE(seed);
    const int count = 200'000 * effort();
    RandomStream stream(seed, Purpose::test, 0);
    double u[3] = {};
    double z[4] = {};
    double e[2] = {};
    double g[2] = {};
    for (int i = 0; i < count; ++i) {
        const double x = stream.uniform() - 0.5;
        u[0] += x;
        u[1] += x * x;
        u[2] += x * x * x;
        const double n = stream.normal();
        z[0] += n;
        z[1] += n * n;
        z[2] += n * n * n;
        z[3] += n * n * n * n;
        const double t = stream.exponential();
        e[0] += t;
        e[1] += t * t;
        const double s = stream.gamma(2.5);
        g[0] += s;
        g[1] += s * s;
    }
    CHECK(near(u[0], count, 0.0, 1.0 / 12));
    CHECK(near(u[1], count, 1.0 / 12, 1.0 / 80 - 1.0 / 144));
    CHECK(near(u[2], count, 0.0, 1.0 / 448));
    CHECK(near(z[0], count, 0.0, 1.0));
    CHECK(near(z[1], count, 1.0, 2.0));
    CHECK(near(z[2], count, 0.0, 15.0));
    CHECK(near(z[3], count, 3.0, 96.0));
    CHECK(near(e[0], count, 1.0, 1.0));
    CHECK(near(e[1], count, 2.0, 20.0));
    CHECK(near(g[0], count, 2.5, 2.5));
    CHECK(near(g[1], count, 8.75, 2.5 * 3.5 * (4.5 * 5.5 - 2.5 * 3.5)));
}

TEST_CASE("blocks and purposes are uncorrelated", "[random_streams]") {
    const std::uint64_t seed = 12;
    CAPTURE(seed);
    const int count = 100'000 * effort();
    RandomStream a(seed, Purpose::test, 8);
    RandomStream b(seed, Purpose::test, 9);
    RandomStream c(seed, Purpose::batch_sampling, 8);
    double ab = 0.0;
    double ac = 0.0;
    for (int i = 0; i < count; ++i) {
        const double x = a.uniform() - 0.5;
        ab += x * (b.uniform() - 0.5);
        ac += x * (c.uniform() - 0.5);
    }
    CHECK(near(ab, count, 0.0, 1.0 / 144));
    CHECK(near(ac, count, 0.0, 1.0 / 144));
}

TEST_CASE("normals that are filled in are those drawn one by one", "[random_streams]") {
    const std::uint64_t seed = test_support::Random(17).seed();
    CAPTURE(seed);
    for (const std::size_t count : {1UL, 2UL, 255UL, 512UL, 513UL, 2001UL}) {
        CAPTURE(count);
        RandomStream together(seed, Purpose::test, count);
        RandomStream one_by_one(seed, Purpose::test, count);
        std::vector<double> normals(count + 1, 99.0);
        together.fill_normals(std::span(normals).first(count));
        double worst = 0.0;
        for (std::size_t i = 0; i < count; ++i)
            worst = std::max(worst, std::fabs(normals[i] - one_by_one.normal()));
        CHECK(worst < 9e-15);
        CHECK(normals[count] == 99.0);
        // The next number: both have taken as many.
        CHECK(together.bits() == one_by_one.bits());
    }
}

TEST_CASE("integers below a bound", "[random_streams]") {
    RandomStream stream(5, Purpose::test, 0);
    std::array<int, 6> counts{};
    const int count = 60'000;
    for (int i = 0; i < count; ++i) ++counts[stream.below(6)];
    for (const int n : counts) CHECK(near(n, count, 1.0 / 6, 5.0 / 36));
    CHECK(stream.below(1) == 0);
    CHECK(stream.below(~std::uint64_t{0}) < ~std::uint64_t{0});
}
