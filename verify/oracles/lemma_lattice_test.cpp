#include "verify/oracles/lemma_lattice.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

namespace assay::verify::lemma {

TEST_CASE("the diameter counts the origin", "[verify]") {
    CHECK(diameter(shifted(0.5, 3, 4)) == Approx(5.0));
    CHECK(diameter({{0.5L, 1, 0}, {0.5L, -2, 0}}) == Approx(3.0));
    CHECK(diameter({}) == 0);
}

TEST_CASE("the lattice error bound covers a known theta sum", "[verify]") {
    // h sum e^{-(kh)^2/2}/sqrt(2 pi) - 1 = 2 e^{-2 pi^2/h^2} + .. for the normal density.
    const MomentAttack pair{2.0, shifted(0.5, 0.1, 0), {}};
    const auto lattice = lattice_for({pair, 0, 0, 1, 1e-4L, 20});
    REQUIRE(lattice);
    CHECK(lattice->is_line);
    CHECK(lattice->relative_error <= 1e-4L);
    const real h = lattice->step;
    real sum = 0;
    for (long k = lattice->first_x; k <= lattice->last_x; ++k)
        sum += std::exp(-0.5L * h * h * static_cast<real>(k * k));
    const real error = std::fabs(sum * h / std::sqrt(2 * std::numbers::pi_v<real>) - 1);
    CHECK(error >
          0.1L * std::exp(-2 * std::numbers::pi_v<real> * std::numbers::pi_v<real> / (h * h)));
    CHECK(error <= lattice->normal_error);
}

TEST_CASE("the box holds every shift with its margin and powers cost a finer step", "[verify]") {
    const MomentAttack pair{4.0, shifted(0.5, 1, 0.5L), shifted(0.5, -0.5L, 1)};
    const auto plain = lattice_for({pair, 0, 0, 4, 1e-18L, 40});
    const auto steep = lattice_for({pair, 0, 40, 4, 1e-18L, 40});
    REQUIRE(plain);
    REQUIRE(steep);
    CHECK_FALSE(plain->is_line);
    CHECK(static_cast<real>(plain->last_x) * plain->step >= 4 + plain->margin);
    CHECK(static_cast<real>(plain->first_x) * plain->step <= -2 - plain->margin);
    CHECK(plain->margin >= std::sqrt(80.0L));
    CHECK(steep->step < plain->step);
}

TEST_CASE("a lattice without end is refused", "[verify]") {
    const MomentAttack pair{9000.0, shifted(0.5, 30, 0), shifted(0.5, 0, 30)};
    CHECK_FALSE(lattice_for({pair, 0, 8999, 9000, 1e-18L, 40}));
}

}  // namespace assay::verify::lemma
