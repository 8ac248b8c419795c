#include "verify/oracles/interval.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <random>

#include "assay/numeric/errors.hpp"
#include "test_support/test_support.hpp"

using namespace assay::verify;
using assay::test_support::infinity;

namespace {

bool contains(const Interval& x, const char* digits) {
    const Interval value = Interval::decimal(digits, 400);
    return mpfr_lessequal_p(x.lower(), value.lower()) != 0 &&
           mpfr_greaterequal_p(x.upper(), value.upper()) != 0;
}

}  // namespace

// Values with 40 digits from published tables of constants.
TEST_CASE("functions enclose known constants and are narrow", "[interval]") {
    const Interval one(1.0, 100);
    const Interval two(2.0, 100);
    CHECK(contains(exp(one), "2.718281828459045235360287471352662497757"));
    CHECK(contains(log(two), "0.6931471805599453094172321214581765680755"));
    CHECK(contains(log1p(one), "0.6931471805599453094172321214581765680755"));
    CHECK(contains(expm1(one), "1.718281828459045235360287471352662497757"));
    CHECK(contains(sqrt(two), "1.414213562373095048801688724209698078570"));
    CHECK(contains(Interval::pi(100), "3.141592653589793238462643383279502884197"));
    CHECK(contains(erfc(one), "0.1572992070502851306587793649173907407039"));
    CHECK(contains(normal_cdf(Interval(0.0, 100)), "0.5"));
    CHECK(contains(cos(one), "0.5403023058681397174009366074429766037323"));
    CHECK(contains(log_gamma(Interval(5.0, 100)), "3.178053830347945619646941601297055408874"));
    CHECK(contains(power(two, Interval(0.5, 100)), "1.414213562373095048801688724209698078570"));
    CHECK(exp(one).relative_width() < 0x1p-97);
    CHECK(exp(one).relative_width() > 0.0);  // e is no MPFR number
}

TEST_CASE("products and powers of any signs contain the product of any two members", "[interval]") {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> uniform(-2.0, 2.0);
    for (int i = 0; i < 2000; ++i) {
        double ends[4];
        for (double& end : ends) end = uniform(random);
        const auto make = [](double a, double b) {
            return Interval::between(Interval(std::min(a, b), 64), Interval(std::max(a, b), 64));
        };
        const Interval x = make(ends[0], ends[1]);
        const Interval y = make(ends[2], ends[3]);
        const double member_x = 0.25 * ends[0] + 0.75 * ends[1];
        const double member_y = 0.5 * ends[2] + 0.5 * ends[3];
        const Interval a(member_x, 200);
        const Interval b(member_y, 200);
        CHECK(overlap(x * y, a * b));
        CHECK(certainly_at_most(Interval((x * y).lower_double(), 64), a * b));
        CHECK(certainly_at_most(a * b, Interval((x * y).upper_double(), 64)));
        CHECK(overlap(x - y, a - b));
        CHECK(overlap(power(x, 3), a * a * a));
        CHECK(overlap(power(x, 2), a * a));
        CHECK(power(x, 2).is_nonnegative());
        CHECK(overlap(abs(x), Interval(std::abs(member_x), 64)));
        if (std::abs(member_y) > 1e-3 && !overlap(y, Interval(0.0, 64)))
            CHECK(overlap(x / y, a / b));
    }
}

TEST_CASE("what has no meaning is the whole line and never NaN", "[interval]") {
    const Interval huge(infinity, 64);
    CHECK((huge - huge).lower_double() == -infinity);
    CHECK((huge * Interval(0.0, 64)).upper_double() == infinity);
    CHECK(log(Interval(-1.0, 64)).lower_double() == -infinity);
    CHECK((Interval(1.0, 64) / Interval(0.0, 64)).upper_double() == infinity);
    CHECK(log(Interval(0.0, 64)).upper_double() == -infinity);
    const Interval mixed = Interval::between(Interval(-1.0, 64), Interval(4.0, 64));
    CHECK(log(mixed).lower_double() == -infinity);
    CHECK(sqrt(mixed).lower_double() == 0.0);
    CHECK(log_gamma(Interval(1.5, 64)).upper_double() == infinity);
}

TEST_CASE("rounding goes outward to doubles and to text", "[interval]") {
    const Interval third = Interval(1.0, 200) / Interval(3.0, 200);
    CHECK(third.lower_double() < third.upper_double());
    CHECK(third.lower_text(5) == "3.3333e-01");
    CHECK(third.upper_text(5) == "3.3334e-01");
    CHECK(contains(Interval::decimal("0.1", 64), "0.1"));
    CHECK(Interval::decimal("0.1", 64).relative_width() > 0.0);
    CHECK_THROWS_AS(Interval::decimal("0.1x", 64), assay::Error);
    CHECK_THROWS_AS(Interval::decimal("", 64), assay::Error);
}

TEST_CASE("exponents far beyond the default range are kept", "[interval]") {
    const Interval x = log(exp(Interval(1e12, 64)));
    CHECK(x.is_finite());
    CHECK(contains(x, "1e12"));
}

// Computed with 60 digits by mpmath.
TEST_CASE("the error function is enclosed and quick far out", "[interval]") {
    CHECK(contains(log(erfc(Interval(20.0, 128))),
                   "-403.569343334104234962968792348155422217483206898390448098561"));
    CHECK(contains(log(erfc(Interval(1000.0, 128))),
                   "-1000007.48012072190621214066734919079679475153155104327975399"));
    CHECK(overlap(erfc(Interval(-12.5, 100)), 2.0 - erfc(Interval(12.5, 100))));
    CHECK(log(erfc(Interval(1e6, 64))).relative_width() < 1e-15);
    CHECK(log(erfc(Interval(11.5, 128))).relative_width() < 1e-35);  // either side of the switch
    CHECK(log(erfc(Interval(11.2, 128))).relative_width() < 1e-35);
    CHECK(contains(log(erfc(Interval(11.5, 128))),
                   "-135.268457611131786161220730906552589231309589853743076708443"));
    CHECK(normal_cdf(Interval(-4e5, 64)).is_positive());
}

TEST_CASE("intervals move and are assigned like values", "[interval]") {
    Interval a(1.0, 64);
    Interval b = std::move(a);
    a = Interval(2.0, 128);
    CHECK(a.lower_double() == 2.0);
    CHECK(b.lower_double() == 1.0);
    b = a;
    CHECK(b.bits() == 128);
    b += b;
    CHECK(b.upper_double() == 4.0);
}

// A sum of two doubles, 106 bits, does not hold what aarch64's long double has.
TEST_CASE("an extended number is held with all of its digits", "[interval]") {
    using limits = std::numeric_limits<long double>;
    for (const long double x : {1.0L + limits::epsilon(), -1.0L + limits::epsilon() / 2,
                                limits::denorm_min(), limits::max(), 0.0L}) {
        const Interval held = Interval::extended(x, limits::digits);
        CHECK(mpfr_get_ld(held.lower(), MPFR_RNDN) == x);
        CHECK(mpfr_equal_p(held.lower(), held.upper()) != 0);
    }
    const Interval narrow = Interval::extended(1.0L + limits::epsilon(), 53);
    CHECK(narrow.lower_double() == 1.0);
    CHECK(narrow.upper_double() == 1.0 + 0x1p-52);
    CHECK_FALSE(Interval::extended(limits::quiet_NaN(), 64).is_finite());
}
