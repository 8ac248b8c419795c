#include "verify/oracles/published_with_replacement.hpp"

#include "verify/oracles/integer_order_expect.hpp"

using namespace assay::verify;

namespace {

Interval with_replacement(std::string_view quantity, const Point& point, long bits = 64) {
    return oracle_named(published_with_replacement_oracles(), quantity).evaluate(point, bits);
}

Point drawn_point(double alpha, double sigma, double m, double B, double D, double K) {
    return {{"alpha", alpha}, {"sigma", sigma}, {"m", m}, {"B", B}, {"D", D}, {"K", K}};
}

}  // namespace

// Truth: the same formulas with moments and H as integrals (trapezoid rule), computed independently
// with 60+ digits (mpmath).

TEST_CASE("the smallest sampling rate agrees with an independent evaluation") {
    CHECK(agrees(with_replacement("birrell2024.q_tilde", {{"B", 10}, {"D", 100}, {"K", 2}}),
                 "0.09551495016611295681063122923588"));
    // K = B: 1 - (1-1/D)^B.
    const Interval expected = 1.0 - power(1.0 - 1.0 / Interval(100.0, 300), 10);
    CHECK(overlap(with_replacement("birrell2024.q_tilde", {{"B", 10}, {"D", 100}, {"K", 10}}, 128),
                  expected));
}

TEST_CASE("Theorem 3.6 agrees with an independent evaluation") {
    for (const long bits : {64, 256}) {
        CHECK(
            agrees(with_replacement("birrell2024.thm_3_6", drawn_point(2.5, 8, 4, 6, 64, 3), bits),
                   "0.00075272296628276657569124033108505", bits));
        CHECK(
            agrees(with_replacement("birrell2024.thm_3_6", drawn_point(3.5, 4, 3, 6, 64, 6), bits),
                   "8.4899174977693681015339619862277", bits));
        CHECK(agrees(
            with_replacement("birrell2024.thm_3_6_capped", drawn_point(3.5, 4, 3, 6, 64, 6), bits),
            "6.7319711026759388253507058925927", bits));
    }
}

TEST_CASE("Theorem 3.6 with the exact H agrees with an independent evaluation") {
    CHECK(agrees(with_replacement("birrell2024.thm_3_6_exact_h",
                                  {{"alpha", 3}, {"sigma", 8}, {"B", 6}, {"D", 64}, {"K", 3}}),
                 "0.00091188950945670216258232609164863"));
}

TEST_CASE("Theorem 3.6 agrees with shared values") {
    // Computed independently with 60+ digits (mpmath).
    CHECK(agrees(with_replacement("birrell2024.thm_3_6", drawn_point(2, 6, 4, 120, 50000, 3)),
                 "301.626623458594982881328803631"));
    CHECK(agrees(
        with_replacement("birrell2024.thm_3_6_capped", drawn_point(4.5, 6, 4, 20, 20000, 20)),
        "45.3824226283358204059286590977"));
    CHECK(agrees(with_replacement("birrell2024.thm_3_6", drawn_point(8, 100, 4, 60, 6000, 4)),
                 "0.000000160819655507938973069667040777"));
}

TEST_CASE("equation 120 agrees with shared values") {
    // Computed independently with 60+ digits (mpmath).
    CHECK(agrees(with_replacement("birrell2024.eq_120",
                                  {{"alpha", 2}, {"sigma", 6}, {"B", 120}, {"D", 50000}}),
                 "-996.746788258467946561454036471"));
}

TEST_CASE("the theorem asks for a dataset larger than the batch") {
    const Oracle oracle = oracle_named(published_with_replacement_oracles(), "birrell2024.thm_3_6");
    CHECK(oracle.covers(drawn_point(2, 6, 4, 5, 6, 2)));
    CHECK_FALSE(oracle.covers(drawn_point(2, 6, 4, 5, 5, 2)));
}
