#include "assay/rdp/with_replacement_bounds.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "assay/numeric/errors.hpp"
#include "assay/rdp/taylor_add_remove.hpp"
#include "test_support/test_support.hpp"

using namespace assay;
using test_support::agrees;

TEST_CASE("q~ at independent 30-digit values", "[with_replacement_bounds]") {
    CHECK(
        agrees(effective_sampling_probability(120, 50000, 3), 0.00239714624409752908055387618191));
    CHECK(agrees(effective_sampling_probability(120, 50000, 120),
                 0.00239714624540627841597721314287));
    CHECK(agrees(effective_sampling_probability(20, 1000, 2), 0.0198100319101604740264651026203));
    // One draw: q~ = 1/dataset.
    CHECK(agrees(effective_sampling_probability(1, 1000000000000, 1), 1e-12, 1e-15));
    // terms = batch: q~ = 1 - (1 - 1/dataset)^batch.
    const real exact = -std::expm1(1e6L * std::log1p(-1.0L / 1e12L));
    CHECK(agrees(effective_sampling_probability(1000000, 1000000000000, 1000000),
                 static_cast<double>(exact)));
}

TEST_CASE("Theorem 3.6 at independent 30-digit values", "[with_replacement_bounds]") {
    CHECK(agrees(theorem_3_6_rdp(2, 6, 4, 120, 50000, 3), 301.626623458594982881328803631));
    CHECK(
        agrees(theorem_3_6_rdp(1.5, 6, 4, 120, 50000, 3), 0.000000508673121044575920988044218336));
    CHECK(agrees(theorem_3_6_rdp(4.5, 6, 4, 20, 20000, 20), 68.6443140232126308898265798215));
    CHECK(
        agrees(theorem_3_6_capped_rdp(4.5, 6, 4, 20, 20000, 20), 45.3824226283358204059286590977));
    CHECK(agrees(theorem_3_6_rdp(2.5, 20, 3, 120, 50000, 5),
                 0.0000000724576016398080471182994037387));
    CHECK(agrees(theorem_3_6_capped_rdp(8, 100, 4, 60, 6000, 4),
                 0.000000160819655507938973069667040777));
}

TEST_CASE("Theorem 3.6 with the exact H at independent 30-digit values",
          "[with_replacement_bounds]") {
    CHECK(agrees(theorem_3_6_exact_h_rdp(2.5, 6, 20, 20000, 20),
                 0.000000147030826000120606602597386042, 1e-10));
    CHECK(agrees(theorem_3_6_exact_h_rdp(1.5, 20, 60, 6000, 60),
                 0.000000757629880302062795506154857335, 1e-10));
}

TEST_CASE("a batch of one is sampling without replacement", "[with_replacement_bounds]") {
    const Enclosure with = theorem_3_6_rdp(3.5, 6, 4, 1, 500, 1);
    const Enclosure without = theorem_3_3_rdp(3.5, 6, 4, 1.0 / 500.0);
    CHECK(with.midpoint() == Approx(without.midpoint()).epsilon(1e-13));
}

TEST_CASE("the capped bounds are ordered", "[with_replacement_bounds]") {
    for (const double order : {1.1, 2.0, 5.5, 20.0})
        for (const double sigma : {0.5, 3.0, 30.0}) {
            const double plain = theorem_3_6_rdp(order, sigma, 4, 30, 3000, 30).upper;
            const double capped = theorem_3_6_capped_rdp(order, sigma, 4, 30, 3000, 30).upper;
            const double exact = theorem_3_6_exact_h_rdp(order, sigma, 30, 3000, 30).lower;
            CHECK(capped <= plain * (1.0 + 1e-12));
            CHECK(exact <= capped * (1.0 + 1e-12));
        }
}

TEST_CASE("Theorem 3.6 in extreme regimes", "[with_replacement_bounds]") {
    constexpr std::int64_t dataset = 1000000000000;
    for (const double order : {1.001, 3.5, 1e4})
        for (const double sigma : {0.05, 6.0, 1e4})
            for (const std::int64_t batch : {1, 120, 20000}) {
                INFO(order << " " << sigma << " " << batch);
                const Enclosure e = theorem_3_6_rdp(order, sigma, 3, batch, dataset, 1);
                CHECK(e.lower > 0.0);
                CHECK(e.lower <= e.upper);
                CHECK(e.relative_width() < 1e-9);
                const std::int64_t terms = std::min<std::int64_t>(batch, 40);
                const Enclosure c = theorem_3_6_capped_rdp(order, sigma, 3, batch, dataset, terms);
                CHECK(c.lower > 0.0);
                CHECK(c.lower <= c.upper);
                CHECK(c.relative_width() < 1e-9);
            }
    // Out of budget: the trivial enclosure, at once.
    const Enclosure vacuous = theorem_3_6_rdp(1e4, 6, 4, 1000000, 1000000000, 1000000);
    CHECK(vacuous.lower == 0.0);
    CHECK(std::isinf(vacuous.upper));
}

TEST_CASE("Theorem 3.6 refuses what it does not cover", "[with_replacement_bounds]") {
    CHECK_THROWS_AS(theorem_3_6_rdp(2, 6, 4, 100, 100, 3), DomainError);
    CHECK_THROWS_AS(theorem_3_6_rdp(2, 6, 4, 10, 100, 11), DomainError);
    CHECK_THROWS_AS(theorem_3_6_rdp(2, 6, 4, 10, 100, 0), DomainError);
    CHECK_THROWS_AS(theorem_3_6_rdp(2, 6, 2, 10, 100, 3), DomainError);
    CHECK_THROWS_AS(theorem_3_6_rdp(1, 6, 4, 10, 100, 3), DomainError);
    CHECK_THROWS_AS(effective_sampling_probability(0, 100, 1), DomainError);
}
