#include "assay/rdp/taylor_moments.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "assay/numeric/errors.hpp"
#include "test_support/test_support.hpp"

using namespace assay;
using test_support::agrees;

namespace {

/// 300 digits: the alternating sum loses about 200 of them at sigma = 1e4, k = 40.
using Digits300 = test_support::Decimals<300>;

/// birrell2024 (44) as it is printed; u = e^{4/sigma^2}, so e^{2l(l-1)/sigma^2} = u^{l(l-1)/2}.
Digits300 literal_moment(const Digits300& u, int k) {
    Digits300 sum = 0;
    Digits300 binomial = 1;
    Digits300 step = 1;   // u^{l-1}
    Digits300 power = 1;  // u^{l(l-1)/2}
    for (int l = 0; l <= k; ++l) {
        if (l >= 2) {
            step *= u;
            power *= step;
        }
        const Digits300 term = binomial * power;
        sum += (k - l) % 2 == 0 ? term : Digits300(-term);
        binomial = binomial * (k - l) / (l + 1);
    }
    return sum;
}

}  // namespace

TEST_CASE("moments equal the literal alternating sum", "[taylor_moments]") {
    const double sigma = GENERATE(0.05, 0.3, 0.7, 1.0, 2.0, 6.0, 20.0, 100.0, 1000.0, 1e4);
    const TaylorMoments moments(sigma, 72);
    CHECK(moments.relative_error() < 1e-11L);
    CHECK(moments.moment(0).value() == 1.0L);
    CHECK(moments.moment(1).is_zero());
    const Digits300 u = exp(4 / (Digits300(sigma) * sigma));
    for (const int k : {2, 3, 4, 5, 8, 13, 24, 39, 40}) {
        const Digits300 exact = log(literal_moment(u, k));
        const Digits300 distance = abs(Digits300(moments.moment(k).log()) - exact);
        // The logarithm taken here rounds once more.
        const real allowed = moments.relative_error() +
                             8.0L * unit_roundoff * (2.0L + std::fabs(moments.moment(k).log()));
        INFO("sigma " << sigma << " k " << k);
        CHECK(distance.convert_to<real>() <= allowed);
    }
}

TEST_CASE("log M and log B~ at independent 25-digit values", "[taylor_moments]") {
    CHECK(agrees(log_taylor_moment(6, 2), -2.141154671400263767094499));
    CHECK(agrees(log_taylor_moment(6, 7), -1.382149071026756476294954));
    CHECK(agrees(log_taylor_moment(1, 12), 263.9999999999999999990663));
    CHECK(agrees(log_taylor_moment(20, 40), -24.33485585337706920567454));
    CHECK(agrees(log_taylor_moment(100, 66), -147.7956397232646356795418));
    CHECK(agrees(log_taylor_moment(0.3, 64), 89600.0));
    CHECK(agrees(log_taylor_moment(2, 200), 19900.0));
    CHECK(agrees(log_absolute_moment_bound(6, 1), -1.07057733570013188354725));
    CHECK(agrees(log_absolute_moment_bound(6, 35), 65.38969183272009597048845));
    CHECK(agrees(log_absolute_moment_bound(100, 11), -34.91954029595435147636229));
}

TEST_CASE("both branches of the moments meet", "[taylor_moments]") {
    // sigma = 2: c^2 = 1, so the leading term takes over near k = 55; M_k is increasing and
    // log-convex throughout (moments of even order of one variable).
    const TaylorMoments moments(2.0, 80);
    for (int k = 4; k + 2 <= 80; k += 2) {
        const real below = moments.moment(k).log() - moments.moment(k - 2).log();
        const real above = moments.moment(k + 2).log() - moments.moment(k).log();
        CHECK(above >= below);
    }
}

TEST_CASE("high orders stay finite and accurate", "[taylor_moments]") {
    for (const double sigma : {0.05, 6.0, 30.0, 100.0, 1e4}) {
        const TaylorMoments moments(sigma, 10066);
        CHECK(std::isfinite(moments.moment(10066).log()));
        CHECK(moments.relative_error() <= 1e-7L);
        const Enclosure last = log_taylor_moment(sigma, 10066);
        CHECK(last.relative_width() < 1e-13);
    }
}

TEST_CASE("the literature's exact zeros and refusals", "[taylor_moments]") {
    const double minus_infinity = -std::numeric_limits<double>::infinity();
    CHECK(log_taylor_moment(6, 0) == exactly(0.0));
    CHECK(log_taylor_moment(6, 1) == exactly(minus_infinity));
    CHECK(log_absolute_moment_bound(6, 0) == exactly(0.0));
    CHECK_THROWS_AS(log_taylor_moment(0.0, 2), DomainError);
    CHECK_THROWS_AS(log_taylor_moment(std::nan(""), 2), DomainError);
    CHECK_THROWS_AS(log_taylor_moment(6, -1), DomainError);
    CHECK_THROWS_AS(log_absolute_moment_bound(6, -1), DomainError);
    // Out of the range of extended exponents: the trivial enclosure, not a guess.
    CHECK(std::isinf(log_taylor_moment(1e-12, 100).upper));
}
