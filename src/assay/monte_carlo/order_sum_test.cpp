#include "assay/monte_carlo/order_sum.hpp"

#include <algorithm>
#include <array>

#include "assay/monte_carlo/order_statistics.hpp"
#include "assay/monte_carlo/sampling_tables.hpp"
#include "test_support/monte_carlo_test_support.hpp"
#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::test_support;

namespace {

/// The tail itself as the "lognormal": the weighted sum is then linear in uniform order statistics.
TailTable identity_table() {
    return {{[](real tail) { return tail > 0.0L ? tail : 1.0L + tail; },
             [](real, real) { return 0.0L; }},
            22,
            1e-12};
}

struct MeanAndVariance {
    double mean = 0.0;
    double variance = 0.0;
};

template <class Draw>
MeanAndVariance mean_and_variance(int count, const Draw& draw) {
    double first = 0.0;
    double second = 0.0;
    for (int i = 0; i < count; i += 4)
        for (const double x : draw()) {
            first += x;
            second += x * x;
        }
    const double mean = first / count;
    return {mean, second / count - mean * mean};
}

}  // namespace

TEST_CASE("order statistics against exact means and covariances", "[order_sum]") {
    // The k-th smallest tail of R uniforms: mean k/(R+1), covariance j (R+1-k)/((R+1)^2 (R+2)).
    const std::int64_t count = 100;
    const TailTable table = identity_table();
    RandomStream stream(89, Purpose::test, 0);
    std::vector<double> scratch;
    const int trials = 40'000 * effort();
    for (const LossDirection direction : {LossDirection::removal, LossDirection::addition})
        for (const auto& orders : {std::vector<std::int64_t>{1}, {1, 2, 3, 40, 100}, {1, 11, 12}}) {
            const OrderSum sum(orders, count, direction);
            std::vector<double> weights;
            for (std::size_t i = 0; i < orders.size(); ++i) {
                const std::int64_t next = i + 1 < orders.size() ? orders[i + 1] : count + 1;
                const std::int64_t last = i > 0 ? orders[i - 1] : 0;
                weights.push_back(static_cast<double>(
                    direction == LossDirection::removal ? next - orders[i] : orders[i] - last));
            }
            const double n = 101.0;
            double mean = 0.0;
            double variance = 0.0;
            for (std::size_t i = 0; i < orders.size(); ++i) {
                mean += weights[i] * static_cast<double>(orders[i]) / n;
                for (std::size_t j = 0; j < orders.size(); ++j)
                    variance += weights[i] * weights[j] *
                                static_cast<double>(std::min(orders[i], orders[j])) *
                                (n - static_cast<double>(std::max(orders[i], orders[j]))) /
                                (n * n * (n + 1.0));
            }
            const MeanAndVariance found =
                mean_and_variance(trials, [&] { return sum.draw(stream, table, {}, scratch); });
            CAPTURE(orders.size());
            CHECK(std::fabs(found.mean - mean) < 5.0 * std::sqrt(variance / trials));
            CHECK(std::fabs(found.variance / variance - 1.0) < 5.0 * std::sqrt(12.0 / trials));
        }
}

TEST_CASE("all orders are the plain sum, fewer bound it", "[order_sum]") {
    const double s = 0.8;
    const std::int64_t count = 60;
    const TailTable table = lognormal_table(s, 22);
    RandomStream stream(97, Purpose::test, 0);
    std::vector<double> scratch;
    const int trials = 20'000 * effort();
    const double variance = std::expm1(1.0 / (s * s)) * static_cast<double>(count);
    const auto mean_of = [&](const std::vector<std::int64_t>& orders, LossDirection direction) {
        const OrderSum sum(orders, count, direction);
        return mean_and_variance(trials, [&] { return sum.draw(stream, table, {}, scratch); }).mean;
    };
    const double noise = 5.0 * std::sqrt(variance / trials);
    CHECK(std::fabs(mean_of(up_to(count), LossDirection::removal) - 60.0) < noise);
    CHECK(std::fabs(mean_of(up_to(count), LossDirection::addition) - 60.0) < noise);
    CHECK(mean_of({1, 5, 30}, LossDirection::removal) > 60.0 + noise);
    CHECK(mean_of({1, 5, 30}, LossDirection::addition) < 60.0 - noise);
}

TEST_CASE("tails within a threshold", "[order_sum]") {
    const Above all;
    CHECK(all.tail(0.25) == 0.25);
    CHECK(all.tail(-1e-12) == -1e-12);
    const Above above{0.4, 0.6};
    CHECK(above.tail(0.1) == Approx(0.46));
    CHECK(above.tail(0.25) == Approx(0.55 - 1.0));
    CHECK(above.tail(-1e-20) == Approx(-0.6e-20));
    // 1 - tail is rounded to 1/2 here, and so is the tail.
    const Above rounded{0.3, 0.7};
    CHECK(rounded.tail(0x1.2492492492492p-2) == 0.5);
    CHECK(identity_table().at(0.5) == Approx(0.5));
    // A threshold so low that the width alone carries the digits.
    const Above low{1.0, 1e-30};
    CHECK(low.tail(0.25) == Approx(-0.75e-30).epsilon(1e-14));

    // All uniforms above 0.3: sums of tails have mean R (1 + 0.3)/2.
    const TailTable table = identity_table();
    RandomStream stream(101, Purpose::test, 0);
    std::vector<double> scratch;
    const OrderSum sum(up_to(20), 20, LossDirection::addition);
    std::array<Above, 4> lanes;
    lanes.fill({0.3, 0.7});
    const int trials = 20'000 * effort();
    const MeanAndVariance found =
        mean_and_variance(trials, [&] { return sum.draw(stream, table, lanes, scratch); });
    const double variance = 20.0 * 0.49 / 12.0;
    CHECK(std::fabs(found.mean - 13.0) < 5.0 * std::sqrt(variance / trials));
    CHECK(std::fabs(found.variance / variance - 1.0) < 5.0 * std::sqrt(2.0 / trials));
}

TEST_CASE("order sums refuse a list that bounds nothing", "[order_sum]") {
    const auto refusal = [](LossDirection direction) {
        return refused([&] {
            const OrderSum sum({2, 5}, 10, direction);
            return 0;
        });
    };
    CHECK(refusal(LossDirection::removal) == "orders");
    CHECK(refusal(LossDirection::addition).empty());
}
