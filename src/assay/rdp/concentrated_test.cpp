#include "assay/rdp/concentrated.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "assay/rdp/one_step.hpp"

using namespace assay;

TEST_CASE("tCDP sees amplification, zCDP does not", "[concentrated]") {
    const Mechanism sampled =
        SampledGaussian{.noise_multiplier = 4.0, .sampling_probability = 0.01};
    const Mechanism plain = Gaussian{.noise_multiplier = 4.0};
    // rho of the Gaussian mechanism is 1/(2 s^2) (bun2016 Proposition 1.6).
    CHECK(zcdp_rho(plain, Adjacency::add_remove).value == Approx(1.0 / 32.0).epsilon(1e-14));
    CHECK(zcdp_rho(sampled, Adjacency::add_remove).value == Approx(1.0 / 32.0).epsilon(1e-14));
    CHECK(zcdp_rho(plain, Adjacency::replace_one).value == Approx(4.0 / 32.0).epsilon(1e-14));
    // mironov2019 Theorem 11: D_a <= 2 q^2 a / s^2 up to order 22 at these parameters.
    const Bound truncated = tcdp_rho(sampled, Adjacency::add_remove, 20.0);
    CHECK(truncated.value <= 2.0 * 1e-4 / 16.0);
    CHECK(truncated.value < 0.01 * zcdp_rho(sampled, Adjacency::add_remove).value);
}

TEST_CASE("tCDP's rho is above D_a / a at every order it covers", "[concentrated]") {
    const Mechanism m = FixedSizeGaussian{.noise_multiplier = 1.0, .sampling_probability = 0.05};
    constexpr double omega = 40.0;
    const double rho = tcdp_rho(m, Adjacency::replace_one, omega).value;
    double largest = 0.0;
    for (double order = 1.01; order < omega; order *= 1.013)
        largest = std::max(largest, exact_rdp(m, Adjacency::replace_one, order).lower / order);
    CHECK(rho >= largest);
    CHECK(rho <= 1.06 * largest);
}

TEST_CASE("rho covers the orders between two grid points too", "[concentrated]") {
    // D_a / a of fixed-size sampling with replacement rises steeply where the full batch takes
    // over, so its supremum below omega lies at the end of a piece, where D is read.
    const Mechanism m = FixedSizeWithReplacementGaussian{
        .noise_multiplier = 2.0, .batch_size = 4, .dataset_size = 100};
    for (const double omega : {1.2, 1.05, 6.0}) {
        const double rho = tcdp_rho(m, Adjacency::add_remove, omega).value;
        for (const double share : {0.001, 0.3, 0.7, 0.999}) {
            const double order = 1.0 + share * (omega - 1.0);
            CHECK(rho * order >= exact_rdp(m, Adjacency::add_remove, order).upper);
        }
    }
    // The plain Gaussian has D_a / a = 2/s^2 at every order: its first piece starts at order 1, and
    // D there is read at its end, up to 5 % above.
    const Mechanism plain = Gaussian{.noise_multiplier = 3.0};
    const double rho = tcdp_rho(plain, Adjacency::replace_one, 1.04).value;
    CHECK(rho == Approx(1.04 * 2.0 / 9.0).epsilon(1e-12));
}

TEST_CASE("nothing released needs no rho, bad omegas are refused", "[concentrated]") {
    const Mechanism none = SampledGaussian{.noise_multiplier = 4.0, .sampling_probability = 0.0};
    CHECK(zcdp_rho(none, Adjacency::add_remove).value == 0.0);
    CHECK(tcdp_rho(none, Adjacency::add_remove, 8.0).value == 0.0);
    CHECK_THROWS(tcdp_rho(none, Adjacency::add_remove, 1.0));
    CHECK_THROWS(tcdp_rho(none, Adjacency::add_remove, std::nan("")));
}
