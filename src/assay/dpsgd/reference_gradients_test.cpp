#include "assay/dpsgd/reference_gradients.hpp"

#include <algorithm>

#include "test_support/network_test_support.hpp"

using namespace assay;
using namespace assay::test_support;

namespace {

// Binary logistic regression on two examples, all in closed form: with weights w and bias b the
// gradient of an example is (1/(1 + e^-z) - label)(x, 1), z = w.x + b.
const ExampleShape two_values{{}, 2, {}, 2};
const Dataset data{"two", two_values, {1.0F, 2.0F, -3.0F, 0.5F}, {}, {1, 0}};

Model<double> model() {
    Model<double> logistic(LogisticRegression{}, two_values, 1);
    const std::vector<double> parameters{0.25, -0.5, 0.125};
    std::copy(parameters.begin(), parameters.end(), logistic.parameters().begin());
    return logistic;
}

struct Expected {
    std::vector<double> sum{0.0, 0.0, 0.0};
    double loss = 0.0;
    double largest = 0.0;
};

Expected expected(double clip_norm) {
    Expected all;
    for (std::size_t i = 0; i < 2; ++i) {
        const double x = data.values[2 * i];
        const double y = data.values[2 * i + 1];
        const int label = data.labels[i];
        const double z = 0.25 * x - 0.5 * y + 0.125;
        const double slope = 1.0 / (1.0 + std::exp(-z)) - label;
        const double norm = std::fabs(slope) * std::sqrt(x * x + y * y + 1.0);
        const double factor = slope * std::min(1.0, clip_norm / norm);
        all.sum[0] += factor * x;
        all.sum[1] += factor * y;
        all.sum[2] += factor;
        all.loss += std::log(1.0 + std::exp(label == 1 ? -z : z));
        all.largest = std::max(all.largest, norm);
    }
    return all;
}

}  // namespace

TEST_CASE("the plain sum of clipped gradients is the closed form's", "[dpsgd]") {
    const auto indices = all_indices(2);
    for (const double clip_norm : {1e-3, 1.0, 1.5, 100.0}) {
        GradientSum<double> result;
        reference_clipped_sum(model(), data, indices, clip_norm, result);
        const Expected exact = expected(clip_norm);
        CAPTURE(clip_norm);
        for (std::size_t k = 0; k < 3; ++k)
            CHECK(result.sum[k] == Approx(exact.sum[k]).epsilon(1e-11));
        CHECK(result.loss == Approx(exact.loss).epsilon(1e-14));
        CHECK(result.largest_norm == Approx(exact.largest).epsilon(1e-11));
        CHECK((result.examples == 2 && result.refused == 0));
        CHECK(result.live_bytes >= 3 * 3 * sizeof(double));
    }
    GradientSum<double> plain;
    reference_clipped_sum(model(), data, indices, {}, plain);
    CHECK(plain.sum[0] == Approx(expected(1e20).sum[0]).epsilon(1e-14));
    CHECK((plain.clipped == 0 && plain.largest_norm == 0.0));
}

TEST_CASE("the plain sum refuses bad batches by name", "[dpsgd]") {
    GradientSum<double> result;
    const auto sum = [&](std::uint32_t index, double clip_norm) {
        reference_clipped_sum(model(), data, std::span(&index, 1), clip_norm, result);
        return 0;
    };
    CHECK(refused([&] { return sum(2, 1.0); }) == "indices");
    CHECK(refused([&] { return sum(0, -1.0); }) == "clip_norm");
}
