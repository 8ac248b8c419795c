#include "verify/oracles/integer_order_refine.hpp"

#include <catch2/catch.hpp>

using namespace assay::verify;

TEST_CASE("precision grows until the digits asked for are there") {
    // e^x - 1 for x = 2^-200: the subtraction costs 200 bits.
    const auto difference = [](long p) { return exp(Interval(0x1p-200, p)) - 1.0; };
    CHECK(difference(128).relative_width() > 0.5);
    for (const long bits : {64, 256}) {
        const Interval answer = refined(bits, difference);
        CHECK(answer.relative_width() <= std::ldexp(1.0, static_cast<int>(-bits)));
        CHECK(overlap(answer, expm1(Interval(0x1p-200, 600))));
    }
}

TEST_CASE("a kernel out of reach keeps the best answer so far") {
    const Interval whole_answer = refined(64, [](long) -> Interval { throw Unaffordable(); });
    CHECK_FALSE(whole_answer.is_finite());

    const Interval coarse = refined(64, [](long p) {
        if (p > 200) throw Unaffordable();
        return exp(Interval(0x1p-200, p)) - 1.0;
    });
    CHECK(coarse.is_finite());
    CHECK(coarse.relative_width() > 0x1p-64);
    CHECK(overlap(coarse, Interval(0x1p-200, 64)));

    // The first precision is 320: a smaller one still gives an answer.
    const Interval smaller = refined(256, [](long p) {
        if (p > 200) throw Unaffordable();
        return Interval::pi(p);
    });
    CHECK(smaller.relative_width() <= 0x1p-150);
}

TEST_CASE("an answer that never narrows ends") {
    const Interval answer =
        refined(64, [](long p) { return hull(Interval(1.0, p), Interval(2.0, p)); });
    CHECK(answer.lower_double() == 1.0);
    CHECK(answer.upper_double() == 2.0);
}

TEST_CASE("moments beyond the usual exponents are finite") {
    const Interval answer = refined(64, [](long p) { return log(exp(Interval(1e12, p))); });
    CHECK(answer.is_finite());
    CHECK(overlap(answer, Interval(1e12, 64)));
}

TEST_CASE("whole numbers do not lower the precision of a product") {
    Interval x = Interval::pi(500);
    x *= whole(3);
    x /= whole(3);
    CHECK(x.bits() == 500);
    CHECK(overlap(x, Interval::pi(600)));
    CHECK(x.relative_width() < 0x1p-490);
}

TEST_CASE("integers are told from other numbers") {
    CHECK(is_integer(3.0));
    CHECK_FALSE(is_integer(3.0000000000000004));
    CHECK_FALSE(is_integer(1e300));
}
