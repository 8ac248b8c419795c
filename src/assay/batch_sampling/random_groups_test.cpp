#include "assay/batch_sampling/random_groups.hpp"

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <algorithm>

#include "test_support/goodness_of_fit.hpp"
#include "test_support/test_support.hpp"

using namespace assay;

TEST_CASE("groups hold every example once, in rising order", "[batch]") {
    const GroupLabels labels =
        GENERATE(GroupLabels{1, 0}, GroupLabels{8, 0}, GroupLabels{10, 2}, GroupLabels{1000, 5});
    const std::size_t size = GENERATE(1U, 7U, 65'536U, 200'001U);
    CAPTURE(labels.labels, labels.shift, size);
    std::vector<std::uint32_t> order(size, 0xFFFFFFFF);
    const auto begins = draw_groups(9, 4, labels, order);
    REQUIRE(begins.size() == (labels.labels + (1U << labels.shift) - 1) / (1U << labels.shift) + 1);
    CHECK(begins.front() == 0);
    CHECK(begins.back() == size);
    for (std::size_t group = 0; group + 1 < begins.size(); ++group)
        CHECK(std::is_sorted(order.begin() + begins[group], order.begin() + begins[group + 1]));
    std::sort(order.begin(), order.end());
    for (std::size_t i = 0; i < size; ++i) REQUIRE(order[i] == i);
}

TEST_CASE("labels are uniform and independent of each other and of the epoch", "[batch]") {
    const std::uint64_t seed = 5050;
    CAPTURE(seed);
    constexpr GroupLabels labels{10, 2};  // groups of 4, 4 and 2 labels
    const std::size_t size = 400'000 * static_cast<std::size_t>(test_support::effort());
    std::vector<std::vector<std::size_t>> group_of(2, std::vector<std::size_t>(size));
    std::vector<std::uint32_t> order(size);
    for (std::size_t epoch = 0; epoch < 2; ++epoch) {
        const auto begins = draw_groups(seed, static_cast<std::int64_t>(epoch), labels, order);
        for (std::size_t group = 0; group < 3; ++group)
            for (std::uint32_t i = begins[group]; i < begins[group + 1]; ++i)
                group_of[epoch][order[i]] = group;
    }
    const std::vector<double> distribution{0.4, 0.4, 0.2};
    std::vector<double> neighbours(9, 0.0);
    std::vector<double> epochs(9, 0.0);
    for (std::size_t i = 0; i + 1 < size; i += 2) {
        neighbours[3 * group_of[0][i] + group_of[0][i + 1]] += 1.0;
        epochs[3 * group_of[0][i] + group_of[1][i]] += 1.0;
    }
    std::vector<double> products;
    for (const double a : distribution)
        for (const double b : distribution) products.push_back(a * b);
    CHECK(goodness_of_fit::p_value(neighbours, products) > goodness_of_fit::level);
    CHECK(goodness_of_fit::p_value(epochs, products) > goodness_of_fit::level);
    CHECK(goodness_of_fit::detected_deviation(9, 0.5 * static_cast<double>(size)) < 0.02);
}

TEST_CASE("groups are the same bits on any number of threads", "[batch]") {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, 4);
    std::vector<std::uint32_t> alone(300'000);
    std::vector<std::uint32_t> together(alone.size());
    tbb::task_arena(1).execute([&] {
        static_cast<void>(draw_groups(2, 0, GroupLabels{100, 3}, alone));
    });
    tbb::task_arena(4).execute([&] {
        static_cast<void>(draw_groups(2, 0, GroupLabels{100, 3}, together));
    });
    CHECK(alone == together);
    static_cast<void>(draw_groups(2, 1, GroupLabels{100, 3}, together));
    CHECK(alone != together);
}

TEST_CASE("phases and pieces of an epoch have streams of their own", "[batch]") {
    CHECK(epoch_block(0, EpochPhase::grouping, 0) == 0);
    CHECK(epoch_block(0, EpochPhase::grouping, 65'535) <
          epoch_block(0, EpochPhase::within_groups, 0));
    CHECK(epoch_block(0, EpochPhase::within_groups, 65'535) < epoch_block(0, EpochPhase::sizes, 0));
    CHECK(epoch_block(0, EpochPhase::sizes, 65'535) < epoch_block(1, EpochPhase::grouping, 0));
}
