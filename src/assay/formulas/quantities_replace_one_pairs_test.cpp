#include <cmath>

#include "test_support/quantity_value.hpp"
#include "test_support/test_support.hpp"

using namespace assay;
using test_support::quantity_value;

TEST_CASE("pairs under replace-one have their limits and closed forms", "[formulas]") {
    const double sigma = 2.0;
    const double square = 4.0 / (sigma * sigma);
    // Against the base alone the collinear pair is that of fixed-size sampling: a swap of x and y.
    CHECK(quantity_value("exact.replace_one_collinear",
                         {{"alpha", 2.0}, {"sigma", sigma}, {"q", 0.1}, {"x", 1.0}, {"y", 0.0}})
              .upper == Approx(std::log1p(0.01 * std::expm1(square))).epsilon(1e-10));
    CHECK(quantity_value("exact.second_order_coefficient", {{"sigma", sigma}}).upper ==
          Approx(0.5 * std::expm1(square)).epsilon(1e-12));
    CHECK(quantity_value("birrell2024.second_order_coefficient", {{"sigma", sigma}}).upper ==
          Approx(std::exp(square) - std::exp(0.5 * square)).epsilon(1e-12));
    // The attainable triangle is the smaller one.
    CHECK(quantity_value("exact.replace_one_equilateral_attainable",
                         {{"alpha", 4.0}, {"sigma", sigma}, {"q", 0.1}})
              .upper < quantity_value("exact.replace_one_equilateral",
                                      {{"alpha", 4.0}, {"sigma", sigma}, {"q", 0.1}})
                           .lower);
}
