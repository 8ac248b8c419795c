#include "assay/rdp/replace_one_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "assay/numeric/errors.hpp"
#include "assay/rdp/fixed_size_without_replacement.hpp"
#include "assay/rdp/profile_bound.hpp"
#include "assay/rdp/sampled_gaussian.hpp"
#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::test_support;

TEST_CASE("explicit pairs at independent 30-digit values", "[replace_one_pairs]") {
    CHECK_THAT(replace_one_collinear_rdp(4.5, 6, 0.0024, 0.75, -0.25),
               encloses_printed("0.00000146115605329328908961327761384"));
    CHECK_THAT(replace_one_collinear_rdp(8, 2, 0.1, 0.9, 0.4),
               encloses_printed("0.107704746224520854751870577003"));
    CHECK_THAT(replace_one_equilateral_rdp(2, 6, 0.0024),
               encloses_printed("0.000000695349880552645771556296050388"));
    CHECK_THAT(replace_one_equilateral_rdp(8.5, 6, 0.0024),
               encloses_printed("0.00000295525114267078675428362889753"));
    CHECK_THAT(replace_one_equilateral_rdp(3.5, 20, 0.3),
               encloses_printed("0.00157999987724504665025466382994"));
    CHECK_THAT(replace_one_equilateral_rdp(20, 6, 0.01),
               encloses_printed("0.000120585611338767237691816924949"));
    CHECK_THAT(replace_one_equilateral_attainable_rdp(2, 6, 0.0024),
               encloses_printed("0.000000510801904869259482761254137872"));
    CHECK_THAT(replace_one_equilateral_attainable_rdp(8.5, 6, 0.0024),
               encloses_printed("0.00000217091354989519460413534903363"));
    CHECK_THAT(replace_one_equilateral_attainable_rdp(3.5, 20, 0.3),
               encloses_printed("0.00118405696987433482379320725718"));
}

TEST_CASE("collinear pairs against the unreduced integral", "[replace_one_pairs]") {
    Random random(191);
    CAPTURE(random.seed());
    for (int i = 0; i < 20 * effort(); ++i) {
        const double q = random.log_uniform(1e-6, 0.99);
        const double sigma = random.log_uniform(0.8, 100.0);
        const double order = 1.0 + random.log_uniform(1e-3, 10.0);
        const double x = random.uniform(-1.0, 1.0);
        const double y = random.uniform(-1.0, 1.0);
        CAPTURE(q, sigma, order, x, y);
        const Wide c = 2 / Wide(sigma);
        const Wide a(order);
        REQUIRE_THAT(replace_one_collinear_rdp(order, sigma, q, x, y),
                     Encloses(divergence(pair_moment(a, q, c * Wide(x), c * Wide(y)), a)));
    }
}

TEST_CASE("special collinear pairs are the named curves", "[replace_one_pairs]") {
    for (const double order : {1.1, 7.0})
        for (const double sigma : {1.0, 20.0}) {
            const double q = 0.02;
            CHECK(replace_one_collinear_rdp(order, sigma, q, 1.0, 0.0) ==
                  fixed_size_without_replacement_rdp(order, sigma, q));
            CHECK(replace_one_collinear_rdp(order, sigma, q, 0.0, -1.0) ==
                  fixed_size_without_replacement_addition_rdp(order, sigma, q));
            CHECK(replace_one_collinear_rdp(order, sigma, q, 0.0, 1.0) ==
                  fixed_size_without_replacement_addition_rdp(order, sigma, q));
            CHECK(replace_one_collinear_rdp(order, sigma, q, 0.5, -0.5) ==
                  poisson_replace_one_rdp(order, sigma, q));
            CHECK(replace_one_collinear_rdp(order, sigma, q, -0.3, 0.6) ==
                  replace_one_collinear_rdp(order, sigma, q, 0.3, -0.6));
            CHECK(replace_one_collinear_rdp(order, sigma, q, 0.4, 0.4) == exactly(0.0));
            CHECK(replace_one_collinear_rdp(order, sigma, 0.0, 0.4, 0.1) == exactly(0.0));
        }
}

TEST_CASE("no attainable configuration exceeds H", "[replace_one_pairs]") {
    Random random(192);
    CAPTURE(random.seed());
    for (int i = 0; i < 400 * effort(); ++i) {
        const double q = random.log_uniform(1e-6, 0.999);
        const double sigma = random.log_uniform(0.3, 100.0);
        const double order = 1.0 + random.log_uniform(1e-4, 64.0);
        // Three points of [-1/2, 1/2] (in units of c): the record's two gradients and another one.
        const double base = random.uniform(-0.5, 0.5);
        const double x = random.uniform(-0.5, 0.5) - base;
        const double y = random.uniform(-0.5, 0.5) - base;
        CAPTURE(q, sigma, order, x, y);
        const Enclosure pair = replace_one_collinear_rdp(order, sigma, q, x, y);
        const Enclosure exact = fixed_size_without_replacement_rdp(order, sigma, q);
        REQUIRE(pair.lower <= exact.upper);
    }
}

TEST_CASE("the equilateral triangle exceeds H unless it fits into the ball",
          "[replace_one_pairs]") {
    for (const double sigma : {2.0, 6.0, 50.0})
        for (const double q : {1e-4, 0.01, 0.3})
            for (const double order : {1.2, 2.0, 6.5}) {
                CAPTURE(sigma, q, order);
                const Enclosure wide_one = replace_one_equilateral_rdp(order, sigma, q);
                const Enclosure fitting = replace_one_equilateral_attainable_rdp(order, sigma, q);
                const Enclosure exact = fixed_size_without_replacement_rdp(order, sigma, q);
                CHECK(fitting.lower <= exact.upper);
                CHECK(fitting.lower <= wide_one.upper);
                CHECK(wide_one.upper <= profile_bound_rdp(order, sigma, q).upper);
                CHECK(wide_one.relative_width() <= 1e-11);
                CHECK(fitting.relative_width() <= 1e-11);
            }
    // docs/proofs.md C.5: (F-1)/(H-1) = 1.1936 at q = 0.01, sigma = 2, order 2.
    const double triangle = std::expm1(replace_one_equilateral_rdp(2.0, 2.0, 0.01).midpoint());
    const double exact = std::expm1(fixed_size_without_replacement_rdp(2.0, 2.0, 0.01).midpoint());
    CHECK(triangle / exact == Approx(1.1936).margin(1e-4));
}

TEST_CASE("triangles the planar rule cannot afford stay below the profile bound",
          "[replace_one_pairs]") {
    for (const double order : {2.0, 9999.5}) {
        const Enclosure e = replace_one_equilateral_rdp(order, 0.05, 0.01);
        CHECK(e.lower >= 0.0);
        CHECK(e.lower <= e.upper);
        CHECK(e.upper <= profile_bound_rdp(order, 0.05, 0.01).upper);
    }
    CHECK(replace_one_equilateral_rdp(2.0, 6.0, 0.0) == exactly(0.0));
    CHECK(replace_one_equilateral_attainable_rdp(2.0, 6.0, 0.0) == exactly(0.0));
}

TEST_CASE("second-order coefficients, and their quotient 1 + tanh(1/sigma^2)",
          "[replace_one_pairs]") {
    CHECK_THAT(exact_second_order_coefficient(6),
               encloses_printed("0.0587595343709318243110298582408"));
    CHECK_THAT(exact_second_order_coefficient(1),
               encloses_printed("26.7990750165721195390551306014"));
    CHECK_THAT(exact_second_order_coefficient(100),
               encloses_printed("0.000200040005333866709336177940326"));
    for (const double sigma : {0.1, 0.7, 1.0, 6.0, 1e4}) {
        CAPTURE(sigma);
        const Wide square = Wide(sigma) * Wide(sigma);
        const Wide exact = expm1(4 / square) / 2;
        CHECK_THAT(exact_second_order_coefficient(sigma), Encloses(exact));
        CHECK_THAT(birrell2024_second_order_coefficient(sigma),
                   Encloses(exact * (1 + tanh(1 / square))));
        const Enclosure ratio = exact_second_order_coefficient(sigma);
        CHECK(ratio.lower < birrell2024_second_order_coefficient(sigma).upper);
    }
    for (const double sigma : {0.0, -1.0, std::nan(""), infinity}) {
        CHECK(refused([&] { return exact_second_order_coefficient(sigma); }) == "sigma");
        CHECK(refused([&] { return birrell2024_second_order_coefficient(sigma); }) == "sigma");
    }
}

TEST_CASE("replace one pairs: bad parameters are refused by name", "[replace_one_pairs]") {
    const double nan = std::nan("");
    const auto each = [&](const auto& call) {
        for (const double order : {1.0, 0.5, nan, infinity})
            CHECK(refused([&] { return call(order, 6.0, 0.1); }) == "alpha");
        for (const double sigma : {0.0, -1.0, nan, infinity})
            CHECK(refused([&] { return call(2.0, sigma, 0.1); }) == "sigma");
        for (const double q : {-0.1, 1.1, nan})
            CHECK(refused([&] { return call(2.0, 6.0, q); }) == "q");
    };
    each([](double a, double s, double q) { return replace_one_collinear_rdp(a, s, q, 0.5, 0.1); });
    each([](double a, double s, double q) { return replace_one_equilateral_rdp(a, s, q); });
    each([](double a, double s, double q) {
        return replace_one_equilateral_attainable_rdp(a, s, q);
    });
    CHECK(refused([&] { return replace_one_collinear_rdp(2, 6, 0.1, nan, 0.0); }) == "x");
    CHECK(refused([&] { return replace_one_collinear_rdp(2, 6, 0.1, 0.0, infinity); }) == "y");
}
