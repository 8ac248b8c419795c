#include "verify/oracles/published_replace_one.hpp"

#include "verify/oracles/integer_order_expect.hpp"

using namespace assay::verify;

namespace {

Interval replace_one(std::string_view quantity, const Point& point, long bits = 64) {
    return oracle_named(published_replace_one_oracles(), quantity).evaluate(point, bits);
}

Point replaced_point(double alpha, double sigma, double m, double q) {
    return {{"alpha", alpha}, {"sigma", sigma}, {"m", m}, {"q", q}};
}

}  // namespace

// Truth: the same formulas with the moments as integrals (trapezoid rule), computed independently
// with 60+ digits (mpmath).

TEST_CASE("the coefficient bounds of even and odd order agree with an independent evaluation") {
    CHECK(agrees(replace_one("birrell2024.log_F_tilde", {{"alpha", 2.5}, {"sigma", 4}, {"k", 3}}),
                 "3.1293465103032510151981249128593"));
    CHECK(agrees(replace_one("birrell2024.log_F_tilde", {{"alpha", 2.5}, {"sigma", 4}, {"k", 4}}),
                 "5.4675861736596536601138193940139"));
}

TEST_CASE("the remainder bound under replace-one agrees with an independent evaluation") {
    CHECK(agrees(replace_one("birrell2024.log_E_tilde", replaced_point(2.5, 4, 4, 0.125)),
                 "-4.8193896145681171241126794372652"));
    CHECK(agrees(replace_one("birrell2024.log_E_tilde", replaced_point(3, 4, 5, 0.125)),
                 "-4.4111108257298582012148772415288"));
    CHECK(replace_one("birrell2024.log_E_tilde", replaced_point(3, 4, 5, 0)).upper_text(3) ==
          "-inf");
}

TEST_CASE("Theorem 3.4 agrees with an independent evaluation") {
    for (const long bits : {64, 256}) {
        CHECK(agrees(replace_one("birrell2024.thm_3_4", replaced_point(2.5, 4, 4, 0.125), bits),
                     "0.016040959982632734262285824966002", bits));
        CHECK(agrees(replace_one("birrell2024.thm_3_4", replaced_point(6.5, 8, 5, 0.0625), bits),
                     "0.0010960695830212223649663846337539", bits));
    }
    CHECK(replace_one("birrell2024.thm_3_4", replaced_point(2.5, 4, 4, 0)).is_zero());
}

TEST_CASE("Theorem C.9 as printed and repaired agree with an independent evaluation") {
    CHECK(agrees(replace_one("birrell2024.thm_c_9_as_printed", replaced_point(2.5, 4, 5, 0.125)),
                 "0.0052833308432495971416975669969622"));
    CHECK(agrees(replace_one("birrell2024.thm_c_9_repaired", replaced_point(2.5, 4, 5, 0.125)),
                 "0.0071906091526466012143660482250087"));
}

TEST_CASE("many Taylor terms agree with shared values at decimal parameters") {
    // Computed independently with 60+ digits (mpmath); q is not a double there.
    CHECK(agrees(replace_one("birrell2024.thm_3_4", replaced_point(60.5, 20, 24, 0.2)),
                 "0.270345132399903936668967817661", 64, "1e-15"));
    CHECK(agrees(replace_one("birrell2024.thm_c_9_as_printed", replaced_point(60.5, 20, 60, 0.3)),
                 "0.0238299264962036751840590508613", 64, "1e-15"));
    CHECK(agrees(replace_one("birrell2024.log_F_tilde", {{"alpha", 10.9}, {"sigma", 20}, {"k", 7}}),
                 "8.664696975033657060370763", 64, "1e-15"));
}

TEST_CASE("the two second-order coefficients agree with shared values") {
    // Computed independently with 60+ digits (mpmath).
    CHECK(agrees(replace_one("birrell2024.second_order_coefficient", {{"sigma", 1}}),
                 "47.2090939342135888508798337423"));
    CHECK(agrees(replace_one("exact.second_order_coefficient", {{"sigma", 100}}),
                 "0.000200040005333866709336177940326"));
}

TEST_CASE("extreme points of Theorem 3.4 stay narrow") {
    CHECK(
        replace_one("birrell2024.thm_3_4", replaced_point(4000.5, 2000, 6, 0.5)).relative_width() <=
        0x1p-64);
    CHECK(replace_one("birrell2024.thm_3_4", replaced_point(300, 0.125, 15, 0.9995))
              .relative_width() <= 0x1p-64);
    CHECK(replace_one("birrell2024.thm_3_4", replaced_point(1 + 1e-6, 1e4, 64, 1e-9))
              .relative_width() <= 0x1p-64);
}
