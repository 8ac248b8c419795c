#include "assay/batch_sampling/truncation.hpp"

#include <array>

#include "test_support/test_support.hpp"

using namespace assay;
using test_support::Wide;

namespace {

/// P(X > threshold) by adding up every outcome, X ~ Bin(n, b/n).
Wide tail(std::int64_t n, std::int64_t b, std::int64_t threshold) {
    const Wide p = Wide(b) / n;
    Wide log_mass = (threshold + 1) * log(p) + (n - threshold - 1) * log(1 - p);
    for (std::int64_t i = 0; i <= threshold; ++i) log_mass += log(Wide(n - i) / Wide(i + 1));
    Wide mass = exp(log_mass);
    Wide sum = 0;
    for (std::int64_t k = threshold + 1; k <= n && mass > sum * Wide("1e-45"); ++k) {
        sum += mass;
        mass *= p / (1 - p) * (n - k) / (k + 1);
    }
    return sum;
}

constexpr std::array<std::int64_t, 9> display_ads{1328,   2469,   4681,    9007,   17'520,
                                                  34'355, 67'754, 134'172, 266'475};
constexpr std::array<std::int64_t, 9> sponsored_search{1320,   2458,   4665,    8984,   17'488,
                                                       34'309, 67'687, 134'071, 266'317};
constexpr std::int64_t display_ads_size = 37'000'000;
constexpr std::int64_t sponsored_search_size = 12'796'151;

}  // namespace

TEST_CASE("the binomial tail is an upper bound, and close", "[batch]") {
    struct Case {
        std::int64_t n;
        std::int64_t b;
        std::int64_t threshold;
    };
    const Case c =
        GENERATE(Case{10, 3, 3}, Case{10, 3, 8}, Case{10, 3, 9}, Case{30, 29, 29}, Case{1000, 1, 1},
                 Case{1000, 500, 520}, Case{1000, 20, 60}, Case{50'000, 120, 200},
                 Case{display_ads_size, 1024, 1325}, Case{display_ads_size, 8192, 8192},
                 Case{display_ads_size, 8192, 9007}, Case{4'294'967'295, 1, 15},
                 Case{4'294'967'295, 100, 1000}, Case{1000, 990, 995});
    CAPTURE(c.n, c.b, c.threshold);
    const Bound bound = log_binomial_tail(c.n, c.b, c.threshold);
    CHECK(bound.direction == Direction::upper);
    const Wide truth = log(tail(c.n, c.b, c.threshold));
    CHECK(Wide(bound.value) >= truth);
    const Wide loose = Wide(bound.value) - truth;
    CHECK(loose <=
          Wide(c.threshold + 1) * Wide("1.2e-16") + abs(truth) * Wide("4e-16") + Wide("2e-15"));
}

TEST_CASE("a probability rounded to a double changes the tail less than the bound leaves",
          "[batch]") {
    for (const std::int64_t n : {7, 1000, 37'000'001}) {
        const std::int64_t b = n / 3;
        const std::int64_t threshold =
            b + static_cast<std::int64_t>(6.0 * std::sqrt(static_cast<double>(b))) / 2;
        if (threshold > 100'000) continue;
        const Wide p = Wide(static_cast<double>(b) / static_cast<double>(n));
        Wide mass = pow(1 - p, static_cast<int>(n));
        Wide sum = 0;
        for (std::int64_t k = 0; k <= n; ++k) {
            if (k > threshold) sum += mass;
            mass *= p / (1 - p) * (n - k) / (k + 1);
        }
        CAPTURE(n, b, threshold);
        if (sum > 0) CHECK(Wide(log_binomial_tail(n, b, threshold).value) >= log(sum));
    }
}

TEST_CASE("delta of truncated batches is an upper bound, and close", "[batch]") {
    const double epsilon = GENERATE(0.0, 0.5, 10.0, 700.0);
    const std::int64_t steps = GENERATE(std::int64_t{1}, std::int64_t{36'133});
    CAPTURE(epsilon, steps);
    const Bound bound = truncation_delta(display_ads_size, 1024, steps, epsilon, 1325);
    const Wide truth = (1 + exp(Wide(epsilon))) * steps * tail(display_ads_size, 1024, 1325);
    CHECK(bound.direction == Direction::upper);
    CHECK(bound.status == Status::certified);
    CHECK(Wide(bound.value) >= truth);
    CHECK(Wide(bound.value) <= truth * Wide("1.0000000000003"));
}

TEST_CASE("certain and impossible truncations", "[batch]") {
    CHECK(truncation_delta(100, 10, 5, 1.0, 100).value == 0.0);
    CHECK(truncation_delta(100, 100, 5, 1.0, 100).value == 0.0);
    CHECK(truncation_delta(100, 10, 5, 1.0, 5).value >= 5.0 * (1.0 + std::exp(1.0)));
    CHECK(truncation_delta(100, 10, 5, 1e4, 20).status == Status::vacuous);
    CHECK(truncation_delta(100, 10, 5, 1e4, 20).value == INFINITY);
    // Far in the tail the value is tiny and not 0: it stands above the truth.
    CHECK(truncation_delta(1'000'000, 10, 1, 0.0, 400).value > 0.0);
    CHECK(truncation_delta(1'000'000, 10, 1, 0.0, 400).value < 1e-300);
}

TEST_CASE("the tables of chua2025 follow from epsilon = 5 and delta <= 1e-5 / n", "[batch]") {
    // The text says epsilon = 10 and delta <= 1e-10: no steps or rounding make that give the
    // tables.
    for (const auto& [n, table] : {std::pair{display_ads_size, display_ads},
                                   std::pair{sponsored_search_size, sponsored_search}})
        for (std::size_t i = 0; i < table.size(); ++i) {
            const std::int64_t b = std::int64_t{1024} << i;
            const std::int64_t steps = (n + b - 1) / b;
            CAPTURE(n, b);
            CHECK(smallest_maximum_batch_size(n, b, steps, 5.0, 1e-5 / static_cast<double>(n)) ==
                  table[i]);
        }
}

TEST_CASE("the tables of chua2025 at the epsilon = 10, delta <= 1e-10 of its text", "[batch]") {
    // Display ads: enough, though up to 56 more than needed. Sponsored search: only for b = 2048.
    const std::array<std::int64_t, 9> ads{1325,   2464,   4674,    8997,   17'507,
                                          34'336, 67'727, 134'133, 266'419};
    const std::array<std::int64_t, 9> search{1321,   2458,   4666,    8986,   17'490,
                                             34'312, 67'691, 134'078, 266'326};
    for (std::size_t i = 0; i < ads.size(); ++i) {
        const std::int64_t b = std::int64_t{1024} << i;
        CAPTURE(b);
        const std::int64_t ads_steps = (display_ads_size + b - 1) / b;
        const std::int64_t search_steps = (sponsored_search_size + b - 1) / b;
        CHECK(smallest_maximum_batch_size(display_ads_size, b, ads_steps, 10.0, 1e-10) == ads[i]);
        CHECK(smallest_maximum_batch_size(sponsored_search_size, b, search_steps, 10.0, 1e-10) ==
              search[i]);
        CHECK(truncation_delta(display_ads_size, b, ads_steps, 10.0, display_ads[i]).value < 4e-11);
        const double of_search =
            truncation_delta(sponsored_search_size, b, search_steps, 10.0, sponsored_search[i])
                .value;
        CHECK(of_search < 1.2e-10);
        CHECK((of_search <= 1e-10) == (b == 2048));
    }
    // The last but one of these by the exact tail, both sides of the threshold.
    const Wide factor = (1 + exp(Wide(10))) * 12'497;
    CHECK(factor * tail(sponsored_search_size, 1024, 1320) > Wide("1e-10"));
    CHECK(factor * tail(sponsored_search_size, 1024, 1321) < Wide("1e-10"));
}

TEST_CASE("the smallest maximum is the smallest", "[batch]") {
    const test_support::Random random(99);
    test_support::Random draw(random.seed());
    CAPTURE(draw.seed());
    for (int i = 0; i < 20 * test_support::effort(); ++i) {
        const std::int64_t n = draw.integer(2, 400);
        const std::int64_t b = draw.integer(1, static_cast<int>(n));
        const double epsilon = draw.uniform(0.0, 5.0);
        const double delta = draw.log_uniform(1e-12, 0.1);
        const std::int64_t most = smallest_maximum_batch_size(n, b, 7, epsilon, delta);
        CAPTURE(n, b, epsilon, delta, most);
        const Wide factor = (1 + exp(Wide(epsilon))) * 7;
        CHECK(most >= b);
        CHECK(most <= n);
        if (most < n && b < n) CHECK(factor * tail(n, b, most) <= Wide(delta));
        if (most > b) CHECK(factor * tail(n, b, most - 1) > Wide(delta) * Wide("0.999999999"));
    }
}

TEST_CASE("truncations outside the domain are refused by name", "[batch]") {
    using test_support::refused;
    CHECK(refused([] { return truncation_delta(10, 11, 1, 1.0, 5); }) == "batch-size");
    CHECK(refused([] { return truncation_delta(10, 0, 1, 1.0, 5); }) == "batch-size");
    CHECK(refused([] { return truncation_delta(0, 1, 1, 1.0, 5); }) == "dataset-size");
    CHECK(refused([] { return truncation_delta(1LL << 32, 1, 1, 1.0, 5); }) == "dataset-size");
    CHECK(refused([] { return truncation_delta(10, 1, 0, 1.0, 5); }) == "steps");
    CHECK(refused([] { return truncation_delta(10, 1, 1, -1.0, 5); }) == "epsilon");
    CHECK(refused([] { return truncation_delta(10, 1, 1, std::nan(""), 5); }) == "epsilon");
    CHECK(refused([] { return truncation_delta(10, 1, 1, 1.0, 0); }) == "maximum-batch-size");
    CHECK(refused([] { return smallest_maximum_batch_size(10, 1, 1, 1.0, 0.0); }) == "delta");
    CHECK(refused([] { return smallest_maximum_batch_size(10, 1, 1, 1.0, NAN); }) == "delta");
    CHECK(refused([] { return log_binomial_tail(10, 1, -1); }) == "threshold");
}
