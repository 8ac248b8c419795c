#include "assay/numeric/tail_table.hpp"

#include <algorithm>

#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::test_support;

namespace {

/// -log of the probability whose signed tail this is.
real minus_log(real tail) {
    return tail > 0.0L ? -std::log(tail) : -std::log1p(tail);
}

TailTable exponential(double tolerance, int octaves = 32) {
    // Fourth derivatives 6/p^4; p >= 1/2 on the other side.
    const auto fourth = [](real left, real) {
        const real p = left > 0.0L ? left : 1.0L + left;
        return 6.0L / (p * p * p * p);
    };
    return {{minus_log, fourth}, octaves, tolerance};
}

}  // namespace

TEST_CASE("a table keeps its stated error", "[tail_table]") {
    Random random(31);
    CAPTURE(random.seed());
    for (const double tolerance : {1e-6, 1e-9, 1e-11}) {
        const TailTable table = exponential(tolerance);
        CHECK(table.relative_error() <= tolerance + 0x1p-46);
        for (int i = 0; i < 20'000 * effort(); ++i) {
            const double magnitude = random.log_uniform(1e-12, 0.5);
            const double tail = i % 2 == 0 ? magnitude : -magnitude;
            const auto truth = static_cast<double>(minus_log(tail));
            REQUIRE(std::fabs(table.at(tail) / truth - 1.0) <= table.relative_error() + 1e-15);
        }
    }
}

// What a threshold makes of a tail can be rounded to 1/2: it was looked up beyond its side.
TEST_CASE("a table reaches 1/2 and the doubles next to it", "[tail_table]") {
    const TailTable table = exponential(1e-9);
    const std::vector<double> tails{
        0.5, -0.5, 0.5 + 0x1p-53, -0.5 + 0x1p-54, 0.5 - 0x1p-54, 0.5, -0.5, 0.5 + 0x1p-51, 0.25};
    std::vector<double> fast = tails;
    std::vector<double> narrow = tails;
    table.evaluate(fast);
    table.evaluate(narrow, false);
    for (std::size_t i = 0; i < tails.size(); ++i) {
        CAPTURE(tails[i]);
        const auto truth = static_cast<double>(minus_log(tails[i]));
        CHECK(std::fabs(table.at(tails[i]) / truth - 1.0) <= table.relative_error());
        CHECK(fast[i] == table.at(tails[i]));
        CHECK(narrow[i] == table.at(tails[i]));
    }
}

TEST_CASE("the vector kernels give the bits of the plain ones", "[tail_table]") {
    const TailTable table = exponential(1e-9, 32);
    const TailTable shallow = exponential(1e-9, 3);  // one tail in eight is beyond it
    RandomStream stream(5, Purpose::test, 1);
    for (const std::size_t size : {0U, 1U, 3U, 4U, 5U, 64U, 500U, 512U, 30'000U}) {
        std::vector<double> tails(size);
        fill_signed_tails(stream, tails);
        for (const TailTable* any : {&table, &shallow}) {
            std::vector<double> fast = tails;
            std::vector<double> narrow = tails;
            std::vector<double> plain = tails;
            any->evaluate(fast);
            any->evaluate(narrow, false);
            any->evaluate_plain(plain);
            REQUIRE(fast == plain);
            REQUIRE(narrow == plain);
        }

        std::vector<std::uint64_t> words(size);
        stream.fill_bits(words);
        std::vector<std::uint32_t> rare(2 * size);
        std::vector<std::uint32_t> rare_plain(2 * size);
        std::size_t count = 0;
        std::size_t count_plain = 0;
        const double sum = table.sum(words, rare, count);
        REQUIRE(sum == table.sum_plain(words, rare_plain, count_plain));
        REQUIRE(count == count_plain);
        REQUIRE(rare == rare_plain);

        std::vector<double> tails_plain(size);
        REQUIRE(detail::signed_tails_vector(words, tails.data()) ==
                detail::signed_tails_plain(words, tails_plain.data()));
        REQUIRE(tails == tails_plain);
    }
}

TEST_CASE("a sum has the mean and variance of its function", "[tail_table]") {
    const TailTable table = exponential(1e-9);
    RandomStream stream(6, Purpose::test, 2);
    std::vector<std::uint64_t> words(64);
    std::vector<std::uint32_t> rare(128);
    const int repetitions = 3000 * effort();
    double first = 0.0;
    double second = 0.0;
    for (int i = 0; i < repetitions; ++i) {
        stream.fill_bits(words);
        std::size_t count = 0;
        double sum = table.sum(words, rare, count);
        for (std::size_t k = 0; k < count; ++k)
            sum += table.at(refine_cell(stream, rare[k])) - table.cell_value(rare[k]);
        first += sum - 128.0;
        second += (sum - 128.0) * (sum - 128.0);
    }
    const double n = repetitions;
    CHECK(std::fabs(first / n) < 5.0 * std::sqrt(128.0 / n));
    CHECK(std::fabs(second / n - 128.0) < 5.0 * std::sqrt(2.0 * 128.0 * 128.0 * 1.1 / n));
}

TEST_CASE("signed tails are uniform and fine near 0", "[tail_table]") {
    RandomStream stream(9, Purpose::test, 3);
    std::vector<double> tails(400'000);
    fill_signed_tails(stream, tails);
    double negative = 0.0;
    double below = 0.0;
    for (const double tail : tails) {
        REQUIRE(tail != 0.0);
        REQUIRE(std::fabs(tail) < 0.5);
        negative += tail < 0.0 ? 1.0 : 0.0;
        below += std::fabs(tail) < 0.125 ? 1.0 : 0.0;
    }
    const auto n = static_cast<double>(tails.size());
    CHECK(std::fabs(negative / n - 0.5) < 5.0 * std::sqrt(0.25 / n));
    CHECK(std::fabs(below / n - 0.25) < 5.0 * std::sqrt(0.1875 / n));
    // The cell of the smallest magnitude, side 1: within (-2^-32, 0).
    for (int i = 0; i < 100; ++i) {
        const double refined = refine_cell(stream, 1);
        CHECK(refined < 0.0);
        CHECK(refined > -0x1p-32);
    }
}

TEST_CASE("a function too steep for a table is refused", "[tail_table]") {
    const auto wild = [](real tail) { return std::exp(1000.0L * tail); };
    const auto fourth = [wild](real, real right) { return 1e30L * wild(right); };
    CHECK_THROWS_AS((TailTable{{wild, fourth}, 2, 1e-12}), Error);
}
