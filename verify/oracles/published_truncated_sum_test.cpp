#include "verify/oracles/published_truncated_sum.hpp"

#include <array>

#include "verify/oracles/integer_order_expect.hpp"

using namespace assay::verify;

TEST_CASE("the truncated bound agrees with the sum over all its indices") {
    // Written out over every choice, computed independently with 60+ digits (mpmath).
    const std::array<long, 3> chosen{0, 2, 5};
    for (const long bits : {64, 256})
        CHECK(agrees(truncated_lower_bound(4, 4, 5, 32, chosen, bits),
                     "-0.094793516054575512895971359857692", bits));
    const Oracle one = published_truncated_sum_oracles().front();
    const Point point{{"alpha", 4}, {"sigma", 4}, {"B", 5}, {"D", 32}, {"T", 5}};
    REQUIRE(one.covers(point));
    CHECK(agrees(one.evaluate(point, 64), "-8.2278300366815620108971476132877"));
    CHECK_FALSE(one.covers({{"alpha", 4}, {"sigma", 4}, {"B", 5}, {"D", 32}}));
}

TEST_CASE("all indices give the exact value at integer orders") {
    // Computed independently with 60+ digits (mpmath), from the integral.
    const std::array<long, 6> all{0, 1, 2, 3, 4, 5};
    CHECK(
        agrees(truncated_lower_bound(3, 2, 5, 100, all, 64), "2.9975557984232144707561931039557"));
}

TEST_CASE("truncated bounds of the paper agree with shared values") {
    // Computed independently with 60+ digits (mpmath).
    CHECK(agrees(truncated_lower_bound(10, 6, 120, 50000, std::array<long, 1>{120}, 64),
                 "6557.36289541196225191030331307"));
    CHECK(agrees(truncated_lower_bound(9, 6, 20, 20000, std::array<long, 4>{0, 1, 2, 20}, 64),
                 "0.000000529222576858251973398873295763"));
    CHECK(agrees(
        truncated_lower_bound(6, 6, 40, 40000, std::array<long, 7>{0, 1, 2, 3, 38, 39, 40}, 64),
        "24.6952950343504627705645130728"));
}

TEST_CASE("a repeated index counts once") {
    const std::array<long, 4> repeated{5, 0, 2, 5};
    CHECK(agrees(truncated_lower_bound(4, 4, 5, 32, repeated, 64),
                 "-0.094793516054575512895971359857692"));
}
