#include "assay/rdp/largest_shift.hpp"

#include <cmath>
#include <limits>

#include "assay/rdp/binomial_pair.hpp"
#include "assay/rdp/collinear_pair.hpp"
#include "assay/rdp/divergence_quadrature.hpp"
#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::test_support;

TEST_CASE("the closed form and the quadrature contain the same number", "[largest_shift]") {
    struct Case {
        real q, x, y, order;
    };
    for (const Case& c : {
             Case{0.1L, 20.0L, 0.0L, 2.0L},
             Case{1e-6L, 30.0L, 0.0L, 2.0L},
             Case{0.999L, 9.0L, 0.0L, 3.0L},
             Case{0.5L, 60.0L, 0.0L, 1.05L},
             Case{0.1L, 20.0L, -20.0L, 2.0L},
             Case{0.9L, 25.0L, -25.0L, 1.5L},
             Case{0.01L, 30.0L, -15.0L, 1.3L},
             Case{0.3L, 0.0L, -40.0L, 2.0L},
             Case{0.01L, 0.0L, -34.0L, 30.0L},
         }) {
        CAPTURE(static_cast<double>(c.q), static_cast<double>(c.x), static_cast<double>(c.y),
                static_cast<double>(c.order));
        const CollinearPair pair(c.q, c.x, c.y);
        const auto closed = pair.ruled_by_largest_shift(c.order);
        REQUIRE(closed.has_value());
        CHECK(closed->relative_width() <= 1.1e-13);
        const Enclosure summed = renyi_divergence(excess_moment(pair, c.order), c.order);
        CHECK(summed.relative_width() <= 1e-12);
        CHECK(meet(*closed, summed));
    }
    for (const real order : {1.5L, 2.0L, 9.5L}) {
        const BinomialPair pair(3, 10, 8.0L, true);
        const auto closed = pair.ruled_by_largest_shift(order);
        REQUIRE(closed.has_value());
        CHECK(meet(*closed, renyi_divergence(excess_moment(pair, order), order)));
        const BinomialPair reverse(3, 10, 34.0L, false);
        const auto other = reverse.ruled_by_largest_shift(order);
        REQUIRE(other.has_value());
        CHECK(meet(*other, renyi_divergence(excess_moment(reverse, order), order)));
    }
}

TEST_CASE("where other components count, no closed form is claimed", "[largest_shift]") {
    CHECK_FALSE(CollinearPair(0.1L, 1.0L, 0.0L).ruled_by_largest_shift(2.0L).has_value());
    CHECK_FALSE(CollinearPair(0.1L, 8.0L, 0.0L).ruled_by_largest_shift(1.5L).has_value());
    CHECK_FALSE(CollinearPair(0.1L, 0.0L, -4.0L).ruled_by_largest_shift(2.0L).has_value());
    CHECK_FALSE(CollinearPair(0.5L, 30.0L, -1.0L).ruled_by_largest_shift(2.0L).has_value());
    CHECK_FALSE(CollinearPair(0.5L, 30.0L, 1.0L).ruled_by_largest_shift(2.0L).has_value());
    CHECK_FALSE(BinomialPair(3, 10, 8.0L, false).ruled_by_largest_shift(2.0L).has_value());
    const real none = std::numeric_limits<real>::quiet_NaN();
    CHECK_FALSE(largest_shift_rdp({.order = 2.0L, .shift = 30.0L, .others = none}).has_value());
    CHECK_FALSE(largest_shift_rdp({.order = 2.0L, .shift = 30.0L, .lost = 1.0L}).has_value());
}

TEST_CASE("any noise, however small, is answered by q^a e^(a(a-1)c^2/2) and little more",
          "[largest_shift]") {
    for (const double noise : {1e-3, 1e-12, 1e-19, 1e-50, 1e-150})
        for (const double order : {1.001, 2.0, 50.0, 9999.5}) {
            CAPTURE(noise, order);
            const real shift = 1.0L / static_cast<real>(noise);
            const Wide a = order;
            const Wide weight = a / (a - 1) * log(Wide(1) / 8);
            const Wide removal = weight + a / 2 * Wide(shift) * Wide(shift);
            const Enclosure one = renyi_divergence(CollinearPair(0.125L, shift, 0.0L), order);
            CHECK(Wide(one.lower) <= removal * (1 + Wide(1e-13)));
            CHECK(Wide(one.upper) >= removal);
            CHECK(Wide(one.upper) <= removal * (1 + Wide(1e-12)));
            const Enclosure both = renyi_divergence(CollinearPair(0.125L, shift, -shift), order);
            const Wide antipodal = removal - log(Wide(7) / 8);
            CHECK(Wide(both.upper) >= antipodal * (1 - Wide(1e-15)));
            CHECK(Wide(both.lower) <= antipodal);
        }
}
