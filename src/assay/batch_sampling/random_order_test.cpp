#include "assay/batch_sampling/random_order.hpp"

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <map>

#include "test_support/goodness_of_fit.hpp"
#include "test_support/test_support.hpp"

using namespace assay;

TEST_CASE("every permutation is equally likely, by any number of groups", "[batch]") {
    const std::uint64_t groups = GENERATE(1, 2, 4, 64);
    const std::uint64_t seed = 8128;
    CAPTURE(groups, seed);
    const int draws = 20'000 * test_support::effort();
    std::map<std::vector<std::uint32_t>, double> counts;
    std::vector<std::uint32_t> order(4);
    for (int epoch = 0; epoch < draws; ++epoch) {
        draw_random_order(seed, epoch, groups, order);
        counts[order] += 1.0;
    }
    REQUIRE(counts.size() == 24);
    std::vector<double> cells;
    for (const auto& [permutation, count] : counts) cells.push_back(count);
    CHECK(goodness_of_fit::uniform_p_value(cells) > goodness_of_fit::level);
    CHECK(goodness_of_fit::detected_deviation(24, draws) < 0.08);
}

TEST_CASE("a long order is a permutation that has forgotten where it came from", "[batch]") {
    const std::uint64_t seed = 33'550'336;
    CAPTURE(seed);
    const std::size_t size = 400'000 * static_cast<std::size_t>(test_support::effort());
    std::vector<std::uint32_t> order(size);
    std::vector<double> moves(256, 0.0);  // sixteenth of origin, sixteenth of destination
    draw_random_order(seed, 0, order);
    for (std::size_t i = 0; i < size; ++i) moves[order[i] * 16 / size * 16 + i * 16 / size] += 1.0;
    double statistic = 0.0;
    const double expected = static_cast<double>(size) / 256.0;
    for (const double count : moves) statistic += (count - expected) * (count - expected);
    // Rows and columns are fixed: 15^2 degrees of freedom, times (n-1)/n.
    CHECK(goodness_of_fit::p_value(statistic / expected, 225.0) > goodness_of_fit::level);
    CHECK(goodness_of_fit::detected_deviation(226, static_cast<double>(size)) < 0.03);
    // Neighbours are in any order: n/2 rises, variance (n+1)/12.
    double rises = 0.0;
    for (std::size_t i = 0; i + 1 < size; ++i) rises += order[i] < order[i + 1] ? 1.0 : 0.0;
    const auto n = static_cast<double>(size);
    CHECK(std::fabs(rises - 0.5 * (n - 1)) < 5.0 * std::sqrt((n + 1) / 12.0));
    std::sort(order.begin(), order.end());
    for (std::size_t i = 0; i < size; ++i) REQUIRE(order[i] == i);
}

TEST_CASE("an order is the same bits on any number of threads", "[batch]") {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, 4);
    std::vector<std::uint32_t> alone(300'000);
    std::vector<std::uint32_t> together(alone.size());
    tbb::task_arena(1).execute([&] { draw_random_order(2, 5, alone); });
    tbb::task_arena(4).execute([&] { draw_random_order(2, 5, together); });
    CHECK(alone == together);
}

TEST_CASE("orders of nothing and of one example", "[batch]") {
    std::vector<std::uint32_t> order;
    draw_random_order(1, 0, order);
    CHECK(order.empty());
    order.resize(1, 7);
    draw_random_order(1, 0, order);
    CHECK(order.front() == 0);
}
