#include "verify/oracles/trapezoid_moment.hpp"

#include <catch2/catch.hpp>
#include <string>

namespace assay::verify::trapezoid {

TEST_CASE("log absolute moments equal values computed with 60 digits", "[oracles]") {
    // Computed independently with 60+ digits (mpmath).
    struct Case {
        double sigma;
        long j;
        const char* value;
    };
    for (const Case& t :
         {Case{6, 1, "-1.3290247051250358617826"}, Case{6, 3, "-2.56966260356642191803214"},
          Case{2, 5, "9.912804924193650127900699"}})
        for (const long bits : {64L, 256L}) {
            const Interval found = log_absolute_moment(t.sigma, t.j, bits);
            CAPTURE(t.sigma, t.j, bits);
            CHECK(abs(found - Interval::decimal(t.value, 300)).upper_double() < 1e-20);
            CHECK(found.relative_width() < 0x1p-64);
        }
}

TEST_CASE("log absolute moments of a small shift are those of a normal variable", "[oracles]") {
    // |X_c - 1| = c|z| (1 + O(c)), E|z|^7 = 48 sqrt(2/pi).
    const double c = 2e-4;
    const Interval leading =
        7.0 * log(Interval(c, 200)) + log(48.0 * sqrt(2.0 / Interval::pi(200)));
    const Interval found = log_absolute_moment(1e4, 7, 64);
    CHECK(found.relative_width() < 0x1p-64);
    CHECK(abs(found - leading).upper_double() < 1e-5);
}

}  // namespace assay::verify::trapezoid
