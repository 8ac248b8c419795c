#include "assay/batch_sampling/binomial_distribution.hpp"

#include <algorithm>

#include "test_support/goodness_of_fit.hpp"
#include "test_support/test_support.hpp"

using namespace assay;
using test_support::Wide;

namespace {

/// P(X = k), k = from .. to, by the product over the trials' ratios from an anchor computed anew.
std::vector<double> masses(std::int64_t n, const Wide& p, std::int64_t from, std::int64_t to) {
    Wide log_mass = 0;  // of `from`: log C(n, from) p^from q^(n-from)
    for (std::int64_t i = 0; i < from; ++i) log_mass += log(Wide(n - i)) - log(Wide(i + 1));
    Wide mass = exp(log_mass + from * log(p) + (n - from) * log(1 - p));
    std::vector<double> result;
    for (std::int64_t k = from; k <= to; ++k) {
        result.push_back(static_cast<double>(mass));
        mass *= p / (1 - p) * (n - k) / (k + 1);
    }
    return result;
}

}  // namespace

TEST_CASE("binomial draws follow the binomial distribution", "[batch]") {
    struct Distribution {
        std::int64_t trials;
        double numerator;
        double denominator;
        std::int64_t from;
        std::int64_t to;
    };
    const Distribution distribution =
        GENERATE(Distribution{1, 1.0, 3.0, 0, 1}, Distribution{10, 0.5, 1.0, 0, 10},
                 Distribution{40, 0.9, 1.0, 25, 40}, Distribution{1000, 1.0, 7.0, 105, 181},
                 Distribution{46'000'000, 64.0 / 46e6, 1.0, 36, 94},
                 Distribution{4'000'000'000, 1.0, 4e7, 65, 137});
    CAPTURE(distribution.trials, distribution.numerator, distribution.denominator);
    const BinomialDistribution binomial(distribution.trials, distribution.numerator,
                                        distribution.denominator);
    const std::uint64_t seed = 414'213;
    CAPTURE(seed);
    RandomStream stream(seed, Purpose::test, 3);
    const int draws = 40'000 * test_support::effort();
    const auto cells = static_cast<std::size_t>(distribution.to - distribution.from + 1);
    std::vector<double> counts(cells, 0.0);  // the outcomes outside at the ends
    for (int i = 0; i < draws; ++i) {
        const std::int64_t outcome =
            std::clamp(binomial.draw(stream), distribution.from, distribution.to);
        counts[static_cast<std::size_t>(outcome - distribution.from)] += 1.0;
    }
    std::vector<double> expected =
        masses(distribution.trials, Wide(distribution.numerator) / Wide(distribution.denominator),
               distribution.from, distribution.to);
    double inside = 0.0;
    for (const double mass : expected) inside += mass;
    CHECK(inside > 0.999);
    const double below = distribution.from == 0 ? 0.0 : (1.0 - inside) / 2.0;
    expected.front() += below;
    expected.back() += 1.0 - inside - below;
    CHECK(goodness_of_fit::p_value(counts, expected) > goodness_of_fit::level);
    CHECK(goodness_of_fit::detected_deviation(cells, draws) < 0.06);
}

TEST_CASE("both precisions invert alike, and a boundary is left to the finer one", "[batch]") {
    const BinomialDistribution coins(2, 1.0, 2.0);  // 1 below 1/2, 2 below 3/4, then 0
    constexpr std::uint64_t half = 1ULL << 63U;
    constexpr std::uint64_t all = ~0ULL;
    CHECK(coins.quick_outcome(0) == 1);
    CHECK(coins.quick_outcome(half + (half >> 2U)) == 2);
    CHECK(coins.quick_outcome(half + (half >> 1U) + (half >> 2U)) == 0);
    for (const std::uint64_t word : {half - 1, half, half + (half >> 1U), all})
        CHECK_FALSE(coins.quick_outcome(word).has_value());
    CHECK(coins.precise_outcome({half - 1, all, all}) == 1);
    CHECK(coins.precise_outcome({half, 0, 1}) == 2);
    CHECK(coins.precise_outcome({half + (half >> 1U), 0, 1}) == 0);
    CHECK(coins.precise_outcome({all, all, all}) == 0);

    const BinomialDistribution batch(46'000'000, 1024.0 / 46e6, 1.0);
    RandomStream stream(7, Purpose::test, 4);
    for (int i = 0; i < 40; ++i) {
        const std::uint64_t word = stream.bits();
        const auto quick = batch.quick_outcome(word);
        REQUIRE(quick.has_value());
        CHECK(*quick == batch.precise_outcome({word, 0, 0}));
        CHECK(*quick == batch.precise_outcome({word, all, all}));
    }
    CHECK(batch.precise_outcome({all, all, all}) < 2048);
    CHECK(batch.precise_outcome({all, all, all}) != batch.mode());
}

TEST_CASE("certain outcomes are drawn, and distributions that are none are refused", "[batch]") {
    RandomStream stream(1, Purpose::test, 5);
    CHECK(BinomialDistribution(0, 0.5, 1.0).draw(stream) == 0);
    CHECK(BinomialDistribution(100, 0.0, 1.0).draw(stream) == 0);
    CHECK(BinomialDistribution(100, 3.0, 3.0).draw(stream) == 100);
    const double nan = std::nan("");
    CHECK(test_support::refused([] { return BinomialDistribution(-1, 0.5, 1.0); }) == "trials");
    CHECK(test_support::refused([] { return BinomialDistribution(1, 1.5, 1.0); }) == "probability");
    CHECK(test_support::refused([=] { return BinomialDistribution(1, nan, 1.0); }) ==
          "probability");
    CHECK(test_support::refused([=] { return BinomialDistribution(1, 0.5, nan); }) ==
          "probability");
    CHECK(test_support::refused([] { return BinomialDistribution(1, 0.0, 0.0); }) == "probability");
}
