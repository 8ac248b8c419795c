#include "verify/oracles/lemma_plane.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "verify/oracles/trapezoid_planar.hpp"

namespace assay::verify::lemma {

namespace {

struct Case {
    double order, q, u1, u2, v1, v2;
};

MomentAttack attack_of(const Case& c) {
    return {c.order, shifted(c.q, c.u1, c.u2), shifted(c.q, c.v1, c.v2)};
}

}  // namespace

TEST_CASE("both sides of a planar moment enclose the interval oracle", "[verify]") {
    const Case c = GENERATE(Case{2, 0.01, 0.5, 0.3, -0.2, 0.4}, Case{16, 0.1, 0.3, 0.1, 0.1, -0.2},
                            Case{4.5, 0.5, 1, 0.2, 0.7, 0.9}, Case{1.01, 0.3, 0.2, 0.1, 0.1, -0.1},
                            Case{64, 0.001, 0.1, 0.05, 0, 0.02},
                            Case{2.5, 1e-3, 0.01, 0.02, 0.005, 0.01}, Case{3, 0.2, 1, 0, -0.5, 0});
    const Interval truth =
        planar_replace_one_rdp(c.order, c.q, c.u1, c.u2, c.v1, c.v2, 64) * (c.order - 1);
    const double low = expm1(truth).lower_double();
    const double high = expm1(truth).upper_double();
    const real lower = excess_lower(attack_of(c));
    const real upper = excess_upper(attack_of(c));
    CHECK(lower <= high);
    CHECK(upper >= low);
    CHECK(lower > low * (1 - 1e-11));
    CHECK(upper < high * (1 + 1e-11));
    CHECK(divergence_at_least(attack_of(c)) <=
          planar_replace_one_rdp(c.order, c.q, c.u1, c.u2, c.v1, c.v2, 64).upper_double());
}

TEST_CASE("a mixture of several shifts has its closed second moment", "[verify]") {
    // E[V^2] = sum a_i a_j e^{<mu_i, mu_j>}, Q = 1.
    const Mixture v{{0.3L, 0.5L, 0.2L}, {0.1L, -0.4L, 0.9L}, {0.05L, 1.0L, -0.3L}};
    real moment = 0.55L * 0.55L + 2 * 0.55L * 0.45L;
    for (const Component& a : v)
        for (const Component& b : v)
            moment += a.weight * b.weight * std::exp(a.x * b.x + a.y * b.y);
    const MomentAttack attack{2.0, v, {}};
    CHECK(excess_lower(attack) <= moment - 1);
    CHECK(excess_upper(attack) >= moment - 1);
    CHECK(excess_lower(attack) == Approx(static_cast<double>(moment - 1)).epsilon(1e-11));
}

TEST_CASE("the order of the pair matters and equal distributions have nothing between them",
          "[verify]") {
    const MomentAttack removal{3.0, shifted(0.2, 1, 0), {}};
    const MomentAttack addition{3.0, {}, shifted(0.2, 1, 0)};
    CHECK(excess_lower(removal) > excess_upper(addition));
    const MomentAttack same{3.0, shifted(0.2, 1, 0.5L), shifted(0.2, 1, 0.5L)};
    CHECK(excess_lower(same) <= 0);
    CHECK(divergence_at_least(same) == 0.0);
}

TEST_CASE("where the sum is too dear nothing is claimed", "[verify]") {
    const MomentAttack huge{9000.0, shifted(0.5, 30, 0), shifted(0.5, 0, 30)};
    CHECK(excess_lower(huge) == -1);
    CHECK(std::isinf(excess_upper(huge)));
    CHECK(divergence_at_least(huge) == 0.0);
}

}  // namespace assay::verify::lemma
