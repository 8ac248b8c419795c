#include "verify/oracles/batch_distributions.hpp"

#include <catch2/catch.hpp>

#include "verify/oracles/integer_order_expect.hpp"

using namespace assay::verify;

TEST_CASE("a fixed size gives the hypergeometric distribution") {
    // 3 of 5 examples, 2 of them marked: C(2,k) C(3,3-k) / 10.
    const std::vector<Interval> members = members_of_subset(constant_size(5, 3, 96), 2);
    CHECK(agrees(members[0], "0.1"));
    CHECK(agrees(members[1], "0.6"));
    CHECK(agrees(members[2], "0.3"));
}

TEST_CASE("a binomial size gives independent examples") {
    const std::vector<Interval> sizes = binomial_sizes({6, 1.0, 4.0}, 96);
    const std::vector<Interval> members = members_of_subset(sizes, 2);
    CHECK(agrees(members[0], "0.5625"));
    CHECK(agrees(members[1], "0.375"));
    CHECK(agrees(members[2], "0.0625"));
    for (const Interval& p : sizes) CHECK(p.is_positive());
}

TEST_CASE("cut sizes keep their total, and cut examples fewer") {
    // Bin(2, 1/2) cut at 1: 1/4, 3/4; an example stays with probability 3/8.
    const std::vector<Interval> sizes = cut_sizes(binomial_sizes({2, 0.5, 1.0}, 96), 1);
    CHECK(agrees(sizes[0], "0.25"));
    CHECK(agrees(sizes[1], "0.75"));
    CHECK(sizes[2].is_zero());
    CHECK(agrees(members_of_subset(sizes, 1)[1], "0.375"));
}

TEST_CASE("draws with replacement repeat") {
    const std::vector<Interval> members = members_of_draws(4, 2, 1, 96);
    CHECK(members.size() == 3);
    CHECK(agrees(members[2], "0.0625"));
    CHECK(agrees(members[0], "0.5625"));
}
