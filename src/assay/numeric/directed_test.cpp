#include "assay/numeric/directed.hpp"

#include <cmath>
#include <limits>

#include "assay/numeric/errors.hpp"
#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::test_support;

namespace {
constexpr double least = std::numeric_limits<double>::denorm_min();
constexpr double most = std::numeric_limits<double>::max();
}  // namespace

TEST_CASE("widening moves by so many neighbours, in its own direction", "[directed]") {
    CHECK(widen_up(1.0, 1) == 1.0 + 0x1p-52);
    CHECK(widen_up(1.0, 64) == 1.0 + 64.0 * 0x1p-52);
    CHECK(widen_down(1.0, 1) == 1.0 - 0x1p-53);
    CHECK(widen_down(-1.0, 3) == -1.0 - 3.0 * 0x1p-52);
    CHECK(widen_up(0.0, 2) == 2.0 * least);
    CHECK(widen_down(0.0, 1) == -least);
    CHECK(widen_up(2.5, 0) == 2.5);
    CHECK(widen_up(most, 1) == infinity);
    CHECK(widen_up(infinity, 5) == infinity);
    CHECK(widen_up(-infinity, 5) == -infinity);
    CHECK(widen_down(infinity, 5) == infinity);
    CHECK(widen_down(-most, 7) == -infinity);
    CHECK(widen_up(-2.0 * least, 3) == least);
    CHECK(widen_down(2.0 * least, 3) == -least);
    CHECK(widen_down(-infinity, 5) == -infinity);
    CHECK_THROWS_AS(widen_up(std::nan(""), 1), DomainError);
    CHECK_THROWS_AS(widen_down(std::nan(""), 1), DomainError);
}

TEST_CASE("extended numbers are rounded to the two doubles around them", "[directed]") {
    Random random(311);
    CAPTURE(random.seed());
    for (int i = 0; i < 4000 * effort(); ++i) {
        const auto base = static_cast<real>(random.log_uniform(1e-300, 1e300));
        const real x = (i % 2 == 0 ? base : -base) *
                       (1.0L + static_cast<real>(random.uniform(-1.0, 1.0)) * 0x1p-53L);
        const double up = round_up(x);
        const double down = round_down(x);
        REQUIRE(static_cast<real>(down) <= x);
        REQUIRE(x <= static_cast<real>(up));
        REQUIRE((up == down || std::nextafter(down, infinity) == up));
        REQUIRE((up != down || static_cast<real>(up) == x));
    }
}

TEST_CASE("doubles are left alone, what leaves their range stays on its side", "[directed]") {
    for (const double x : {0.0, 1.0, -3.25, 1e-310, least, most, infinity, -infinity}) {
        CHECK(round_up(static_cast<real>(x)) == x);
        CHECK(round_down(static_cast<real>(x)) == x);
    }
    CHECK(round_up(1e4000L) == infinity);
    CHECK(round_down(1e4000L) == most);
    CHECK(round_up(-1e4000L) == -most);
    CHECK(round_down(-1e4000L) == -infinity);
    CHECK(round_up(1e-4000L) == least);
    CHECK(round_down(1e-4000L) == 0.0);
    CHECK(round_up(-1e-4000L) == 0.0);
    CHECK(round_down(-1e-4000L) == -least);
    CHECK_THROWS_AS(round_up(std::nanl("")), DomainError);
    CHECK_THROWS_AS(round_down(std::nanl("")), DomainError);
}

TEST_CASE("the unit roundoff is that of a 64-bit significand", "[directed]") {
    CHECK(unit_roundoff == std::ldexp(1.0L, -64));
    CHECK(1.0L + 2.0L * unit_roundoff > 1.0L);
}
