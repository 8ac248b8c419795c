#include "assay/numeric/interval.hpp"

#include <algorithm>
#include <limits>

#include "test_support/test_support.hpp"

using namespace assay;
using test_support::Digits100;
using test_support::effort;
using test_support::infinity;
using test_support::Random;

namespace {

const RealInterval line = RealInterval::whole_line();

bool same(const RealInterval& a, const RealInterval& b) {
    return a.lower() == b.lower() && a.upper() == b.upper();
}

/// Holds the truth, and is no wider than `width` of it.
bool holds(const RealInterval& x, const Digits100& truth, double width) {
    return Digits100(x.lower()) <= truth && truth <= Digits100(x.upper()) &&
           Digits100(x.upper()) - Digits100(x.lower()) <= abs(truth) * width;
}

constexpr double one_step = 0x1.00001p-63;  // two neighbours of a 64-bit significand
constexpr double two_dozen = 60 * 0x1p-64;

}  // namespace

TEST_CASE("operations on points hold the exact result and at most two neighbours", "[interval]") {
    Random random(501);
    CAPTURE(random.seed());
    for (int i = 0; i < 3000 * effort(); ++i) {
        const auto draw = [&] {
            const real scale = random.log_uniform(1e-30, 1e30);
            return (random.integer(0, 1) == 0 ? scale : -scale) *
                   (1.0L + static_cast<real>(random.uniform(0.0, 1.0)) * 0x1p-40L);
        };
        const real a = draw();
        const real b = draw();
        const RealInterval sum = RealInterval(a) + b;
        CHECK(Digits100(sum.lower()) <= Digits100(a) + Digits100(b));
        CHECK(Digits100(a) + Digits100(b) <= Digits100(sum.upper()));
        CHECK(sum.upper() <= std::nextafter(sum.lower(), infinity));
        CHECK(holds(RealInterval(a) * b, Digits100(a) * Digits100(b), one_step));
        CHECK(holds(RealInterval(a) / b, Digits100(a) / Digits100(b), one_step));
        CHECK(holds(sqrt(RealInterval(std::fabs(a))), sqrt(abs(Digits100(a))), one_step));
    }
}

TEST_CASE("functions hold the exact result", "[interval]") {
    Random random(502);
    CAPTURE(random.seed());
    for (int i = 0; i < 1000 * effort(); ++i) {
        const real x = static_cast<real>(random.log_uniform(1e-25, 600.0)) *
                       (random.integer(0, 1) == 0 ? 1.0L : -1.0L);
        CHECK(holds(exp(RealInterval(x)), exp(Digits100(x)), two_dozen));
        CHECK(holds(expm1(RealInterval(x)), expm1(Digits100(x)), two_dozen));
        CHECK(holds(log(RealInterval(std::fabs(x))), log(abs(Digits100(x))), two_dozen));
        const real y = 1.0L + x * 1e-20L;
        if (y != 1.0L) CHECK(holds(log(RealInterval(y)), log(Digits100(y)), two_dozen));
        if (x > -0.999L) CHECK(holds(log1p(RealInterval(x)), log1p(Digits100(x)), two_dozen));
    }
}

TEST_CASE("operations on intervals hold the results of their members", "[interval]") {
    Random random(503);
    CAPTURE(random.seed());
    for (int i = 0; i < 3000 * effort(); ++i) {
        const auto draw = [&] {
            const real a = random.uniform(-2.0, 2.0);
            const real b = random.uniform(-2.0, 2.0);
            return RealInterval(std::min(a, b), std::max(a, b));
        };
        const auto member = [&](const RealInterval& x) {
            const real t = random.uniform(0.0, 1.0);
            return std::clamp(x.lower() + t * (x.upper() - x.lower()), x.lower(), x.upper());
        };
        const RealInterval x = draw();
        const RealInterval y = draw();
        const real a = member(x);
        const real b = member(y);
        CHECK((x + y).contains(a + b));
        CHECK((x - y).contains(a - b));
        CHECK((x * y).contains(a * b));
        CHECK((x / y).contains(a / b));
        CHECK(abs(x).contains(std::fabs(a)));
        CHECK(min(x, y).contains(std::min(a, b)));
        CHECK(max(x, y).contains(std::max(a, b)));
        CHECK(exp(x).contains(std::exp(a)));
        CHECK(expm1(x).contains(std::expm1(a)));
        if (a > 0.0L) CHECK(log(x).contains(std::log(a)));
        if (a > 0.0L) CHECK(sqrt(x).contains(std::sqrt(a)));
        if (a > -1.0L) CHECK(log1p(x).contains(std::log1p(a)));
    }
}

TEST_CASE("what is exact stays a point", "[interval]") {
    const RealInterval big = 9007199254740993.0L;
    CHECK(same(big + 4.0L, 9007199254740997.0L));
    CHECK(same(big * 1024.0L, 9007199254740993.0L * 1024.0L));
    CHECK(same(RealInterval(3.0L) / 4.0L, 0.75L));
    CHECK(same(sqrt(RealInterval(49.0L)), 7.0L));
    CHECK(same(exp(RealInterval(0.0L)), 1.0L));
    CHECK(same(expm1(RealInterval(0.0L)), 0.0L));
    CHECK(same(log(RealInterval(1.0L)), 0.0L));
    CHECK(same(log1p(RealInterval(0.0L)), 0.0L));
    CHECK(same(RealInterval(0.0L) * line, 0.0L));
    CHECK(same(RealInterval(0.0L) / 3.0L, 0.0L));
    CHECK_FALSE(same(RealInterval(1.0L) / 3.0L, 1.0L / 3.0L));
}

TEST_CASE("what is undefined is the whole line", "[interval]") {
    CHECK(same(RealInterval(std::numeric_limits<real>::quiet_NaN()), line));
    CHECK(same(RealInterval(2.0L, 1.0L), line));
    CHECK(same(RealInterval(1.0L) / RealInterval(-1.0L, 1.0L), line));
    CHECK(same(RealInterval(0.0L) / 0.0L, line));
    CHECK(same(RealInterval(infinity) - infinity, line));
    CHECK(same(RealInterval(infinity) / infinity, line));
    CHECK(same(RealInterval(-infinity) / infinity, line));
    CHECK(same(sqrt(RealInterval(-1.0L)), line));
    CHECK(same(log(RealInterval(-1.0L)), line));
    CHECK(same(log(RealInterval(0.0L)), line));
    CHECK(same(log1p(RealInterval(-2.0L, -1.0L)), line));
}

TEST_CASE("ends beyond the range stay on their side", "[interval]") {
    const real largest = std::numeric_limits<real>::max();
    const real least = std::numeric_limits<real>::denorm_min();
    const RealInterval over = RealInterval(largest) * 2.0L;
    CHECK(over.lower() == largest);
    CHECK(over.upper() == infinity);
    const RealInterval under = RealInterval(least) * 0.25L;
    CHECK(under.lower() == 0.0L);  // the product of two positive numbers is none below 0
    CHECK((RealInterval(least) / 4.0L).lower() == 0.0L);
    CHECK((RealInterval(-least) * 0.25L).upper() >= 0.0L);
    CHECK(under.upper() >= least);
    CHECK(std::isfinite(exp(RealInterval(20000.0L)).lower()));
    CHECK(exp(RealInterval(20000.0L)).upper() == infinity);
    CHECK(exp(RealInterval(-20000.0L)).lower() == 0.0L);
    CHECK(exp(RealInterval(-20000.0L)).upper() > 0.0L);
    CHECK(log(RealInterval(0.0L, 1.0L)).lower() == -infinity);
    CHECK(exp(line).lower() == 0.0L);
    CHECK(expm1(line).lower() == -1.0L);
    const Enclosure doubles = to_enclosure(RealInterval(1.0L) / 3.0L);
    CHECK(doubles.lower < doubles.upper);
    CHECK(doubles.upper == std::nextafter(doubles.lower, 1.0));
    CHECK(to_enclosure(line) == Enclosure{-INFINITY, INFINITY});
}
