#include "assay/numeric/bound.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "assay/numeric/errors.hpp"

using namespace assay;

TEST_CASE("a vacuous bound is still true", "[bound]") {
    constexpr Theorem theorem{"somebody 2020", Standing::ours};
    const Bound above = vacuous(Direction::upper, theorem);
    CHECK(std::isinf(above.value));
    CHECK(above.value > 0.0);
    CHECK(above.direction == Direction::upper);
    CHECK(above.status == Status::vacuous);
    CHECK(above.theorem == theorem);
    const Bound below = vacuous(Direction::lower, theorem);
    CHECK(below.value == 0.0);
    CHECK(below.direction == Direction::lower);
    CHECK(below.status == Status::vacuous);
    CHECK_THROWS_AS(vacuous(Direction::estimate, theorem), DirectionError);
}

TEST_CASE("a bound is an uncertain estimate until somebody says otherwise", "[bound]") {
    const Bound bound;
    CHECK(bound.direction == Direction::estimate);
    CHECK(bound.status == Status::certified);
    CHECK(bound.theorem.standing == Standing::published);
}

TEST_CASE("directions, standings and statuses have names", "[bound]") {
    CHECK(to_string(Direction::lower) == "lower");
    CHECK(to_string(Direction::estimate) == "estimate");
    CHECK(to_string(Direction::upper) == "upper");
    CHECK(to_string(Standing::published) == "published");
    CHECK(to_string(Standing::ours) == "ours");
    CHECK(to_string(Status::certified) == "certified");
    CHECK(to_string(Status::vacuous) == "vacuous");
}

TEST_CASE("theorems are equal when citation and standing are", "[bound]") {
    CHECK(Theorem{"a", Standing::ours} == Theorem{"a", Standing::ours});
    CHECK_FALSE(Theorem{"a", Standing::ours} == Theorem{"a", Standing::published});
    CHECK_FALSE(Theorem{"a", Standing::ours} == Theorem{"b", Standing::ours});
}

TEST_CASE("bounds that contradict each other are refused by the question's name", "[bound]") {
    const auto question = [] { return std::string("epsilon of a test"); };
    CHECK_NOTHROW(require_ordered(0.0, 0.0, question));
    CHECK_NOTHROW(require_ordered(1.0, HUGE_VAL, question));
    for (const auto& [lower, upper] : {std::pair{1.0, std::nextafter(1.0, 0.0)},
                                       {std::nan(""), 1.0},
                                       {0.0, std::nan("")},
                                       {HUGE_VAL, 1.0}}) {
        CHECK_THROWS_AS(require_ordered(lower, upper, question), InternalError);
        CHECK_THROWS_WITH(require_ordered(lower, upper, question),
                          Catch::Contains("epsilon of a test") && Catch::Contains("report"));
    }
}
