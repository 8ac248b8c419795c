#include "assay/datasets/split.hpp"

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <map>
#include <utility>

#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::test_support;

namespace {

/// Example i has value i, category i and label i mod 2.
Dataset numbered(std::int32_t count) {
    Dataset data{
        "numbered", {.image = {}, .values = 2, .categories = {count}, .classes = 2}, {}, {}, {}};
    for (std::int32_t i = 0; i < count; ++i) {
        data.values.insert(data.values.end(), {static_cast<float>(i), -static_cast<float>(i)});
        data.categories.push_back(i);
        data.labels.push_back(i % 2);
    }
    return data;
}

/// The numbers of the examples of a part, each checked to be whole.
std::vector<std::int32_t> numbers(const Dataset& part) {
    for (std::int64_t i = 0; i < part.size(); ++i) {
        const std::int32_t number = part.categories_of(i)[0];
        REQUIRE(part.values_of(i)[0] == static_cast<float>(number));
        REQUIRE(part.values_of(i)[1] == -static_cast<float>(number));
        REQUIRE(part.labels[static_cast<std::size_t>(i)] == number % 2);
    }
    CHECK(part.name == "numbered");
    return part.categories;
}

std::vector<std::int32_t> range(std::int32_t first, std::int32_t last) {
    std::vector<std::int32_t> all;
    for (std::int32_t i = first; i < last; ++i) all.push_back(i);
    return all;
}

std::string refusal(std::int32_t count, const HeldOut& held_out) {
    const std::string by_time = refused([&] { return split_by_time(numbered(count), held_out); });
    CHECK(refused([&] { return split_at_random(numbered(count), held_out, 0); }) == by_time);
    return by_time;
}

}  // namespace

TEST_CASE("a split by time holds out the last examples in order", "[dpsgd][data]") {
    const DataSplit split = split_by_time(numbered(103), {.validation = 0.1, .test = 0.1});
    CHECK(numbers(split.training) == range(0, 83));
    CHECK(numbers(split.validation) == range(83, 93));
    CHECK(numbers(split.test) == range(93, 103));
    CHECK_NOTHROW(validate(split.training));

    const DataSplit two = split_by_time(numbered(10), {.validation = 0.0, .test = 0.25});
    CHECK(numbers(two.training) == range(0, 7));
    CHECK(two.validation.size() == 0);
    CHECK(two.validation.shape == two.test.shape);
    CHECK(numbers(two.test) == range(7, 10));
}

TEST_CASE("a split at random is a partition in order, decided by its seed", "[dpsgd][data]") {
    const HeldOut held_out{.validation = 0.1, .test = 0.2};
    const DataSplit split = split_at_random(numbered(1000), held_out, 7);
    auto all = numbers(split.training);
    for (const Dataset* part : {&split.validation, &split.test}) {
        const auto more = numbers(*part);
        CHECK(std::is_sorted(more.begin(), more.end()));
        all.insert(all.end(), more.begin(), more.end());
    }
    CHECK(split.training.size() == 700);
    CHECK(split.validation.size() == 100);
    CHECK(split.test.size() == 200);
    std::sort(all.begin(), all.end());
    CHECK(all == range(0, 1000));

    CHECK(split_at_random(numbered(1000), held_out, 7).test.labels == split.test.labels);
    CHECK(split_at_random(numbered(1000), held_out, 7).test.categories == split.test.categories);
    CHECK(split_at_random(numbered(1000), held_out, 8).test.categories != split.test.categories);
}

TEST_CASE("every division into parts of the sizes is equally likely", "[dpsgd][data]") {
    // Five examples into 2, 1 and 2: 30 divisions.
    std::map<std::pair<std::vector<std::int32_t>, std::vector<std::int32_t>>, int> counts;
    const std::uint64_t seeds = 30'000ULL * static_cast<std::uint64_t>(effort());
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        const DataSplit split =
            split_at_random(numbered(5), {.validation = 0.2, .test = 0.4}, seed);
        ++counts[{split.validation.categories, split.test.categories}];
    }
    CHECK(counts.size() == 30);
    const double expected = static_cast<double>(seeds) / 30.0;
    double statistic = 0.0;
    for (const auto& [division, count] : counts)
        statistic += (count - expected) * (count - expected) / expected;
    // Chances that differ by a tenth shift the statistic by 300, its deviation being 8.
    CHECK(statistic < quantile(complement(boost::math::chi_squared(29.0), 1e-6)));
}

TEST_CASE("splits that leave a part empty are refused by name", "[dpsgd][data]") {
    CHECK(refusal(10, {.validation = 0.1, .test = 0.1}).empty());
    CHECK(refusal(4, {.validation = 0.1, .test = 0.1}) == "examples");
    CHECK(refusal(1, {.validation = 0.0, .test = 0.2}) == "examples");
    CHECK(refusal(1, {.validation = 0.0, .test = 0.0}).empty());
    CHECK(refusal(1, {.validation = 0.0, .test = 0.9}) == "examples");
    CHECK(refusal(10, {.validation = -0.1, .test = 0.2}) == "validation share");
    CHECK(refusal(10, {.validation = 0.0, .test = 1.0}) == "test share");
    CHECK(refusal(10, {.validation = 0.5, .test = 0.5}) == "test share");
    CHECK(refusal(10, {.validation = std::nan(""), .test = 0.5}) == "validation share");
    CHECK(refusal(10, {.validation = 0.1, .test = std::nan("")}) == "test share");
}
