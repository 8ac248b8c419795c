#include "verify/oracles/published_add_remove.hpp"

#include "verify/oracles/integer_order_expect.hpp"

using namespace assay::verify;

namespace {

Interval add_remove(std::string_view quantity, double alpha, double sigma, double m, double q,
                    long bits = 64) {
    return oracle_named(published_add_remove_oracles(), quantity)
        .evaluate({{"alpha", alpha}, {"sigma", sigma}, {"m", m}, {"q", q}}, bits);
}

}  // namespace

// Truth: the same formulas with the moments as integrals (trapezoid rule), computed independently
// with 60+ digits (mpmath).

TEST_CASE("the remainder bound of H has both of its cases") {
    CHECK(agrees(add_remove("birrell2024.log_R_bound", 2.5, 4, 5, 0.25),
                 "-9.7503440941375680630558424734357"));  // alpha <= m
    CHECK(agrees(add_remove("birrell2024.log_R_bound", 6.5, 4, 3, 0.25),
                 "-0.68101192916572991664500110693534"));  // alpha > m
}

TEST_CASE("Theorem 3.3 agrees with an independent evaluation") {
    for (const long bits : {64, 256}) {
        CHECK(agrees(add_remove("birrell2024.thm_3_3", 2.5, 4, 5, 0.25, bits),
                     "0.022629249992179844962757975003614", bits));
        CHECK(agrees(add_remove("birrell2024.thm_3_3", 6.5, 4, 3, 0.125, bits),
                     "0.022660205560238539532536990296921", bits));
        CHECK(agrees(add_remove("birrell2024.thm_3_3", 4, 4, 4, 0.125, bits),
                     "0.0094878001933579416984447739167287", bits));
    }
}

TEST_CASE("Theorem 3.3 agrees with shared values at decimal parameters") {
    // Computed independently with 60+ digits (mpmath); q is not a double there.
    CHECK(agrees(add_remove("birrell2024.thm_3_3", 63, 1, 3, 0.1),
                 "123.692534502280243901723653844", 64, "1e-15"));
    CHECK(agrees(add_remove("birrell2024.thm_3_3", 2.5, 1000, 5, 0.00001),
                 "5.00001000011333187107889513e-16", 64, "1e-15"));
    CHECK(agrees(add_remove("birrell2024.thm_3_3", 10.9, 0.5, 4, 0.01),
                 "84.5757770759504278420333951408", 64, "1e-15"));
}

TEST_CASE("integer orders below m have no remainder") {
    CHECK(add_remove("birrell2024.log_R_bound", 4, 6, 5, 0.25).upper_text(3) == "-inf");
    CHECK(add_remove("birrell2024.log_R_bound", 2.5, 6, 5, 0).upper_text(3) == "-inf");
    // H itself, whatever m: 1 + q^2 (e^{c^2} - 1) at alpha = 2.
    const Interval exact = log1p(expm1(Interval(0.25, 300)) / 64.0);
    CHECK(overlap(add_remove("birrell2024.thm_3_3", 2, 4, 9, 0.125, 128), exact));
    CHECK(add_remove("birrell2024.thm_3_3", 2.5, 4, 9, 0).is_zero());
}

TEST_CASE("orders that are left out only widen the bound") {
    const double alpha = 30.5;
    const Interval q(0.125, 400);
    const Interval c_squared = fixed_size_shift_squared(8.0, 400);
    const Moments all(c_squared, 32);
    const Interval exact = taylor_bound_excess(alpha, 4, q, all);
    for (const std::size_t kept : {6U, 12U, 20U}) {
        std::vector<bool> matters(33, false);
        std::fill_n(matters.begin(), kept, true);
        const Interval wide = taylor_bound_excess(alpha, 4, q, Moments(c_squared, matters));
        CHECK(mpfr_lessequal_p(wide.lower(), exact.lower()) != 0);
        CHECK(mpfr_greaterequal_p(wide.upper(), exact.upper()) != 0);
    }
}

TEST_CASE("large orders stay affordable where few moments matter") {
    CHECK(add_remove("birrell2024.thm_3_3", 5000.5, 5000, 6, 0.5).relative_width() <= 0x1p-64);
    CHECK(add_remove("birrell2024.thm_3_3", 9999.5, 2, 6, 0.5).relative_width() <= 0x1p-64);
    CHECK(add_remove("birrell2024.thm_3_3", 15, 0.0625, 11, 0.0024).relative_width() <= 0x1p-64);
}
