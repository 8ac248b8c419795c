#include <algorithm>
#include <cmath>
#include <vector>

#include "assay/monte_carlo/order_sum.hpp"
#include "verify/checks/deviance.hpp"
#include "verify/checks/routes.hpp"
#include "verify/checks/spaces.hpp"
#include "verify/oracles/integer_order_refine.hpp"
#include "verify/rows.hpp"

// The sampler of chua2025 Algorithm 6 against the distributions of order statistics. Of the tails
// of R independent draws the k-th smallest is Beta(k, R+1-k): mean k/(R+1), and covariances
//   min(j,k) (R+1 - max(j,k)) / ((R+1)^2 (R+2)).
// Means and second moments are of numbers in [0, 1], so deviance.hpp bounds the chance of each
// without a normal approximation.

namespace assay::verify {

namespace {

constexpr int trials = 100'000;

/// The tail itself where the sampler takes lognormals.
const TailTable& tails_table() {
    static const TailTable table{{[](real tail) { return tail > 0.0L ? tail : 1.0L + tail; },
                                  [](real, real) { return 0.0L; }},
                                 22,
                                 1e-12};
    return table;
}

/// 1, and as many more of 2 .. R as "orders" says, drawn.
std::vector<std::int64_t> orders_at(const Point& p) {
    Draws draws(static_cast<std::uint64_t>(p.integer("seed")), "orders", 0);
    std::vector<std::int64_t> orders{1};
    for (long k = 1; k < p.integer("orders"); ++k)
        orders.push_back(2 + static_cast<std::int64_t>(
                                 draws.below(static_cast<std::size_t>(p.integer("R")) - 1)));
    std::ranges::sort(orders);
    orders.erase(std::unique(orders.begin(), orders.end()), orders.end());
    return orders;
}

/// Sums over all trials of u_i, and of u_i u_j, i <= j, row by row; u_i is the tail of order i.
struct Sums {
    std::vector<double> first;
    std::vector<double> second;

    explicit Sums(std::size_t orders) : first(orders), second(orders * (orders + 1) / 2) {}

    void add(const std::vector<double>& u) {
        std::size_t at = 0;
        for (std::size_t i = 0; i < u.size(); ++i) {
            first[i] += u[i];
            for (std::size_t j = i; j < u.size(); ++j) second[at++] += u[i] * u[j];
        }
    }
};

/// After a draw the sampler's scratch space holds the tails of four samples side by side.
Sums sampled(const Point& p, const std::vector<std::int64_t>& orders) {
    const OrderSum sampler(orders, p.integer("R"),
                           p["add"] == 1.0 ? LossDirection::addition : LossDirection::removal);
    RandomStream stream(static_cast<std::uint64_t>(p.integer("seed")), Purpose::test, 1);
    std::vector<double> scratch;
    std::vector<double> u(orders.size());
    Sums sums(orders.size());
    for (int trial = 0; trial < trials; trial += 4) {
        static_cast<void>(sampler.draw(stream, tails_table(), {}, scratch));
        for (std::size_t lane = 0; lane < 4; ++lane) {
            for (std::size_t i = 0; i < u.size(); ++i) u[i] = scratch[4 * i + lane];
            sums.add(u);
        }
    }
    return sums;
}

/// Largest deviance of the means and second moments.
Events moments(const Point& p) {
    const std::vector<std::int64_t> orders = orders_at(p);
    const Sums sums = sampled(p, orders);
    const Interval n(p["R"] + 1.0, 64);
    Events events;
    std::size_t at = 0;
    for (std::size_t i = 0; i < orders.size(); ++i) {
        const Interval mean = whole(orders[i]) / n;
        events.add(sums.first[i], trials, mean);
        for (std::size_t j = i; j < orders.size(); ++j) {
            const Interval covariance =
                whole(orders[i]) * (n - whole(orders[j])) / (n * n * (n + 1.0));
            events.add(sums.second[at++], trials, covariance + mean * whole(orders[j]) / n);
        }
    }
    return events;
}

/// What a moment's deviance hardly sees: the covariances themselves, in standard errors.
double covariances(const Point& p) {
    const std::vector<std::int64_t> orders = orders_at(p);
    const Sums sums = sampled(p, orders);
    const double n = p["R"] + 1.0;
    double worst = 0.0;
    const auto variance = [&](std::int64_t j, std::int64_t k) {
        return static_cast<double>(j) * (n - static_cast<double>(k)) / (n * n * (n + 1.0));
    };
    std::size_t at = 0;
    for (std::size_t i = 0; i < orders.size(); ++i)
        for (std::size_t j = i; j < orders.size(); ++j) {
            const double found =
                sums.second[at++] / trials - sums.first[i] / trials * sums.first[j] / trials;
            // A fourth moment is at most that of an exponential variate, 9 squares.
            const double error = 3.0 * std::sqrt(variance(orders[i], orders[i]) *
                                                 variance(orders[j], orders[j]) / trials);
            worst = std::max(worst, std::abs(found - variance(orders[i], orders[j])) / error);
        }
    return worst;
}

}  // namespace

std::vector<Check> order_statistics_rows() {
    const Space space{{count_dimension("R", 2, 40'000, {2, 3, 100, 36'133}),
                       {"orders", Scale::linear, 1, 6, true, {1, 2, 6}},
                       {"add", Scale::linear, 0, 1, true, {0, 1}},
                       {"seed", Scale::logarithmic, 1, 1e9, true, {}}},
                      {}};
    return {
        events_row("monte_carlo.order_statistics.moments",
                   "means and second moments of Algorithm 6's order statistics", space, 12, 150,
                   moments),
        limit_row("monte_carlo.order_statistics.covariances",
                  "their covariances, within 6 standard errors: chance exceeds them once in "
                  "5e8 times",
                  "min(j,k) (R+1 - max(j,k)) / ((R+1)^2 (R+2))", space, 12, 150, 6.0, covariances)};
}

}  // namespace assay::verify
