#include "assay/monte_carlo/rank_range.hpp"

#include <algorithm>

#include "test_support/test_support.hpp"

using namespace assay;
using test_support::refused;

TEST_CASE("the parts hold every group exactly once and in order", "[parallel]") {
    for (const std::uint64_t groups : {0ULL, 1ULL, 2ULL, 7ULL, 64ULL, 4095ULL, 4096ULL}) {
        for (const std::uint64_t count : {1ULL, 2ULL, 3ULL, 4ULL, 7ULL, 100ULL}) {
            CAPTURE(groups, count);
            std::uint64_t next = 0;
            std::uint64_t shortest = groups;
            std::uint64_t longest = 0;
            for (std::uint64_t index = 0; index < count; ++index) {
                const GroupRange range = rank_range(groups, {index, count});
                REQUIRE(range.first == next);
                REQUIRE(range.last >= range.first);
                next = range.last;
                shortest = std::min(shortest, range.size());
                longest = std::max(longest, range.size());
            }
            CHECK(next == groups);
            CHECK(longest - shortest <= 1);
        }
    }
}

TEST_CASE("a part beyond the last is refused", "[parallel]") {
    CHECK(refused([] { return rank_range(10, {2, 2}); }) == "part");
    CHECK(refused([] { return rank_range(10, {0, 0}); }) == "part");
}

TEST_CASE("shards are written i/n, counted from 1", "[parallel]") {
    CHECK(read_part("1/1") == Part{0, 1});
    CHECK(read_part("2/3") == Part{1, 3});
    CHECK(read_part("1000000/1000000") == Part{999999, 1000000});
    CHECK(to_string(Part{1, 3}) == "2/3");
    for (const char* text : {"", "/", "1", "0/3", "4/3", "1/", "/3", "1/2/3", "-1/3", "+1/3",
                             "1 /3", "1.0/3", "1/1000001", "a/b", "99999999999999999999999/3"}) {
        CAPTURE(text);
        CHECK(refused([text] { return read_part(text); }) == "shard");
    }
}
