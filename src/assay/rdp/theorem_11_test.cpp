#include "assay/rdp/theorem_11.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "assay/numeric/errors.hpp"

using namespace assay;

TEST_CASE("Theorem 11 at independent 30-digit values", "[theorem_11]") {
    const Theorem11 a = theorem_11(5.5, 4, 0.01);
    CHECK(a.rdp.midpoint() == Approx(0.00006875).epsilon(1e-14));
    CHECK(a.applies);
    CHECK(a.condition_4 == Approx(22.3882886747889517325749158022).epsilon(1e-15));
    CHECK(a.condition_5 == Approx(270.900730704253784933770775052).epsilon(1e-15));
    const Theorem11 b = theorem_11(2, 4, 0.2);  // q <= 1/5 includes the nearest double to 1/5
    CHECK(b.applies);
    CHECK(b.condition_4 == Approx(11.5614870315846587688308903812).epsilon(1e-15));
    CHECK(b.condition_5 == Approx(23.4926096178812022930095424498).epsilon(1e-15));
}

TEST_CASE("Theorem 11 says where it does not apply", "[theorem_11]") {
    CHECK_FALSE(theorem_11(2, 3.9, 0.01).applies);
    CHECK_FALSE(theorem_11(2, 4, 0.21).applies);
    CHECK_FALSE(theorem_11(500, 4, 0.01).applies);
    const Theorem11 none = theorem_11(7, 4, 0.0);
    CHECK(none.rdp == exactly(0.0));
    CHECK(none.applies);
    CHECK_THROWS_AS(theorem_11(1.0, 4, 0.1), DomainError);
    CHECK_THROWS_AS(theorem_11(2.0, 0.0, 0.1), DomainError);
    CHECK_THROWS_AS(theorem_11(2.0, 4.0, 1.1), DomainError);
}

TEST_CASE("the largest orders solve their own conditions", "[theorem_11]") {
    for (const double s : {4.0, 10.0, 100.0})
        for (const double q : {1e-6, 1e-3, 0.01, 0.2}) {
            const double four = largest_order_condition_4(s, q);
            const double five = largest_order_condition_5(s, q);
            REQUIRE(four > 1.0);
            REQUIRE(five > 1.0);
            CHECK(theorem_11(four, s, q).condition_4 == Approx(four).epsilon(1e-12));
            CHECK(theorem_11(five, s, q).condition_5 == Approx(five).epsilon(1e-12));
            const double both = std::min(four, five);
            CHECK(theorem_11(both * (1.0 - 1e-9), s, q).applies);
            CHECK_FALSE(theorem_11(both * (1.0 + 1e-9), s, q).applies);
        }
    CHECK_THROWS_AS(largest_order_condition_4(3.0, 0.01), DomainError);
    CHECK_THROWS_AS(largest_order_condition_5(4.0, 0.0), DomainError);
}

TEST_CASE("the exact crossing lies beyond both conditions", "[theorem_11]") {
    const LargestOrders orders = largest_orders(4.0, 0.01);
    CHECK(orders.both == std::min(orders.condition_4, orders.condition_5));
    CHECK(orders.exact > orders.both);
    CHECK(std::isfinite(orders.exact));
}
