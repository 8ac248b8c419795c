#include "experiments/birrell2024/variance_claims.hpp"

#include <catch2/catch.hpp>

#include "assay/numeric/errors.hpp"

using namespace assay;
using namespace assay::experiments::birrell2024;

TEST_CASE("the statements on variances are decided alike for other populations", "[birrell2024]") {
    const Setting setting{.sigma = 6.0, .batch = 120, .dataset = 50000, .q = 0.0024};
    for (const std::vector<double>& population :
         {std::vector{3.0, 1.0, 4.0, 1.0, 5.0, 9.0}, std::vector{-2.0, -7.0, -1.0, -8.0}}) {
        const auto claims = variance_claims(population, setting);
        REQUIRE(claims.size() == 6);
        for (const Claim& claim : claims) {
            INFO(claim.id);
            const bool wrong = claim.id == "birrell2024-appendix-f-with-replacement-larger" ||
                               claim.id == "birrell2024-sec4.1-range-of-batch";
            CHECK(claim.verdict == (wrong ? Verdict::differs : Verdict::reproduced));
        }
    }
    CHECK_THROWS_AS(variance_claims(std::vector{1.0, 2.0}, setting), DomainError);
}
