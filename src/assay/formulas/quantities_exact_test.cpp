#include <cmath>
#include <string>

#include "test_support/quantity_value.hpp"
#include "test_support/test_support.hpp"

using namespace assay;
using test_support::quantity_value;

// Closed forms at order 2: a parameter that is passed on in another's place, or another sampler's
// shift.

TEST_CASE("exact divergences have their closed forms at order 2", "[formulas]") {
    const double noise = 1.7;
    const double q = 0.02;
    const auto closed = [&](double shift) { return std::log1p(q * q * std::expm1(shift * shift)); };
    CHECK(quantity_value("exact.poisson_add_remove", {{"alpha", 2.0}, {"s", noise}, {"q", q}})
              .upper == Approx(closed(1.0 / noise)).epsilon(1e-10));
    CHECK(quantity_value("exact.fixed_size_without_replacement",
                         {{"alpha", 2.0}, {"sigma", noise}, {"q", q}})
              .upper == Approx(closed(2.0 / noise)).epsilon(1e-10));
    // One draw of 50 records is q = 1/50.
    CHECK(quantity_value("exact.fixed_size_with_replacement",
                         {{"alpha", 2.0}, {"sigma", noise}, {"B", 1.0}, {"D", 50.0}})
              .upper == Approx(closed(2.0 / noise)).epsilon(1e-10));
}

TEST_CASE("both directions of an exact divergence are apart", "[formulas]") {
    for (const char* name : {"exact.poisson_add_remove", "exact.fixed_size_without_replacement"}) {
        const char* noise = name[6] == 'p' ? "s" : "sigma";
        const Enclosure removal = quantity_value(name, {{"alpha", 8.0}, {noise, 1.0}, {"q", 0.1}});
        const Enclosure addition = quantity_value(std::string(name) + "_reverse",
                                                  {{"alpha", 8.0}, {noise, 1.0}, {"q", 0.1}});
        CHECK(addition.upper < removal.lower);
    }
}
