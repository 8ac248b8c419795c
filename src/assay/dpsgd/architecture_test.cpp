#include "assay/dpsgd/architecture.hpp"

#include "test_support/test_support.hpp"

using namespace assay;
using test_support::refused;

namespace {

const ExampleShape values{{}, 10, {}, 3};
const ExampleShape image{{3, 32, 32}, 3072, {}, 10};
const ExampleShape clicks{{}, 13, {5, 7}, 2};

std::string problem(const Architecture& architecture, const ExampleShape& shape) {
    return refused([&] {
        validate(architecture, shape);
        return 0;
    });
}

}  // namespace

TEST_CASE("the papers' networks take their examples", "[dpsgd]") {
    CHECK(problem(LogisticRegression{}, values).empty());
    CHECK(problem(MultilayerPerceptron{{5, 4}}, values).empty());
    CHECK(problem(ConvolutionalNetwork{}, image).empty());
    CHECK(problem(ConvolutionalNetwork{}, {{1, 8, 8}, 64, {}, 10}).empty());
    CHECK(problem(ClickNetwork{}, clicks).empty());
}

TEST_CASE("networks that do not fit are refused by name", "[dpsgd]") {
    CHECK(problem(LogisticRegression{}, clicks) == "categories");
    CHECK(problem(LogisticRegression{}, {{}, 0, {}, 3}) == "values");
    CHECK(problem(LogisticRegression{}, {{}, 4, {}, 1}) == "classes");
    CHECK(problem(MultilayerPerceptron{{5, 0}}, values) == "hidden");
    CHECK(problem(MultilayerPerceptron{{1 << 17}}, values) == "hidden");
    CHECK(problem(ConvolutionalNetwork{}, values) == "image");
    CHECK(problem(ConvolutionalNetwork{}, {{1, 8, 7}, 56, {}, 10}) == "image");
    CHECK(problem(ConvolutionalNetwork{{}, 1, {}}, image) == "channels");
    CHECK(problem(ConvolutionalNetwork{{4, -1}, 1, {}}, image) == "channels");
    CHECK(problem(ConvolutionalNetwork{{4}, 0, {}}, image) == "groups");
    CHECK(problem(ConvolutionalNetwork{std::vector<int>(80, 2), 1, {}}, image) == "image");
    CHECK(problem(ClickNetwork{0, {}}, clicks) == "embedding");
    CHECK(problem(ClickNetwork{}, {{}, 0, {}, 2}) == "values");
    CHECK(problem(ClickNetwork{}, {{}, 1, {4, 0}, 2}) == "categories");
    CHECK(problem(ClickNetwork{}, {{}, 1, {4}, 3}) == "classes");
}

TEST_CASE("a network is described in one line", "[dpsgd]") {
    CHECK(describe(LogisticRegression{}) == "logistic regression");
    CHECK(describe(MultilayerPerceptron{{64, 32}}) == "multilayer perceptron, hidden 64-32");
    CHECK(describe(ConvolutionalNetwork{}) ==
          "convolutional network 32-32-64-128-128-256, at most 32 groups");
    CHECK(describe(ClickNetwork{}) == "click network, embedding 48, hidden 598-598-598");
}

TEST_CASE("two classes have one logit, images one a class", "[dpsgd]") {
    CHECK(logit_count(clicks) == 1);
    CHECK(logit_count(values) == 3);
    CHECK(logit_count({{1, 2, 2}, 4, {}, 2}) == 2);
}
