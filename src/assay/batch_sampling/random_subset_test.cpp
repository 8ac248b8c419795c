#include "assay/batch_sampling/random_subset.hpp"

#include <algorithm>
#include <map>

#include "test_support/goodness_of_fit.hpp"
#include "test_support/test_support.hpp"

using namespace assay;

TEST_CASE("every subset is equally likely", "[batch]") {
    const std::int64_t size = GENERATE(1, 2, 3, 5);
    const std::uint64_t seed = 271'828;
    CAPTURE(size, seed);
    const int draws = 90'000 * test_support::effort();
    std::map<std::vector<std::uint32_t>, double> counts;
    RandomSubset subset;
    std::vector<std::uint32_t> members;
    for (int i = 0; i < draws; ++i) {
        subset.draw(RandomStream(seed, Purpose::test, static_cast<std::uint64_t>(i)), size, 6,
                    members);
        std::sort(members.begin(), members.end());
        counts[members] += 1.0;
    }
    const std::size_t subsets = size == 1 || size == 5 ? 6 : size == 2 ? 15 : 20;
    REQUIRE(counts.size() == subsets);
    std::vector<double> cells;
    for (const auto& [members_of_cell, count] : counts) cells.push_back(count);
    CHECK(goodness_of_fit::detected_deviation(subsets, draws) < 0.035);
    CHECK(goodness_of_fit::uniform_p_value(cells) > goodness_of_fit::level);
}

TEST_CASE("subsets of any size have distinct members in range", "[batch]") {
    struct Sizes {
        std::int64_t size;
        std::int64_t from;
    };
    const Sizes sizes = GENERATE(Sizes{0, 1}, Sizes{1, 1}, Sizes{1, 4'294'967'295},
                                 Sizes{1000, 1000}, Sizes{999, 1000}, Sizes{5000, 4'294'967'295},
                                 Sizes{70'000, 100'000}, Sizes{8192, 46'000'000});
    CAPTURE(sizes.size, sizes.from);
    RandomSubset subset;
    std::vector<std::uint32_t> members(3, 0);
    subset.draw(RandomStream(3, Purpose::test, 6), sizes.size, sizes.from, members);
    REQUIRE(members.size() == static_cast<std::size_t>(sizes.size));
    std::sort(members.begin(), members.end());
    CHECK(std::adjacent_find(members.begin(), members.end()) == members.end());
    if (!members.empty()) CHECK(static_cast<std::int64_t>(members.back()) < sizes.from);
    CHECK(subset.live_bytes() <= 16 * static_cast<std::size_t>(sizes.size));
}

TEST_CASE("every place of a large set is taken equally often", "[batch]") {
    const std::int64_t from = GENERATE(1000, 46'000'000);
    const std::uint64_t seed = 31'415;
    CAPTURE(from, seed);
    const int draws = 1000 * test_support::effort();
    std::vector<double> counts(50, 0.0);
    RandomSubset subset;
    std::vector<std::uint32_t> members;
    for (int i = 0; i < draws; ++i) {
        subset.draw(RandomStream(seed, Purpose::test, static_cast<std::uint64_t>(i)), 200, from,
                    members);
        for (const std::uint32_t member : members)
            counts[std::uint64_t{member} * 50 / static_cast<std::uint64_t>(from)] += 1.0;
    }
    // Without replacement the counts vary (n-k)/(n-1) as much as independent ones would.
    const double expected = draws * 200.0 / 50.0;
    double statistic = 0.0;
    for (const double count : counts) statistic += (count - expected) * (count - expected);
    statistic /= expected * static_cast<double>(from - 200) / static_cast<double>(from - 1);
    CHECK(goodness_of_fit::p_value(statistic, 49.0) > goodness_of_fit::level);
    CHECK(goodness_of_fit::p_value(statistic, 49.0) < 1.0 - goodness_of_fit::level);
    CHECK(goodness_of_fit::detected_deviation(50, 200.0 * draws) < 0.03);
}

TEST_CASE("subsets larger than the set are refused", "[batch]") {
    RandomSubset subset;
    std::vector<std::uint32_t> members;
    const auto refused = [&](std::int64_t size, std::int64_t from) {
        return test_support::refused([&] {
            subset.draw(RandomStream(3, Purpose::test, 7), size, from, members);
            return 0;
        });
    };
    CHECK(refused(2, 1) == "subset-size");
    CHECK(refused(-1, 1) == "subset-size");
    CHECK(refused(1, std::int64_t{1} << 32U) == "subset-size");
    CHECK(refused(1, 1) == "");
}
