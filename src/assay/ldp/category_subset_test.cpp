#include "assay/ldp/category_subset.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "test_support/test_support.hpp"

namespace assay {
namespace {

using test_support::Random;
using test_support::refused;

/// Members, outsiders, ranks and membership tell the same story, and every category is there once.
void check_consistent(const CategorySubset& subset) {
    REQUIRE(subset.size() + subset.outside() == subset.categories());
    std::vector<int> seen;
    for (int i = 0; i < subset.size(); ++i) {
        seen.push_back(subset.member(i));
        CHECK(subset.contains(seen.back()));
        CHECK(subset.rank(seen.back()) == i);
    }
    for (int i = 0; i < subset.outside(); ++i) {
        seen.push_back(subset.outsider(i));
        CHECK(!subset.contains(seen.back()));
        CHECK(subset.rank(seen.back()) == subset.size() + i);
    }
    CHECK(std::equal(seen.begin(), seen.end(), subset.order().begin(), subset.order().end()));
    std::sort(seen.begin(), seen.end());
    for (int x = 0; x < subset.categories(); ++x) CHECK(seen[static_cast<std::size_t>(x)] == x);
}

std::vector<int> sorted_order(const std::vector<double>& probability) {
    std::vector<int> order(probability.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
        return probability[static_cast<std::size_t>(a)] > probability[static_cast<std::size_t>(b)];
    });
    return order;
}

}  // namespace

TEST_CASE("a subset starts empty, in the order of the categories", "[category-subset]") {
    const CategorySubset subset(4);
    check_consistent(subset);
    CHECK(subset.size() == 0);
    CHECK(subset.outsider(2) == 2);
}

TEST_CASE("a subset holds the members it is given, in their order", "[category-subset]") {
    const CategorySubset subset(6, std::vector<int>{4, 0, 3});
    check_consistent(subset);
    CHECK(subset.size() == 3);
    CHECK(subset.member(0) == 4);
    CHECK(subset.member(2) == 3);
    CHECK(subset.outsider(0) == 1);
    CHECK(subset.outsider(2) == 5);
    check_consistent(CategorySubset(1, std::vector<int>{0}));
    CHECK(CategorySubset(3, std::vector<int>{2, 1, 0}).outside() == 0);
}

TEST_CASE("ranking is a stable sort whatever the order was", "[category-subset]") {
    Random random(71);
    CAPTURE(random.seed());
    for (const int categories : {1, 2, 7, 20, 32, 33, 500}) {
        CategorySubset subset(categories);
        std::vector<double> probability(static_cast<std::size_t>(categories));
        for (int round = 0; round < 12; ++round) {
            // Rounds of new numbers, of numbers with many ties, and of small changes.
            for (double& p : probability) {
                if (round % 4 == 0) p = random.uniform(0.0, 1.0);
                if (round % 4 == 1) p = random.integer(0, 3);
                if (round % 4 == 3) p += random.uniform(0.0, 1e-3);
            }
            if (round % 4 == 2) std::reverse(probability.begin(), probability.end());
            subset.resize(random.integer(0, categories));
            const int size = subset.size();
            subset.rank_by(probability);
            CAPTURE(categories, round);
            CHECK(subset.size() == size);
            const std::vector<int> expected = sorted_order(probability);
            CHECK(std::equal(expected.begin(), expected.end(), subset.order().begin(),
                             subset.order().end()));
            if (categories <= 33) check_consistent(subset);
        }
    }
}

TEST_CASE("ranking takes zeros of both signs and infinities", "[category-subset]") {
    CategorySubset subset(4);
    subset.rank_by(std::vector<double>{-0.0, 0.0, INFINITY, -INFINITY});
    const std::vector<int> expected{2, 0, 1, 3};
    CHECK(std::equal(expected.begin(), expected.end(), subset.order().begin()));
}

TEST_CASE("a million categories in reverse are ranked", "[category-subset]") {
    CategorySubset subset(1'000'000);
    std::vector<double> probability(1'000'000);
    std::iota(probability.begin(), probability.end(), 0.0);
    subset.rank_by(probability);
    subset.resize(10);
    CHECK(subset.member(0) == 999'999);
    CHECK(subset.contains(999'990));
    CHECK(!subset.contains(999'989));
    CHECK(subset.outsider(subset.outside() - 1) == 0);
}

TEST_CASE("a subset refuses what is no set of categories", "[category-subset]") {
    CHECK(refused([] { return CategorySubset(0); }) == "categories");
    CHECK(refused([] { return CategorySubset(1'000'001); }) == "categories");
    for (const auto& members : std::vector<std::vector<int>>{{3}, {-1}, {0, 1, 0}})
        CHECK(refused([&] { return CategorySubset(3, members); }) == "subset");
    CategorySubset subset(3);
    const auto refuses_size = [&](int size) {
        return refused([&] { return subset.resize(size), 0; }) == "subset-size";
    };
    CHECK(refuses_size(-1));
    CHECK(refuses_size(4));
    CHECK(!refuses_size(3));
    const auto refuses_ranking = [&](const std::vector<double>& probability) {
        return refused([&] { return subset.rank_by(probability), 0; }) == "probabilities";
    };
    CHECK(refuses_ranking({0.5, 0.5}));
    CHECK(refuses_ranking({0.5, std::nan(""), 0.5}));
    check_consistent(subset);
}

}  // namespace assay
