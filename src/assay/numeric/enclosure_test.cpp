#include "assay/numeric/enclosure.hpp"

#include <cmath>
#include <limits>

#include "assay/numeric/errors.hpp"
#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::test_support;

TEST_CASE("relative width and midpoint, unbounded intervals included", "[enclosure]") {
    CHECK(Enclosure{2.0, 2.0}.relative_width() == 0.0);
    CHECK(Enclosure{0.0, 0.0}.relative_width() == 0.0);
    CHECK(Enclosure{1.0, 2.0}.relative_width() == 0.5);
    CHECK(Enclosure{-4.0, 2.0}.relative_width() == 1.5);
    CHECK(Enclosure{0.0, infinity}.relative_width() == infinity);
    CHECK(Enclosure{infinity, infinity}.relative_width() == 0.0);
    CHECK(Enclosure{1.0, 3.0}.midpoint() == 2.0);
    CHECK(Enclosure{5.0, 5.0}.midpoint() == 5.0);
    CHECK(Enclosure{0.0, infinity}.midpoint() == 0.0);
    CHECK(Enclosure{-infinity, 7.0}.midpoint() == 7.0);
    CHECK(Enclosure{-infinity, infinity}.midpoint() == 0.0);
    const double big = 1.6e308;
    CHECK(Enclosure{big, 1.7e308}.midpoint() > big);
    CHECK(Enclosure{1.0, 2.0}.contains(1.0));
    CHECK(Enclosure{1.0, 2.0}.contains(2.0));
    CHECK_FALSE(Enclosure{1.0, 2.0}.contains(0.999));
    CHECK_FALSE(Enclosure{1.0, 2.0}.contains(2.001));
    CHECK_FALSE(Enclosure{1.0, 2.0}.contains(std::nan("")));
}

TEST_CASE("value and error become an interval that contains both ends", "[enclosure]") {
    Random random(17);
    CAPTURE(random.seed());
    for (int i = 0; i < 2000 * effort(); ++i) {
        const real value = static_cast<real>(random.uniform(-1.0, 1.0)) *
                           static_cast<real>(random.log_uniform(1e-200, 1e200));
        const real error = std::fabs(value) * static_cast<real>(random.log_uniform(1e-20, 10.0));
        const Enclosure e = enclose(value, error);
        REQUIRE(Wide(e.lower) <= Wide(value) - Wide(error));
        REQUIRE(Wide(value) + Wide(error) <= Wide(e.upper));
        // One double further on each side would be waste.
        REQUIRE(Wide(std::nextafter(e.lower, infinity)) >=
                Wide(value) - Wide(error) - Wide(std::fabs(value) + error) * Wide(0x1p-62));
        REQUIRE(Wide(std::nextafter(e.upper, -infinity)) <=
                Wide(value) + Wide(error) + Wide(std::fabs(value) + error) * Wide(0x1p-62));
    }
    CHECK(enclose(3.0L, std::numeric_limits<real>::infinity()) == Enclosure{-infinity, infinity});
    CHECK(enclose(3.0L, std::nanl("")) == Enclosure{-infinity, infinity});
    CHECK(enclose(std::nanl(""), 0.0L) == Enclosure{-infinity, infinity});
    CHECK(enclose(0.0L, 0.0L) == Enclosure{0.0, 0.0});
}

TEST_CASE("points, ends, hulls, intersections, floors", "[enclosure]") {
    CHECK(exactly(0.1) == Enclosure{0.1, 0.1});
    CHECK_THROWS_AS(exactly(std::nan("")), DomainError);
    const Enclosure third = enclose_between(1.0L / 3.0L, 1.0L / 3.0L);
    CHECK(third.lower < third.upper);
    CHECK_THAT(third, Encloses(Wide(1) / 3, 1e-15));
    CHECK_THROWS_AS(enclose_between(2.0L, 1.0L), Error);
    CHECK_THROWS_AS(enclose_between(std::nanl(""), 1.0L), Error);
    CHECK(hull({1.0, 2.0}, {3.0, 4.0}) == Enclosure{1.0, 4.0});
    CHECK(hull({1.0, 5.0}, {3.0, 4.0}) == Enclosure{1.0, 5.0});
    CHECK(intersect({1.0, 3.0}, {2.0, 4.0}) == Enclosure{2.0, 3.0});
    CHECK(intersect({1.0, 2.0}, {2.0, 4.0}) == Enclosure{2.0, 2.0});
    CHECK_THROWS_AS(intersect({1.0, 2.0}, {3.0, 4.0}), Error);
    CHECK(at_least({-1.0, 2.0}, 0.0) == Enclosure{0.0, 2.0});
    CHECK(at_least({-2.0, -1.0}, 0.0) == Enclosure{0.0, 0.0});
    CHECK(at_least({1.0, 2.0}, 0.0) == Enclosure{1.0, 2.0});
}
