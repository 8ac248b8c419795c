#include "assay/datasets/dataset.hpp"

#include <limits>
#include <utility>

#include "test_support/test_support.hpp"

using namespace assay;
using test_support::refused;

namespace {

/// Three examples of two values and two fields.
Dataset small() {
    return {"small",
            {.image = {}, .values = 2, .categories = {3, 2}, .classes = 2},
            {0.5F, 1.5F, 2.5F, 3.5F, 4.5F, 5.5F},
            {0, 1, 2, 0, 1, 1},
            {0, 1, 1}};
}

template <class Change>
std::string refused_after(const Change& change) {
    Dataset data = small();
    change(data);
    return refused([&] {
        validate(data);
        return 0;
    });
}

std::string message_after(std::int32_t label) {
    Dataset data = small();
    data.labels[2] = label;
    try {
        validate(data);
    } catch (const DomainError& error) {
        return error.what();
    }
    return "";
}

}  // namespace

TEST_CASE("a data set hands out its examples", "[dpsgd][data]") {
    const Dataset data = small();
    CHECK_NOTHROW(validate(data));
    CHECK(data.size() == 3);
    CHECK(std::vector(data.values_of(1).begin(), data.values_of(1).end()) ==
          std::vector{2.5F, 3.5F});
    CHECK(std::vector(data.categories_of(2).begin(), data.categories_of(2).end()) ==
          std::vector<std::int32_t>{1, 1});
}

TEST_CASE("what does not fit in a data set is refused by name", "[dpsgd][data]") {
    using Float = std::numeric_limits<float>;
    CHECK(refused_after([](Dataset& d) { d.labels.clear(); }) == "examples");
    CHECK(refused_after([](Dataset& d) { d.values.pop_back(); }) == "values");
    CHECK(refused_after([](Dataset& d) { d.categories.push_back(0); }) == "categories");
    CHECK(refused_after([](Dataset& d) { d.shape.image = {1, 1, 3}; }) == "values");
    CHECK(refused_after([](Dataset& d) { d.shape.image = {1, 2, 1}; }).empty());
    CHECK(refused_after([](Dataset& d) { d.shape.classes = 1; }) == "classes");
    CHECK(refused_after([](Dataset& d) { d.values[3] = Float::quiet_NaN(); }) == "values");
    CHECK(refused_after([](Dataset& d) { d.values[3] = -Float::infinity(); }) == "values");
    CHECK(refused_after([](Dataset& d) { d.values[3] = Float::denorm_min(); }).empty());
    CHECK(refused_after([](Dataset& d) { d.categories[2] = 3; }) == "categories");
    CHECK(refused_after([](Dataset& d) { d.categories[1] = 2; }) == "categories");
    CHECK(refused_after([](Dataset& d) { d.categories[0] = -1; }) == "categories");
    CHECK(message_after(2) == "labels = 2 in example 3 is not admitted: 0 .. 1");
    CHECK(message_after(-1) == "labels = -1 in example 3 is not admitted: 0 .. 1");
}

TEST_CASE("selected examples come in the order of the indices", "[dpsgd][data]") {
    const std::vector<std::int64_t> indices{2, 0, 2};
    const Dataset chosen = select(small(), indices);
    CHECK_NOTHROW(validate(chosen));
    CHECK(chosen.name == "small");
    CHECK(chosen.shape == small().shape);
    CHECK(chosen.values == std::vector<float>{4.5F, 5.5F, 0.5F, 1.5F, 4.5F, 5.5F});
    CHECK(chosen.categories == std::vector<std::int32_t>{1, 1, 0, 1, 1, 1});
    CHECK(chosen.labels == std::vector<std::int32_t>{1, 0, 1});
    CHECK(select(small(), {}).size() == 0);
}
