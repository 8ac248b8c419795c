#include "assay/dpsgd/evaluation.hpp"

#include <cmath>
#include <limits>

#include "test_support/test_support.hpp"

using namespace assay;

namespace {

/// By its definition: all pairs.
double pairs_won(const std::vector<float>& scores, const std::vector<std::int32_t>& labels) {
    double wins = 0.0;
    double pairs = 0.0;
    for (std::size_t i = 0; i < scores.size(); ++i)
        for (std::size_t j = 0; j < scores.size(); ++j) {
            if (labels[i] != 1 || labels[j] != 0) continue;
            pairs += 1.0;
            wins += scores[i] > scores[j] ? 1.0 : scores[i] == scores[j] ? 0.5 : 0.0;
        }
    return wins / pairs;
}

Dataset on_a_line(const std::vector<float>& values, const std::vector<std::int32_t>& labels,
                  int classes) {
    Dataset data;
    data.name = "a line";
    data.shape.values = 1;
    data.shape.classes = classes;
    data.values = values;
    data.labels = labels;
    return data;
}

}  // namespace

TEST_CASE("the area under the curve counts pairs, ties by half", "[dpsgd]") {
    test_support::Random random(3);
    CAPTURE(random.seed());
    for (int trial = 0; trial < 20; ++trial) {
        std::vector<float> scores;
        std::vector<std::int32_t> labels;
        for (int i = 0; i < 60; ++i) {
            labels.push_back(i < 2 ? i : random.integer(0, 1));
            scores.push_back(static_cast<float>(random.integer(0, 12) + labels.back()));
        }
        CHECK(area_under_curve(scores, labels) == Approx(pairs_won(scores, labels)).epsilon(1e-14));
    }
    CHECK(area_under_curve(std::vector<float>{1.0F, 2.0F}, std::vector<std::int32_t>{1, 1}) == 0.5);
    const float nan = std::numeric_limits<float>::quiet_NaN();
    CHECK(area_under_curve(std::vector<float>{nan, 0.0F}, std::vector<std::int32_t>{1, 0}) == 0.0);
}

TEST_CASE("one logit is judged by its sign and binary cross entropy", "[dpsgd]") {
    const Dataset data = on_a_line({-2.0F, 1.0F, 3.0F}, {0, 0, 1}, 2);
    Model<float> model(LogisticRegression{}, data.shape, 1);
    REQUIRE(model.parameter_count() == 2);
    model.parameters()[0] = 1.5F;
    model.parameters()[1] = 0.0F;
    const Evaluation found = evaluate(model, data, 1);
    const double expected =
        (std::log1p(std::exp(-3.0)) + std::log1p(std::exp(1.5)) + std::log1p(std::exp(-4.5))) / 3.0;
    CHECK(found.loss == Approx(expected).epsilon(1e-7));
    CHECK(found.accuracy == Approx(2.0 / 3.0));
    CHECK(found.auc == 1.0);
}

TEST_CASE("several logits are judged by the largest and softmax cross entropy", "[dpsgd]") {
    const Dataset data = on_a_line({1.0F, -1.0F}, {2, 2}, 3);
    Model<float> model(LogisticRegression{}, data.shape, 1);
    REQUIRE(model.parameter_count() == 6);
    // Weights 0, 1, 2, then biases 0: logits (0, 1, 2) and (0, -1, -2).
    for (std::size_t i = 0; i < 6; ++i)
        model.parameters()[i] = i < 3 ? static_cast<float>(i) : 0.0F;
    const Evaluation found = evaluate(model, data, 2);
    const double sum = 1.0 + std::exp(1.0) + std::exp(2.0);
    const double other = 1.0 + std::exp(-1.0) + std::exp(-2.0);
    CHECK(found.loss == Approx((std::log(sum) - 2.0 + std::log(other) + 2.0) / 2.0).epsilon(1e-7));
    CHECK(found.accuracy == 0.5);
    CHECK(found.auc == 0.0);
}

TEST_CASE("a model that overflows has an infinite loss, not a NaN", "[dpsgd]") {
    const Dataset data = on_a_line({1.0F, -1.0F}, {2, 2}, 3);
    Model<float> model(LogisticRegression{}, data.shape, 1);
    for (float& x : model.parameters()) x = std::numeric_limits<float>::infinity();
    CHECK(evaluate(model, data, 1).loss == std::numeric_limits<double>::infinity());
}
