#include "assay/datasets/synthetic_clicks.hpp"

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <limits>
#include <map>

#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::test_support;

namespace {

/// Pairs one by one: the definition.
double auc_by_pairs(const std::vector<double>& log_odds) {
    double above = 0.0;
    double pairs = 0.0;
    for (const double s : log_odds)
        for (const double t : log_odds) {
            const double weight = 1.0 / (1.0 + std::exp(-s)) * (1.0 / (1.0 + std::exp(t)));
            pairs += weight;
            above += weight * (s > t ? 1.0 : s == t ? 0.5 : 0.0);
        }
    return above / pairs;
}

}  // namespace

TEST_CASE("synthetic clicks have the shape asked for", "[dpsgd][data]") {
    const SyntheticClicks clicks{
        .examples = 5000, .seed = 3, .integers = 2, .fields = 4, .smallest = 3, .largest = 192};
    const Dataset data = synthetic_clicks(clicks);
    CHECK_NOTHROW(validate(data));
    CHECK(data.name == "synthetic clicks");
    CHECK(data.size() == 5000);
    CHECK(data.shape.values == 2);
    CHECK(data.shape.classes == 2);
    CHECK(data.shape.categories == std::vector<std::int32_t>{3, 12, 48, 192});
    for (const float value : data.values) {
        const double integer = std::expm1(static_cast<double>(value));
        CHECK(integer == Approx(std::round(integer)).epsilon(1e-5));
        CHECK((integer >= 0.0 && integer < 10'000.0));
    }
}

TEST_CASE("the first synthetic clicks do not depend on their number", "[dpsgd][data]") {
    SyntheticClicks clicks{.examples = 9000, .seed = 4, .integers = 1, .fields = 2};
    const SyntheticSample many = synthetic_sample(clicks);
    clicks.examples = 4097;
    const SyntheticSample few = synthetic_sample(clicks);
    CHECK(std::equal(few.data.values.begin(), few.data.values.end(), many.data.values.begin()));
    CHECK(std::equal(few.data.categories.begin(), few.data.categories.end(),
                     many.data.categories.begin()));
    CHECK(std::equal(few.data.labels.begin(), few.data.labels.end(), many.data.labels.begin()));
    CHECK(std::equal(few.log_odds.begin(), few.log_odds.end(), many.log_odds.begin()));
    clicks.seed = 5;
    CHECK(synthetic_sample(clicks).log_odds != few.log_odds);
}

TEST_CASE("categories follow the power distribution", "[dpsgd][data]") {
    const std::int64_t n = 50'000 * effort();
    const SyntheticClicks clicks{.examples = n,
                                 .seed = 11,
                                 .integers = 0,
                                 .fields = 1,
                                 .smallest = 50,
                                 .largest = 50,
                                 .tail_exponent = 0.8};
    CAPTURE(clicks.seed);
    const Dataset data = synthetic_clicks(clicks);
    std::vector<double> counts(50, 0.0);
    for (const std::int32_t category : data.categories)
        ++counts[static_cast<std::size_t>(category)];
    double total = 0.0;
    for (int k = 1; k <= 50; ++k) total += std::pow(k, -0.8);
    double statistic = 0.0;
    for (int k = 1; k <= 50; ++k) {
        const double expected = static_cast<double>(n) * std::pow(k, -0.8) / total;
        const double excess = counts[static_cast<std::size_t>(k - 1)] - expected;
        statistic += excess * excess / expected;
    }
    // The exponent 0.83 would shift the statistic by about 60, its deviation being 10.
    CHECK(statistic < quantile(complement(boost::math::chi_squared(49.0), 1e-6)));
}

TEST_CASE("log odds have the mean and the spread asked for", "[dpsgd][data]") {
    const SyntheticClicks clicks{
        .examples = 40'000, .seed = 12, .mean_log_odds = -1.0, .log_odds_spread = 1.5};
    CAPTURE(clicks.seed);
    const SyntheticSample sample = synthetic_sample(clicks);
    const auto n = static_cast<double>(sample.log_odds.size());
    double mean = 0.0;
    double square = 0.0;
    for (const double s : sample.log_odds) {
        mean += s / n;
        square += (s + 1.0) * (s + 1.0) / n;
    }
    CHECK(mean == Approx(-1.0).margin(5.0 * 1.5 / std::sqrt(n)));
    // Fourth moments of the features add little to that of a normal number.
    CHECK(square == Approx(2.25).margin(6.0 * 2.25 * std::sqrt(3.0 / n)));
}

TEST_CASE("labels are drawn by their log odds, which are linear in the features", "[dpsgd][data]") {
    const SyntheticClicks clicks{.examples = 40'000,
                                 .seed = 13,
                                 .integers = 1,
                                 .fields = 1,
                                 .smallest = 20,
                                 .largest = 20,
                                 .log_odds_spread = 2.0};
    CAPTURE(clicks.seed);
    const SyntheticSample sample = synthetic_sample(clicks);
    // Deciles of the log odds: label counts against the sum of the probabilities.
    std::vector<std::size_t> order(sample.log_odds.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return sample.log_odds[a] < sample.log_odds[b];
    });
    for (std::size_t part = 0; part < 10; ++part) {
        double expected = 0.0;
        double variance = 0.0;
        double ones = 0.0;
        for (std::size_t i = part * 4000; i < (part + 1) * 4000; ++i) {
            const double p = 1.0 / (1.0 + std::exp(-sample.log_odds[order[i]]));
            expected += p;
            variance += p * (1.0 - p);
            ones += sample.data.labels[order[i]];
        }
        CHECK(ones == Approx(expected).margin(5.0 * std::sqrt(variance)));
    }
    // Two examples of one category differ by a slope times the difference of their values.
    const Dataset& data = sample.data;
    std::map<std::int32_t, std::size_t> first;
    double slope = 0.0;
    for (std::size_t i = 0; i < 2000; ++i) {
        const auto [at, is_new] = first.try_emplace(data.categories[i], i);
        const double run = static_cast<double>(data.values[i]) - data.values[at->second];
        if (is_new || std::fabs(run) < 0.5) continue;
        const double found = (sample.log_odds[i] - sample.log_odds[at->second]) / run;
        if (slope == 0.0) slope = found;
        CHECK(found == Approx(slope).epsilon(1e-5));
    }
    CHECK(slope != 0.0);
}

TEST_CASE("the best possible AUC is that of the definition", "[dpsgd][data]") {
    Random random(66);
    CAPTURE(random.seed());
    for (int run = 0; run < 20 * effort(); ++run) {
        std::vector<double> log_odds;
        const int n = random.integer(1, 60);
        for (int i = 0; i < n; ++i)
            log_odds.push_back(run % 2 == 0 ? random.uniform(-4.0, 4.0) : random.integer(-3, 3));
        CHECK(best_possible_auc(log_odds) == Approx(auc_by_pairs(log_odds)).epsilon(1e-12));
    }
    CHECK(best_possible_auc(std::vector{-800.0}) == 0.5);
    CHECK(best_possible_auc(std::vector{0.0, 0.0}) == Approx(0.5).epsilon(1e-15));
    CHECK(refused([] { return best_possible_auc({}); }) == "examples");

    // And what the drawn labels show: no score orders them better but by chance.
    const SyntheticSample sample = synthetic_sample({.examples = 3000, .seed = 14});
    double above = 0.0;
    double pairs = 0.0;
    for (std::size_t i = 0; i < 3000; ++i)
        for (std::size_t j = 0; j < 3000; ++j)
            if (sample.data.labels[i] > sample.data.labels[j]) {
                ++pairs;
                above += sample.log_odds[i] > sample.log_odds[j] ? 1.0 : 0.0;
            }
    CHECK(above / pairs == Approx(best_possible_auc(sample.log_odds)).margin(0.05));
}

TEST_CASE("synthetic clicks refuse what makes no sense by name", "[dpsgd][data]") {
    using Clicks = SyntheticClicks;
    const auto said = [](const Clicks& clicks) {
        return refused([&] { return synthetic_clicks(clicks); });
    };
    const double nan = std::numeric_limits<double>::quiet_NaN();
    CHECK(said(Clicks{.examples = 0}) == "examples");
    CHECK(said(Clicks{.examples = std::int64_t{1} << 32}) == "examples");
    CHECK(said(Clicks{.integers = -1}) == "integers");
    CHECK(said(Clicks{.fields = 1001}) == "fields");
    CHECK(said(Clicks{.integers = 0, .fields = 0}) == "fields");
    CHECK(said(Clicks{.smallest = 1}) == "smallest");
    CHECK(said(Clicks{.smallest = 4, .largest = 3}) == "smallest");
    CHECK(said(Clicks{.largest = 10'000'001}) == "largest");
    CHECK(said(Clicks{.tail_exponent = nan}) == "tail exponent");
    CHECK(said(Clicks{.mean_log_odds = -31.0}) == "mean log odds");
    CHECK(said(Clicks{.log_odds_spread = nan}) == "log odds spread");
    for (const double value : {0.0, 10.0}) {  // the ends of the domain give no NaN
        const SyntheticSample sample = synthetic_sample({.examples = 500,
                                                         .integers = 1,
                                                         .fields = 2,
                                                         .smallest = 2,
                                                         .tail_exponent = value,
                                                         .log_odds_spread = 3.0 * value});
        CHECK_NOTHROW(validate(sample.data));
        CHECK(std::all_of(sample.log_odds.begin(), sample.log_odds.end(),
                          [](double s) { return std::isfinite(s); }));
        const double auc = best_possible_auc(sample.log_odds);
        CHECK((auc >= 0.5 && auc <= 1.0));
    }
}
