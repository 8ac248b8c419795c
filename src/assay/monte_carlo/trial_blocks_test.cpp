#include "assay/monte_carlo/trial_blocks.hpp"

#include <atomic>
#include <numeric>

#include "test_support/monte_carlo_test_support.hpp"
#include "test_support/test_support.hpp"

using namespace assay;
using test_support::toy_block;

namespace {

std::vector<std::uint64_t> all_groups(const RunShape& shape) {
    std::vector<std::uint64_t> groups(shape.groups());
    std::iota(groups.begin(), groups.end(), 0);
    return groups;
}

GroupSums run_all(const RunShape& shape, int threads) {
    GroupSums found;
    const RunControl control{.threads = threads,
                             .group_done = [&](std::uint64_t group, std::vector<double> sums) {
                                 REQUIRE(found.emplace(group, std::move(sums)).second);
                             }};
    REQUIRE(run_groups(shape, toy_block, all_groups(shape), control));
    return found;
}

}  // namespace

TEST_CASE("groups hold every block once, and are at most 4096", "[parallel]") {
    struct Case {
        std::uint64_t blocks;
        std::uint64_t per_group;
        std::uint64_t groups;
    };
    for (const Case& c :
         {Case{1, 1, 1}, Case{4096, 1, 4096}, Case{4097, 2, 2049}, Case{8192, 2, 4096},
          Case{8193, 4, 2049}, Case{1000000, 256, 3907}, Case{1ULL << 62U, 1ULL << 50U, 4096}}) {
        const RunShape shape{c.blocks, 1};
        CAPTURE(c.blocks);
        CHECK(shape.blocks_per_group() == c.per_group);
        CHECK(shape.groups() == c.groups);
        std::uint64_t blocks = 0;
        for (std::uint64_t group = 0; group < shape.groups(); ++group) {
            REQUIRE(shape.blocks_in(group) >= 1);
            blocks += shape.blocks_in(group);
        }
        CHECK(blocks == c.blocks);
    }
}

TEST_CASE("sums are those of adding the blocks one by one, for any number of threads",
          "[parallel]") {
    for (const std::uint64_t blocks : {1ULL, 5ULL, 4096ULL, 4099ULL, 20001ULL}) {
        const RunShape shape{blocks, 3};
        GroupSums plain;
        std::vector<double> sums(3);
        for (std::uint64_t block = 0; block < blocks; ++block) {
            toy_block(block, sums);
            const auto [group, is_new] = plain.emplace(block / shape.blocks_per_group(), sums);
            for (std::size_t i = 0; i < 3 && !is_new; ++i) group->second[i] += sums[i];
        }
        std::vector<double> total(3, 0.0);
        for (const auto& [group, group_sums] : plain)
            for (std::size_t i = 0; i < 3; ++i) total[i] += group_sums[i];
        for (const int threads : {1, 2, 5}) {
            CAPTURE(blocks, threads);
            const GroupSums found = run_all(shape, threads);
            CHECK(found == plain);
            CHECK(add_groups(shape, found) == total);
        }
    }
}

TEST_CASE("only the groups that are asked for run, in their order", "[parallel]") {
    const RunShape shape{10000, 1};
    const std::vector<std::uint64_t> asked{7, 3, 2499};
    std::vector<std::uint64_t> done;
    std::atomic<int> blocks{0};
    const RunControl control{.threads = 2,
                             .group_done = [&](std::uint64_t group, const std::vector<double>&) {
                                 done.push_back(group);
                             }};
    const auto count = [&](std::uint64_t, std::span<double> sums) {
        ++blocks;
        sums[0] = 1.0;
    };
    CHECK(run_groups(shape, count, asked, control));
    CHECK(done == asked);
    CHECK(blocks == 12);
}

TEST_CASE("a stop keeps the finished groups and drops the begun one", "[parallel]") {
    const RunShape shape{4096 * 4, 2};
    const GroupSums whole = run_all(shape, 1);
    for (const int threads : {1, 2}) {
        GroupSums found;
        int asked = 0;
        const RunControl control{
            .threads = threads,
            .keep_going = [&] { return ++asked <= 4 * 10 + 2; },
            .group_done = [&](std::uint64_t group,
                              std::vector<double> sums) { found.emplace(group, std::move(sums)); }};
        CHECK_FALSE(run_groups(shape, toy_block, all_groups(shape), control));
        CHECK(found.size() == 10);
        for (const auto& [group, sums] : found) CHECK(sums == whole.at(group));
        CHECK_THROWS_AS(add_groups(shape, found), Error);
    }
}

TEST_CASE("an error in a block and a sum that is no number end the run", "[parallel]") {
    const RunShape shape{100, 1};
    const auto groups = all_groups(shape);
    const auto fails = [](std::uint64_t block, std::span<double>) {
        if (block == 57) throw Error("block 57");
    };
    CHECK_THROWS_WITH(run_groups(shape, fails, groups, {.threads = 2}), "block 57");
    const auto no_number = [](std::uint64_t block, std::span<double> sums) {
        sums[0] = block == 31 ? std::nan("") : 1.0;
    };
    CHECK_THROWS_WITH(run_groups(shape, no_number, groups, {.threads = 2}),
                      "block 31 of the run gave a sum that is no number");
}
