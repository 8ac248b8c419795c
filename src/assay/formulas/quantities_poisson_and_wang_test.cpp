#include <cmath>

#include "test_support/quantity_value.hpp"
#include "test_support/test_support.hpp"

using namespace assay;
using test_support::quantity_value;

// The written formulas in double precision: a parameter that is passed on in another's place.

TEST_CASE("published bounds of Poisson and general subsampling have their formulas", "[formulas]") {
    const double noise = 3.0;
    const double q = 0.01;
    CHECK(quantity_value("mironov2019.thm_11", {{"alpha", 5.0}, {"s", noise}, {"q", q}}).upper ==
          Approx(2.0 * q * q * 5.0 / (noise * noise)).epsilon(1e-12));
    CHECK(quantity_value("wang2019.upper", {{"alpha", 2.0}, {"sigma", noise}, {"q", q}}).upper ==
          Approx(std::log1p(4.0 * q * q * std::expm1(4.0 / (noise * noise)))).epsilon(1e-12));
    CHECK(quantity_value("mironov2019.fractional_series", {{"alpha", 2.0}, {"s", noise}, {"q", q}})
              .upper ==
          Approx(std::log1p(q * q * std::expm1(1.0 / (noise * noise)))).epsilon(1e-10));
}
