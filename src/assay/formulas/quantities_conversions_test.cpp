#include <cmath>

#include "test_support/quantity_value.hpp"
#include "test_support/test_support.hpp"

using namespace assay;
using test_support::quantity_value;

// The written formulas in double precision: a parameter that is passed on in another's place.

TEST_CASE("conversions are evaluated at their own parameters", "[formulas]") {
    const double alpha = 8.0;
    const double rdp = 0.3;
    const double delta = 1e-5;
    const double balle =
        rdp - (std::log(delta) + std::log(alpha)) / (alpha - 1) + std::log((alpha - 1) / alpha);
    CHECK(quantity_value("convert.mironov2017_prop_3",
                         {{"alpha", alpha}, {"rdp", rdp}, {"delta", delta}})
              .lower == Approx(rdp - std::log(delta) / (alpha - 1)).epsilon(1e-12));
    for (const char* name : {"convert.balle2020_thm_21", "convert.canonne2020"})
        CHECK(quantity_value(name, {{"alpha", alpha}, {"rdp", rdp}, {"delta", delta}}).upper ==
              Approx(balle).epsilon(1e-12));
    const double epsilon = 2.0;
    CHECK(quantity_value("convert.canonne2020_delta",
                         {{"alpha", alpha}, {"rdp", rdp}, {"eps", epsilon}})
              .upper ==
          Approx(std::exp((alpha - 1) * (rdp - epsilon + std::log1p(-1 / alpha))) / alpha)
              .epsilon(1e-12));
}
