#include "verify/oracles/lemma_interpolation.hpp"

#include <catch2/catch.hpp>
#include <cmath>

namespace assay::verify::lemma {

TEST_CASE("brackets of a pair on one axis agree with mpmath", "[verify]") {
    // q = 0.3, u = 0.5, v = -0.2, order 2.5: quadrature with 60+ digits (mpmath), computed
    // independently.
    const Brackets x = interpolation_brackets(2.5, 0.3, 0.5L, 0, -0.2L, 0);
    const auto holds = [](const Range& range, real value) {
        CHECK(range.lower <= value * (1 + 1e-18L));
        CHECK(range.upper >= value * (1 - 1e-18L));
        CHECK(range.upper - range.lower < 1e-13L * value);
    };
    holds(x.pp, 0.13834392560182956262971L);
    holds(x.ps, 0.0970880913492479496284005L);
    holds(x.ss, 0.0860811959482176507912881L);
}

TEST_CASE("turning the plane leaves the brackets as they are", "[verify]") {
    const real s = 0.6L;
    const real c = 0.8L;
    const Brackets a = interpolation_brackets(3.0, 0.1, 0.7L, 0.1L, -0.2L, 0.5L);
    const Brackets b = interpolation_brackets(3.0, 0.1, c * 0.7L - s * 0.1L, s * 0.7L + c * 0.1L,
                                              -c * 0.2L - s * 0.5L, -s * 0.2L + c * 0.5L);
    CHECK(a.pp.lower <= b.pp.upper);
    CHECK(b.pp.lower <= a.pp.upper);
    CHECK(a.ps.lower <= b.ps.upper);
    CHECK(b.ps.lower <= a.ps.upper);
    CHECK(a.ss.lower <= b.ss.upper);
    CHECK(b.ss.lower <= a.ss.upper);
}

TEST_CASE("ranges subtract and scale outward", "[verify]") {
    const Range a{1, 2};
    const Range b{0.25L, 0.5L};
    CHECK((a - b).lower == 0.5L);
    CHECK((a - b).upper == 1.75L);
    CHECK((a + b).upper == 2.5L);
    CHECK((-2 * a).lower == -4);
    CHECK((-2 * a).upper == -2);
}

}  // namespace assay::verify::lemma
