#include "verify/oracles/ulp_error.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "test_support/test_support.hpp"

using namespace assay::verify;
using assay::test_support::infinity;

namespace {

/// The distance of x from 1/3 in the format of x.
template <class Real>
double from_third(Real x) {
    WideNumber third(300);
    mpfr_set_ui(third, 1, MPFR_RNDN);
    mpfr_div_ui(third, third, 3, MPFR_RNDN);
    return error_in_ulp(x, third);
}

}  // namespace

TEST_CASE("an error in units in the last place, in both formats", "[ulp_error]") {
    const double nearest = 1.0 / 3.0;  // 1/3 - 2^-54/3, and the unit is 2^-54
    CHECK(from_third(nearest) == Approx(1.0 / 3.0).epsilon(1e-12));
    CHECK(from_third(std::nextafter(nearest, 1.0)) == Approx(2.0 / 3.0).epsilon(1e-12));
    // As in a double where the number of digits is odd; above 1/3 where it is even.
    const bool is_above = std::numeric_limits<long double>::digits % 2 == 0;
    const long double wide = 1.0L / 3.0L;
    CHECK(from_third(wide) == Approx(1.0 / 3.0).epsilon(1e-12));
    CHECK(from_third(std::nextafter(wide, 1.0L)) ==
          Approx(is_above ? 4.0 / 3.0 : 2.0 / 3.0).epsilon(1e-12));
    CHECK(from_third(std::numeric_limits<double>::quiet_NaN()) == infinity);
}

TEST_CASE("the unit has an end below, and infinity a place", "[ulp_error]") {
    using Limits = std::numeric_limits<double>;
    const WideNumber tiny(Limits::denorm_min(), 64);
    CHECK(error_in_ulp(0.0, tiny) == 1.0);
    CHECK(error_in_ulp(3.0 * Limits::denorm_min(), tiny) == 2.0);
    CHECK(error_in_ulp(0.0, WideNumber(0.0L, 64)) == 0.0);
    const WideNumber largest(Limits::max(), 64);
    CHECK(error_in_ulp(infinity, largest) == 1.0);
    CHECK(error_in_ulp(-infinity, largest) > 1e15);
    WideNumber beyond(64);
    mpfr_set_ui_2exp(beyond, 3, 1024, MPFR_RNDN);
    CHECK(error_in_ulp(infinity, beyond) == 0.0);
    CHECK(error_in_ulp(Limits::max(), beyond) > 1e15);
}

TEST_CASE("an error relative to the exact number", "[ulp_error]") {
    const WideNumber eight(8.0L, 64);
    CHECK(relative_error(WideNumber(9.0L, 64), eight) == 0.125);
    CHECK(relative_error(eight, eight) == 0.0);
    CHECK(relative_error(eight, WideNumber(0.0L, 64)) == infinity);
}
