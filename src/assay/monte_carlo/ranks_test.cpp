#include "assay/monte_carlo/ranks.hpp"

#include "test_support/test_support.hpp"

using namespace assay;

TEST_CASE("one process has nobody to hear from", "[parallel]") {
    SingleRank alone;
    CHECK(alone.index() == 0);
    CHECK(alone.count() == 1);
    std::vector<std::uint64_t> values{3, 4};
    alone.share(values);
    CHECK(values == std::vector<std::uint64_t>{3, 4});
    alone.send({1.0});
    CHECK_FALSE(alone.receive().has_value());
    CHECK_NOTHROW(alone.abort("reason"));
}
