#include "assay/rdp/taylor_add_remove.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "assay/numeric/errors.hpp"
#include "assay/rdp/general_subsampling.hpp"
#include "test_support/test_support.hpp"

using namespace assay;
using test_support::agrees;

TEST_CASE("Theorem 3.3 at independent 30-digit values", "[taylor_add_remove]") {
    CHECK(agrees(theorem_3_3_rdp(1.01, 6, 3, 0.0024), 0.000000342050015182457479614458065367));
    CHECK(agrees(theorem_3_3_rdp(1.5, 6, 4, 0.0024), 0.000000507608023273992975639933749308));
    CHECK(agrees(theorem_3_3_rdp(2, 6, 3, 0.0024), 0.000000676909606849774999219139647868));
    CHECK(agrees(theorem_3_3_rdp(32.5, 6, 3, 0.0024), 0.0000114161455133435708283934874390));
    CHECK(agrees(theorem_3_3_rdp(10.9, 0.5, 4, 0.01), 84.5757770759504278420333951408));
    CHECK(agrees(theorem_3_3_rdp(2.5, 1000, 5, 0.00001), 5.00001000011333187999107889513e-16));
    CHECK(agrees(theorem_3_3_rdp(63, 1, 3, 0.1), 123.692534502280243901723653844));
    CHECK(agrees(theorem_3_3_rdp(4.5, 2, 5, 0.3), 1.01278651951078049001367550326));
}

TEST_CASE("the Taylor remainder at independent 25-digit values", "[taylor_add_remove]") {
    CHECK(agrees(log_taylor_remainder_bound(2.5, 6, 3, 0.0024), -21.65617619145693435531275));
    CHECK(agrees(log_taylor_remainder_bound(32.5, 6, 3, 0.0024), -11.23680788094859096684535));
    CHECK(agrees(log_taylor_remainder_bound(4, 6, 4, 0.0024), -26.78272589326207934170876));
    CHECK(agrees(log_taylor_remainder_bound(2.5, 6, 5, 0.3), -11.90407908064623842699105));
    CHECK(agrees(log_taylor_remainder_bound(10.9, 20, 4, 0.01), -20.01870159506106446623593));
}

TEST_CASE("an integer order below m has no remainder and gives H itself", "[taylor_add_remove]") {
    const double minus_infinity = -std::numeric_limits<double>::infinity();
    for (const double sigma : {0.3, 2.0, 6.0, 400.0}) {
        for (const int order : {2, 5, 11}) {
            CHECK(log_taylor_remainder_bound(order, sigma, 12, 0.05) == exactly(minus_infinity));
            const Enclosure taylor = theorem_3_3_rdp(order, sigma, 12, 0.05);
            const Enclosure binomial = wang_lower_rdp(order, sigma, 0.05);
            CHECK(taylor.lower <= binomial.upper);
            CHECK(binomial.lower <= taylor.upper);
        }
    }
}

TEST_CASE("Theorem 3.3 in extreme regimes", "[taylor_add_remove]") {
    for (const double order : {1.0 + 1e-12, 1.3, 2.0 - 1e-13, 2.0 + 1e-13, 63.5, 1e4, 9999.5})
        for (const double sigma : {0.05, 1.0, 100.0, 1e4})
            for (const int m : {3, 4, 64})
                for (const double q : {1e-9, 0.0024, 0.5, 1.0 - 1e-9}) {
                    const Enclosure e = theorem_3_3_rdp(order, sigma, m, q);
                    INFO(order << " " << sigma << " " << m << " " << q);
                    CHECK(e.lower > 0.0);
                    CHECK(e.lower <= e.upper);
                    CHECK(e.relative_width() < 1e-10);
                }
    CHECK(theorem_3_3_rdp(4.5, 6, 3, 0.0) == exactly(0.0));
}

TEST_CASE("Theorem 3.3 refuses what it does not cover", "[taylor_add_remove]") {
    CHECK_THROWS_AS(theorem_3_3_rdp(1.0, 6, 3, 0.1), DomainError);
    CHECK_THROWS_AS(theorem_3_3_rdp(2.0, -6, 3, 0.1), DomainError);
    CHECK_THROWS_AS(theorem_3_3_rdp(2.0, 6, 2, 0.1), DomainError);
    CHECK_THROWS_AS(theorem_3_3_rdp(2.0, 6, 3, 1.0), DomainError);
    CHECK_THROWS_AS(theorem_3_3_rdp(std::nan(""), 6, 3, 0.1), DomainError);
}
