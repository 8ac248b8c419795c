#include "assay/account/compare.hpp"

#include <catch2/catch.hpp>

#include "assay/account/account.hpp"
#include "assay/numeric/errors.hpp"

namespace assay {

TEST_CASE("six samplers are compared, each under an adjacency that a theorem covers", "[compare]") {
    const TrainingRun run{10'000, 100, 2};
    const auto rows = compare_epsilon(run, Adjacency::add_remove, 1.0, 1e-5);
    REQUIRE(rows.size() == 6);
    for (const ComparedSampler& row : rows) {
        REQUIRE(row.epsilon.has_value());
        const Bracket direct = epsilon(row.release, 1e-5);
        CHECK(row.epsilon->upper.value == direct.upper.value);
        CHECK(row.epsilon->lower.value == direct.lower.value);
    }
    CHECK(rows[0].is_wanted_adjacency);
    CHECK_FALSE(rows[3].is_wanted_adjacency);
    CHECK(rows[3].release.adjacency == Adjacency::zero_out);
    // Shuffled batches are no worse than deterministic ones, and no better bound is known.
    CHECK(rows[4].epsilon->upper.value == rows[5].epsilon->upper.value);
    CHECK(rows[3].epsilon->upper.value < rows[4].epsilon->upper.value);
}

TEST_CASE("the noise of each sampler is enough", "[compare]") {
    const auto rows =
        compare_noise({10'000, 100, 1}, Adjacency::add_remove, PrivacyTarget{2.0, 1e-5}, 0.05);
    REQUIRE(rows.size() == 6);
    for (const ComparedSampler& row : rows) {
        REQUIRE(row.noise.has_value());
        CHECK(row.noise->sufficient > 0.0);
        CHECK(delta(row.release, 2.0).lower.value <= 1e-5);
    }
    CHECK(rows[0].noise->sufficient < rows[5].noise->sufficient);
    CHECK_THROWS_AS(compare_epsilon({10, 10, 1}, Adjacency::zero_out, 1.0, 1e-5), DomainError);
}

}  // namespace assay
