#include "assay/ldp/grouped_responses.hpp"

#include <algorithm>
#include <map>

#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::test_support;

TEST_CASE("groups count equal answers, however they were taken in", "[grouped_responses]") {
    Random random(5401);
    CAPTURE(random.seed());
    ResponseHistory history({.categories = 12, .epsilon = 1.0, .budget_share = 0.9});
    GroupedResponses often;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> truth;
    for (int i = 0; i < 3000 * effort(); ++i) {
        const std::vector<int> members{random.integer(0, 3), random.integer(4, 6)};
        CategorySubset subset(12, members);
        subset.resize(random.integer(0, 2));
        history.add(subset, random.integer(0, 11));
        const ResponseHistory::Response last = history.responses().back();
        ++truth[{last.set, last.category}];
        if (random.integer(0, 9) == 0) often.absorb(history);
    }
    often.absorb(history);
    GroupedResponses once;
    once.absorb(history);
    REQUIRE(once.groups().size() == truth.size());
    for (const auto& [response, count] : once.groups())
        CHECK(truth.at({response.set, response.category}) == count);
    CHECK(std::equal(once.groups().begin(), once.groups().end(), often.groups().begin(),
                     often.groups().end()));
}
