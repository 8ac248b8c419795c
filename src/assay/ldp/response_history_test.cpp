#include "assay/ldp/response_history.hpp"

#include <algorithm>
#include <set>

#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::test_support;

namespace {

CategorySubset random_subset(Random& random, int categories, int size) {
    std::vector<double> keys;
    for (int i = 0; i < categories; ++i) keys.push_back(random.uniform(0.0, 1.0));
    CategorySubset subset(categories);
    subset.rank_by(keys);
    subset.resize(size);
    return subset;
}

struct Told {
    std::set<int> members;
    int response;
};

/// Adds random answers; returns them.
std::vector<Told> fill(ResponseHistory& history, Random& random, int count, int most_members) {
    std::vector<Told> told;
    for (int i = 0; i < count; ++i) {
        const int size = random.integer(0, most_members);
        const CategorySubset subset = random_subset(random, history.categories(), size);
        const int response = random.integer(0, history.categories() - 1);
        history.add(subset, response);
        std::set<int> members;
        for (int m = 0; m < size; ++m) members.insert(subset.member(m));
        told.push_back({members, response});
    }
    return told;
}

std::set<int> members_of(const ResponseHistory& history, std::uint32_t set) {
    std::set<int> members;
    for (int i = 0; i < history.categories(); ++i)
        if ((history.members(set)[static_cast<std::size_t>(i) / 64] >> i % 64 & 1U) != 0)
            members.insert(i);
    return members;
}

}  // namespace

TEST_CASE("a history keeps of each answer what its likelihood needs", "[response_history]") {
    Random random(5101);
    CAPTURE(random.seed());
    for (const int categories : {2, 3, 10, 64, 65, 130}) {
        CAPTURE(categories);
        const RestrictedResponse mechanism{
            .categories = categories, .epsilon = 1.3, .budget_share = 0.7};
        ResponseHistory history(mechanism);
        const std::vector<Told> told =
            fill(history, random, 400 * effort(), std::min(categories - 1, 3));
        REQUIRE(history.size() == static_cast<std::int64_t>(told.size()));
        std::set<std::set<int>> distinct;
        for (std::size_t i = 0; i < told.size(); ++i) {
            const auto& [members, response] = told[i];
            const ResponseHistory::Response kept = history.responses()[i];
            REQUIRE(static_cast<int>(kept.category) == response);
            if (members.empty()) {
                REQUIRE(kept.set == ResponseHistory::empty);
            } else if (members.contains(response)) {
                REQUIRE(kept.set == ResponseHistory::inside);
            } else {
                REQUIRE(kept.set >= ResponseHistory::first_outside);
                REQUIRE(members_of(history, kept.set) == members);
                distinct.insert(members);
            }
        }
        CHECK(history.sets() == ResponseHistory::first_outside + distinct.size());
    }
}

TEST_CASE("the reduced distributions are those of the mechanism up to a factor",
          "[response_history]") {
    Random random(5102);
    CAPTURE(random.seed());
    for (const ResponseVariant variant : {ResponseVariant::theorem, ResponseVariant::as_released})
        for (int trial = 0; trial < 50 * effort(); ++trial) {
            const RestrictedResponse mechanism{.categories = random.integer(2, 70),
                                               .epsilon = random.log_uniform(0.01, 30.0),
                                               .budget_share = random.uniform(0.0, 1.0),
                                               .variant = variant};
            const int size = random.integer(smallest_subset(mechanism), largest_subset(mechanism));
            const CategorySubset subset = random_subset(random, mechanism.categories, size);
            const int y = random.integer(0, mechanism.categories - 1);
            CAPTURE(mechanism.categories, mechanism.epsilon, mechanism.budget_share, size, y);
            ResponseHistory history(mechanism);
            history.add(subset, y);
            const ResponseHistory::Response kept = history.responses().front();
            const ResponseHistory::Distribution distribution = history.distribution(kept.set);
            const ResponseDistribution full = response_distribution(mechanism, size);
            std::vector<double> reduced;
            std::vector<double> dense;
            for (int x = 0; x < mechanism.categories; ++x) {
                const bool member = members_of(history, kept.set).contains(x);
                reduced.push_back((member ? distribution.inside_ratio : 1.0) +
                                  (x == y ? distribution.excess : 0.0));
                dense.push_back(full.probability(subset.contains(y), subset.contains(x), x == y));
            }
            for (std::size_t x = 0; x < dense.size(); ++x)
                CHECK(reduced[x] * dense[0] == Approx(dense[x] * reduced[0]).epsilon(1e-12));
        }
}

TEST_CASE("a history is made again from its answers and sets", "[response_history]") {
    Random random(5103);
    CAPTURE(random.seed());
    const RestrictedResponse mechanism{.categories = 70, .epsilon = 1.0, .budget_share = 0.9};
    ResponseHistory history(mechanism);
    fill(history, random, 500, 2);
    ResponseHistory again(mechanism);
    const std::vector<ResponseHistory::Response> responses(history.responses().begin(),
                                                           history.responses().end());
    again.assign(responses, history.members_outside());
    CHECK(std::ranges::equal(again.responses(), history.responses()));
    CHECK(std::ranges::equal(again.members_outside(), history.members_outside()));
    CHECK(again.sets() == history.sets());
    // It goes on in the same way: a known set keeps its number.
    const CategorySubset subset = random_subset(random, 70, 5);
    history.add(subset, subset.outsider(0));
    again.add(subset, subset.outsider(0));
    again.add(subset, subset.outsider(1));
    CHECK(again.responses().back().set == history.responses().back().set);

    const auto refuses = [&](std::vector<ResponseHistory::Response> answers,
                             std::vector<std::uint64_t> members) {
        ResponseHistory target(mechanism);
        const bool refused_it =
            refused([&] { return target.assign(std::move(answers), members), 0; }) == "responses";
        return refused_it && target.size() == 0;
    };
    CHECK(refuses({{70, 0}}, {}));                          // no category
    CHECK(refuses({{3, 2}}, {}));                           // no set
    CHECK(refuses({{3, 2}}, {8, 0}));                       // the answer is inside
    CHECK(refuses({{3, 2}}, {0, 0}));                       // an empty set
    CHECK(refuses({{3, 2}}, {1, std::uint64_t{1} << 6U}));  // category 71
    CHECK(refuses({{3, 2}}, {1}));                          // half a set
    CHECK(refuses({{3, 2}, {4, 3}}, {1, 0, 1, 0}));         // twice
    CHECK_FALSE(refuses({{3, 2}}, {1, std::uint64_t{1} << 5U}));
}

TEST_CASE("answers that cannot be are refused and change nothing", "[response_history]") {
    ResponseHistory history({.categories = 4,
                             .epsilon = 1.0,
                             .budget_share = 0.5,
                             .variant = ResponseVariant::as_released});
    const std::vector<int> members{0, 1};
    const CategorySubset subset(4, members);
    CHECK(refused([&] { return history.add(subset, 4), 0; }) == "response");
    CHECK(refused([&] { return history.add(subset, -1), 0; }) == "response");
    CHECK(refused([&] { return history.add(CategorySubset(5), 0), 0; }) == "subset");
    CHECK(history.size() == 0);
    history.add(subset, 3);
    CHECK(history.size() == 1);
    ResponseHistory theorem({.categories = 2, .epsilon = 1.0, .budget_share = 0.5});
    const std::vector<int> all{0, 1};
    CHECK(refused([&] { return theorem.add(CategorySubset(2, all), 0), 0; }) == "subset-size");
    CHECK(refused([] { return ResponseHistory({.categories = 2, .epsilon = 0.0}); }) == "epsilon");
}

TEST_CASE("memory grows by 8 bytes an answer and little more a set", "[response_history]") {
    Random random(5104);
    const RestrictedResponse mechanism{.categories = 100, .epsilon = 1.0, .budget_share = 0.8};
    ResponseHistory repeated(mechanism);
    const CategorySubset subset = random_subset(random, 100, 5);
    const int count = 1 << 14;
    for (int i = 0; i < count; ++i) repeated.add(subset, subset.outsider(i % 95));
    CHECK(repeated.bytes() <= 2 * 8 * count + 24 * 100 + 2048);
    ResponseHistory distinct(mechanism);
    for (int i = 0; i < count; ++i) {
        const CategorySubset other = random_subset(random, 100, 5);
        distinct.add(other, other.outsider(0));
    }
    CHECK(distinct.bytes() <= 2 * (8 + 16 + 16) * count + 24 * 100 + 2048);
}
