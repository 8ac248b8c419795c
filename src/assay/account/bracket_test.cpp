#include "assay/account/bracket.hpp"

#include <limits>

#include "assay/privacy/citations.hpp"
#include "test_support/test_support.hpp"

using namespace assay;

namespace {

Bound lower(double value, Theorem theorem) {
    return {value, Direction::lower, theorem};
}
Bound upper(double value, Theorem theorem) {
    return {value, Direction::upper, theorem};
}

Bracket published_one_to_four() {
    Bracket bracket;
    bracket.lower = lower(1.0, cite::attained);
    bracket.upper = bracket.best_published = upper(4.0, cite::mironov2017_gaussian);
    bracket.upper_order = bracket.published_order = 2.0;
    return bracket;
}

}  // namespace

TEST_CASE("a bracket takes what is better and leaves what is not", "[account]") {
    Bracket bracket = published_one_to_four();
    bracket.improve(lower(0.5, cite::explicit_pair), upper(5.0, cite::convex_order),
                    StandingFilter::any);
    CHECK(bracket.lower.value == 1.0);
    CHECK(bracket.upper.value == 4.0);
    CHECK(bracket.upper_order == 2.0);
    bracket.improve(lower(2.0, cite::explicit_pair), upper(3.0, cite::convex_order),
                    StandingFilter::any);
    CHECK(bracket.lower.value == 2.0);
    CHECK(bracket.upper.value == 3.0);
    CHECK(bracket.upper_order == 0.0);
    CHECK(bracket.best_published.value == 4.0);
    CHECK(bracket.gap() == Approx(1.0 / 3.0));
    bracket.improve(bracket.lower, upper(2.5, cite::balle2018_gaussian), StandingFilter::any);
    CHECK(bracket.best_published.value == 2.5);
}

TEST_CASE("where published theorems alone are asked for, ours are left out", "[account]") {
    Bracket bracket = published_one_to_four();
    bracket.improve(lower(2.0, cite::explicit_pair), upper(3.0, cite::convex_order),
                    StandingFilter::published);
    CHECK(bracket.lower.value == 1.0);
    CHECK(bracket.upper.value == 4.0);
    bracket.improve(lower(2.0, cite::attained), upper(3.0, cite::balle2018_gaussian),
                    StandingFilter::published);
    CHECK(bracket.lower.value == 2.0);
    CHECK(bracket.upper.value == 3.0);
}

TEST_CASE("an unbounded bracket and one at 0 have no gap", "[account]") {
    Bracket bracket = published_one_to_four();
    bracket.upper.value = std::numeric_limits<double>::infinity();
    CHECK(bracket.gap() == 0.0);
    bracket.upper.value = bracket.lower.value = 0.0;
    CHECK(bracket.gap() == 0.0);
}

TEST_CASE("the text of a bracket is rounded outward", "[account]") {
    Bracket bracket = published_one_to_four();
    CHECK(describe(bracket) == "[1, 4]");
    bracket.lower.value = 2.0 / 3.0;
    bracket.upper.value = 4.0 / 3.0;
    CHECK(describe(bracket, 3) == "[0.666, 1.34]");
    bracket.upper.value = std::numeric_limits<double>::infinity();
    CHECK(describe(bracket, 3) == "[0.666, inf]");
}
