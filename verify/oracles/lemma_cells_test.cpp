#include "verify/oracles/lemma_cells.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "verify/oracles/published_hockey_stick.hpp"

namespace assay::verify::lemma {

namespace {

struct Distributions {
    std::vector<real> p;
    std::vector<real> q;
};

/// (1-q) N_0 + q N_c against N_0.
Distributions ordered_pair(real c, real q, int count) {
    const Cells cells(-9, c + 9, count);
    Distributions distributions{cells.of(c), cells.of(0)};
    for (std::size_t i = 0; i < distributions.p.size(); ++i)
        distributions.p[i] = q * distributions.p[i] + (1 - q) * distributions.q[i];
    return distributions;
}

real sum_of(const std::vector<real>& distribution) {
    real sum = 0;
    for (const real x : distribution) sum += x;
    return sum;
}

}  // namespace

TEST_CASE("cells carry the whole mass and tails keep their digits", "[verify]") {
    const Cells cells(-3, 5, 17);
    CHECK(std::fabs(sum_of(cells.of(1.3L)) - 1) < 1e-17L);
    CHECK(static_cast<double>(normal_probability(10, 11) * 1e24L) ==
          Approx(7.619661958).epsilon(1e-9));
    CHECK(normal_probability(-11, -10) == normal_probability(10, 11));
}

TEST_CASE("the best union of cells is just below the hockey stick", "[verify]") {
    const double t = GENERATE(0.8, 1.0, 1.1, 3.0);
    const Distributions distributions = ordered_pair(1.5L, 0.1, 2000);
    const double exact = one_step_delta_remove(1.5, 0.1, log(Interval(t, 256)), 64).lower_double();
    const auto lower = static_cast<double>(hockey_stick_lower(distributions.p, distributions.q, t));
    CHECK(lower <= exact);
    CHECK(lower > exact * (1 - 1e-3) - 1e-15);
    const PlaneDistribution p{{1, distributions.p, {1.0L}}};
    const PlaneDistribution q{{1, distributions.q, {1.0L}}};
    CHECK(static_cast<double>(hockey_stick_lower(p, q, t)) == Approx(lower).epsilon(1e-15));
}

TEST_CASE("the profile is the closed form above 1 and its mirror below", "[verify]") {
    const double exact =
        one_step_delta_remove(1.5, 0.1, log(Interval(1.25, 256)), 64).lower_double();
    CHECK(static_cast<double>(dominating_profile(1.5L, 0.1, 1.25L)) ==
          Approx(exact).epsilon(1e-14));
    const real mirrored = 1 - 0.8L + 0.8L * dominating_profile(1.5L, 0.1, 1.25L);
    CHECK(static_cast<double>(dominating_profile(1.5L, 0.1, 0.8L)) ==
          Approx(static_cast<double>(mirrored)).epsilon(1e-14));
}

TEST_CASE("two symmetric pairs: above the quadrature and close to it", "[verify]") {
    // c = 1.5, q = 0.1: 30-digit quadrature of E gamma(ratio), computed independently (mpmath).
    const auto upper = [](real t) {
        return static_cast<double>(dominating_profile_of_two(1.5L, 0.1, t));
    };
    const auto above = [](double value, double exact) {
        CHECK(value >= exact * (1 - 1e-15));
        CHECK(value < exact * (1 + 1e-4));
    };
    above(upper(1.25L), 0.0529852741583988462);
    above(upper(0.75L), 0.28421783071349488666);
    above(upper(2.0L), 0.019951114112296320612);
}

TEST_CASE("ordered products stay below two symmetric pairs", "[verify]") {
    const Distributions distributions = ordered_pair(1.5L, 0.1, 300);
    const real t = 1.25L;
    const real both =
        hockey_stick_lower(PlaneDistribution{{1, distributions.p, distributions.p}},
                           PlaneDistribution{{1, distributions.q, distributions.q}}, t);
    CHECK(both > 0.9L * 0.0498L);
    CHECK(both <= dominating_profile_of_two(1.5L, 0.1, t));
    CHECK(both > hockey_stick_lower(distributions.p, distributions.q, t));
}

TEST_CASE("the power of the mixture is below its quadrature", "[verify]") {
    // order 2.5, q = 0.3, shifts 1 and 1/2 on a line: 1.15615676852891 (mpmath, 30 digits).
    const auto lower = static_cast<double>(mixture_power_lower(2.5, 0.3, 1, 0, 0.5L, 0));
    CHECK(lower <= 1.15615676852892);
    CHECK(lower > 1.15615676852891 * (1 - 1e-3));
}

}  // namespace assay::verify::lemma
