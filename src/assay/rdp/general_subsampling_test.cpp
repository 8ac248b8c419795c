#include "assay/rdp/general_subsampling.hpp"

#include <catch2/catch.hpp>

#include "assay/numeric/errors.hpp"
#include "test_support/test_support.hpp"

using namespace assay;
using test_support::agrees;

namespace {

using Digits200 = test_support::Decimals<200>;

/// birrell2024 (133) as it is printed.
Digits200 literal_lower(int order, double sigma, double q) {
    const Digits200 odds = Digits200(q) / (1 - Digits200(q));
    Digits200 sum = 1 + order * odds;
    Digits200 weight = order * odds;
    for (int j = 2; j <= order; ++j) {
        weight *= odds * (order - j + 1) / j;
        sum += weight * exp(Digits200(2 * j) * (j - 1) / (Digits200(sigma) * sigma));
    }
    return (order * log(1 - Digits200(q)) + log(sum)) / (order - 1);
}

}  // namespace

TEST_CASE("Wang's bounds at independent 30-digit values", "[general_subsampling]") {
    CHECK(agrees(wang_upper_rdp(1.5, 6, 0.0024), 0.00000270763567816374721855416957729));
    CHECK(agrees(wang_upper_rdp(2, 6, 0.0024), 0.00000270763567816374721855416957729));
    CHECK(agrees(wang_upper_rdp(10.9, 6, 0.0024), 0.0000153974966996666160472395377916));
    CHECK(agrees(wang_upper_rdp(33, 0.5, 0.01), 259.272579095092279067632181129));
    CHECK(agrees(wang_upper_rdp(8, 100, 0.3), 0.243180991185626675686187842593));
    CHECK(agrees(wang_lower_rdp(2, 6, 0.0024), 0.000000676909606849774999219139647868));
    CHECK(agrees(wang_lower_rdp(33, 6, 0.0024), 0.0000112714949858085773523858207543));
    CHECK(agrees(wang_lower_rdp(64, 0.5, 0.01), 507.321731874551780197550747521));
    CHECK(agrees(wang_lower_rdp(12, 1000, 0.00001), 2.40000480096639504683711803992e-15));
}

TEST_CASE("Wang's lower bound contains (133) in 200 digits", "[general_subsampling]") {
    for (const int order : {2, 3, 17, 120})
        for (const double sigma : {0.2, 1.0, 6.0, 5000.0})
            for (const double q : {1e-9, 0.0024, 0.4, 0.999999}) {
                const Digits200 exact = literal_lower(order, sigma, q);
                const Enclosure e = wang_lower_rdp(order, sigma, q);
                INFO(order << " " << sigma << " " << q);
                CHECK(Digits200(e.lower) <= exact);
                CHECK(exact <= Digits200(e.upper));
                CHECK(e.relative_width() < 1e-14);
            }
}

TEST_CASE("Wang's upper bound interpolates between integers", "[general_subsampling]") {
    const double at_3 = 2.0 * wang_upper_rdp(3, 6, 0.01).midpoint();  // K(3)
    const double at_4 = 3.0 * wang_upper_rdp(4, 6, 0.01).midpoint();  // K(4)
    const double between = wang_upper_rdp(3.25, 6, 0.01).midpoint();
    CHECK(between == Approx((0.75 * at_3 + 0.25 * at_4) / 2.25).epsilon(1e-13));
    CHECK(wang_upper_rdp(1.0 + 1e-9, 6, 0.01) == wang_upper_rdp(2.0, 6, 0.01));
}

TEST_CASE("Wang's bounds at high orders, and their refusals", "[general_subsampling]") {
    for (const double sigma : {0.05, 6.0, 1e4})
        for (const double q : {1e-9, 0.1, 0.999}) {
            const Enclosure upper = wang_upper_rdp(9999.5, sigma, q);
            const Enclosure lower = wang_lower_rdp(10000, sigma, q);
            CHECK(upper.relative_width() < 1e-12);
            CHECK(lower.relative_width() < 1e-12);
            CHECK(lower.lower > 0.0);
        }
    CHECK(wang_upper_rdp(5.5, 6, 0.0) == exactly(0.0));
    CHECK(wang_lower_rdp(5, 6, 0.0) == exactly(0.0));
    CHECK_THROWS_AS(wang_upper_rdp(1.0, 6, 0.1), DomainError);
    CHECK_THROWS_AS(wang_upper_rdp(2.0, 6, 1.5), DomainError);
    CHECK_THROWS_AS(wang_lower_rdp(1, 6, 0.1), DomainError);
    CHECK_THROWS_AS(wang_lower_rdp(2, 6, 1.0), DomainError);
}
