#include <catch2/catch.hpp>
#include <set>
#include <string>

#include "verify/oracles/oracle.hpp"

using namespace assay::verify;

TEST_CASE("the finite sums at integer orders are listed") {
    std::multiset<std::string> quantities;
    for (const Oracle& oracle : integer_order_oracles()) {
        quantities.insert(std::string(oracle.quantity));
        CHECK_FALSE(oracle.method.empty());
        CHECK(oracle.evaluate != nullptr);
    }
    CHECK(quantities == std::multiset<std::string>{
                            "exact.fixed_size_with_replacement",
                            "exact.fixed_size_with_replacement",
                            "exact.fixed_size_without_replacement", "exact.balls_and_bins_rdp",
                            "exact.poisson_add_remove", "birrell2024.thm_3_7",
                            "birrell2024.thm_3_7", "mironov2019.fractional_series"});
}
