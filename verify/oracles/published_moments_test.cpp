#include "verify/oracles/published_moments.hpp"

#include "verify/oracles/integer_order_expect.hpp"
#include "verify/oracles/integer_order_refine.hpp"

using namespace assay::verify;

namespace {

Interval moment_bound(std::string_view quantity, const Point& point, long bits = 64) {
    return oracle_named(published_moment_oracles(), quantity).evaluate(point, bits);
}

}  // namespace

TEST_CASE("moments agree with their integrals") {
    // The trapezoid rule, computed independently with 60+ digits (mpmath).
    for (const long bits : {64, 256}) {
        CHECK(agrees(moment_bound("birrell2024.log_M", {{"sigma", 4}, {"k", 5}}, bits),
                     "0.74374267046324585156884398684945", bits));
        CHECK(agrees(moment_bound("birrell2024.log_M", {{"sigma", 32}, {"k", 6}}, bits),
                     "-13.837523061136031353431657338169", bits));
        CHECK(agrees(moment_bound("birrell2024.log_M", {{"sigma", 1}, {"k", 4}}, bits),
                     "23.999975435102539762382595132743", bits));
        CHECK(agrees(moment_bound("birrell2024.log_B_tilde", {{"sigma", 4}, {"j", 5}}, bits),
                     "0.90848768614388549646104296090434", bits));
        CHECK(agrees(moment_bound("exact.log_absolute_moment", {{"sigma", 4}, {"j", 3}}, bits),
                     "-1.0406502855353765596649512480056", bits));
    }
}

TEST_CASE("orders with much cancellation agree with shared values") {
    // Computed independently with 60+ digits (mpmath), 25 digits kept.
    CHECK(agrees(moment_bound("birrell2024.log_M", {{"sigma", 20}, {"k", 22}}),
                 "-22.47927740607366948599577", 64, "1e-24"));
    CHECK(agrees(moment_bound("birrell2024.log_B_tilde", {{"sigma", 50}, {"j", 64}}),
                 "-94.42151343093962303284227", 64, "1e-24"));
    CHECK(agrees(moment_bound("exact.log_absolute_moment", {{"sigma", 100}, {"j", 7}}),
                 "-23.72352468406603277815635", 64, "1e-24"));
}

TEST_CASE("the first moments are what they are by definition") {
    CHECK(moment_bound("birrell2024.log_M", {{"sigma", 3}, {"k", 0}}).is_zero());
    CHECK(moment_bound("birrell2024.log_M", {{"sigma", 3}, {"k", 1}}).upper_text(3) == "-inf");
    CHECK(moment_bound("birrell2024.log_B_tilde", {{"sigma", 3}, {"j", 0}}).is_zero());
}

TEST_CASE("the table and the single sums give the same moments") {
    // sigma = 1: the single sums are short; sigma = 30: the table is used.
    for (const double sigma : {1.0, 6.0, 30.0}) {
        const Interval c_squared = fixed_size_shift_squared(sigma, 1500);
        const Moments moments(c_squared, 41);
        const auto exponentials = lognormal_moments(c_squared, 41);
        for (const long k : {2, 3, 17, 40}) {
            CAPTURE(sigma, k);
            const Interval single = alternating_sum(exponentials, k, 0.0);  // every term
            CHECK(overlap(moments.moment(k), single));
            CHECK(moments.moment(k).relative_width() < 1e-100);
        }
    }
}

TEST_CASE("moments that do not matter are bounded from both sides") {
    const Interval c_squared = fixed_size_shift_squared(20.0, 400);
    const Moments exact(c_squared, 30);
    const Moments bounded(c_squared, std::vector<bool>(31, false));
    for (const long k : {2, 5, 8, 30}) {
        CAPTURE(k);
        CHECK(overlap(exact.moment(k), bounded.moment(k)));
        CHECK(mpfr_lessequal_p(bounded.moment(k).lower(), exact.moment(k).lower()) != 0);
        CHECK(mpfr_greaterequal_p(bounded.moment(k).upper(), exact.moment(k).upper()) != 0);
    }
    // (c^2 k + c sqrt k)^k is what makes the bound at k = 8 small.
    CHECK(bounded.moment(8).upper_double() < 1e-2);
}

TEST_CASE("few digits leave a moment wide and never negative") {
    const Moments moments(fixed_size_shift_squared(1000.0, 64), 12);
    CHECK(moments.moment(12).is_nonnegative());
    CHECK(
        overlap(moments.moment(12), Moments(fixed_size_shift_squared(1000.0, 600), 12).moment(12)));
}

TEST_CASE("orders far out of reach are refused") {
    const Interval answer = moment_bound("birrell2024.log_M", {{"sigma", 1e4}, {"k", 1e6}});
    CHECK_FALSE(answer.is_finite());
}
