#include "assay/numeric/work_limit.hpp"

#include <limits>
#include <optional>

#include "assay/numeric/interruption.hpp"
#include "assay/numeric/side_by_side.hpp"
#include "test_support/test_support.hpp"

using namespace assay;

TEST_CASE("work counts against the limit, and what exceeds it leaves", "[work]") {
    const WorkLimit limit(10);
    CHECK(work_left() == 10);
    count_work(4);
    allow_interruption(6);
    CHECK(work_left() == 0);
    count_work(0);
    CHECK_THROWS_AS(count_work(1), WorkEnded);
    CHECK_THROWS_AS(allow_interruption(1), WorkEnded);
}

TEST_CASE("what does not fit ends the limit", "[work]") {
    const WorkLimit limit(10);
    CHECK_THROWS_AS(count_work(std::numeric_limits<std::uint64_t>::max()), WorkEnded);
    CHECK(work_left() == 0);
}

TEST_CASE("an inner limit charges the outer one with what it allowed at most", "[work]") {
    const WorkLimit outer(100);
    {
        const WorkLimit inner(30);
        CHECK_THROWS_AS(count_work(31), WorkEnded);
    }
    CHECK(work_left() == 70);
    {
        const WorkLimit inner(1000);
        CHECK(work_left() == 70);
        count_work(20);
    }
    CHECK(work_left() == 50);
    {
        const WorkLimit half = part_of_work(0.5);
        CHECK(work_left() == 25);
    }
    int reached = 0;
    CHECK_FALSE(within_part(0.1, [&] {
        reached = 1;
        count_work(6);
        reached = 2;
    }));
    CHECK(reached == 1);
    CHECK(work_left() == 45);
    CHECK(within_part(0.2, [] { count_work(9); }));
    CHECK(work_left() == 36);
}

TEST_CASE("without a limit everything fits", "[work]") {
    const std::uint64_t before = work_left();
    count_work(std::uint64_t{1} << 50U);
    CHECK(before - work_left() == std::uint64_t{1} << 50U);
    CHECK(within_part(0.5, [] { count_work(std::uint64_t{1} << 50U); }));
}

TEST_CASE("tasks side by side take of one limit, however many threads there are", "[work]") {
    const auto left_after = [](std::uint64_t most, bool alone) {
        const WorkLimit limit(most);
        std::optional<AloneScope> scope;
        if (alone) scope.emplace();
        const bool fits = within_part(1.0, [] {
            side_by_side(4, [](std::size_t i) {
                for (std::size_t k = 0; k <= i; ++k) allow_interruption(10);
            });
        });
        CHECK(fits == (most >= 100));
        return work_left();
    };
    for (const std::uint64_t most : {0U, 9U, 60U, 99U, 100U, 101U, 1000U}) {
        CAPTURE(most);
        CHECK(left_after(most, false) == (most >= 100 ? most - 100 : 0));
        CHECK(left_after(most, true) == (most >= 100 ? most - 100 : 0));
    }
}
