#include "verify/oracles/integer_order_power.hpp"

#include "verify/oracles/integer_order_expect.hpp"
#include "verify/oracles/integer_order_refine.hpp"

using namespace assay::verify;

TEST_CASE("what is left out of the power widens the answer upward") {
    // Exact arithmetic, as good as: only what is left out tells the enclosures apart.
    widen_exponents();
    const struct {
        long alpha;
        double sigma;
        long B, D;
    } cases[] = {
        {5, 6, 120, 5000}, {8, 20, 60, 600}, {4, 2, 30, 31}, {12, 30, 78, 1077}, {6, 1, 12, 500}};
    for (const auto& c : cases) {
        CAPTURE(c.alpha, c.sigma, c.B, c.D);
        const MixturePower power(c.alpha, c.sigma, c.B, c.D);
        const Interval fine = power.log_moment(1200);
        for (const long kept_bits : {4, 10, 20, 40, 80}) {
            CAPTURE(kept_bits);
            const Interval coarse = power.log_moment(1000, kept_bits);
            CHECK(mpfr_lessequal_p(coarse.lower(), fine.lower()) != 0);
            CHECK(mpfr_greaterequal_p(coarse.upper(), fine.upper()) != 0);
        }
        CHECK(fine.relative_width() < 1e-200);
    }
}

TEST_CASE("the second moment has a closed form") {
    // E[V^2] = sum_n a_n (1 - 1/D + e^{n c^2}/D)^B. B = 1: 1 + (e^{c^2} - 1)/D^2.
    widen_exponents();
    const MixturePower power(2, 4, 1, 16);
    const Interval expected = log(1.0 + (exp(Interval(0.25, 300)) - 1.0) / 256.0);
    CHECK(overlap(power.log_moment(256), expected));
    CHECK_FALSE(overlap(power.log_moment(256), expected * (1 + 0x1p-50)));
}

TEST_CASE("too large a power is refused at once") {
    widen_exponents();
    // 5000 copies are expected in all.
    const MixturePower power(5000, 1e4, 2000, 2001);
    CHECK_THROWS_AS(power.log_moment(128), Unaffordable);
}
