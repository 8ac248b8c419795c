#include "assay/dpsgd/model.hpp"

#include <algorithm>

#include "test_support/network_test_support.hpp"

using namespace assay;

namespace {

std::int64_t parameters_of(const Architecture& architecture, const ExampleShape& shape) {
    return Model<float>(architecture, shape, 1).parameter_count();
}

}  // namespace

TEST_CASE("networks have the papers' numbers of parameters", "[dpsgd]") {
    const ExampleShape digits{{1, 8, 8}, 64, {}, 10};
    CHECK(parameters_of(LogisticRegression{}, digits) == 650);
    CHECK(parameters_of(MultilayerPerceptron{{128, 20}}, digits) == 65 * 128 + 129 * 20 + 210);
    // Convolutions with biases, scale and shift after each pair, and the head.
    const std::int64_t convolutions = (27 + 1) * 32 + (288 + 1) * 32 + (288 + 1) * 64 +
                                      (576 + 1) * 128 + (1152 + 1) * 128 + (1152 + 1) * 256;
    CHECK(parameters_of(ConvolutionalNetwork{}, {{3, 32, 32}, 3072, {}, 10}) ==
          convolutions + 2 * (32 + 128 + 256) + (4096 + 1) * 10);
    const std::int64_t inputs = 13 + 2 * 48;
    CHECK(parameters_of(ClickNetwork{}, {{}, 13, {1000, 70}, 2}) ==
          1070 * 48 + (inputs + 1) * 598 + 2 * 599 * 598 + 599);
}

TEST_CASE("the layers' parameters lie one after the other", "[dpsgd]") {
    for (const auto& network : test_support::small_networks()) {
        const Model<double> model(network.architecture, network.shape, 1);
        std::size_t next = 0;
        for (const Stage& stage : model.stages()) {
            CHECK(stage.first_parameter == next);
            next += static_cast<std::size_t>(
                std::visit([](const auto& layer) { return layer.parameter_count(); }, stage.layer));
        }
        CAPTURE(network.name);
        CHECK(model.parameters().size() == next);
        CHECK_FALSE(model.stages().back().relu);
    }
}

TEST_CASE("initial weights have their variance, biases are 0, and the seed decides", "[dpsgd]") {
    const ExampleShape shape{{}, 300, {}, 40};
    const Architecture network = MultilayerPerceptron{{200}};
    const Model<double> model(network, shape, 7);
    const auto variance = [&](std::size_t first, std::size_t count) {
        double sum = 0.0;
        for (const double w : model.parameters().subspan(first, count)) sum += w * w;
        return sum / static_cast<double>(count);
    };
    // 60,000 and 8,000 weights: a variance is known to 0.6 and 1.6 percent (1 sd).
    CHECK(variance(0, 60'000) == Approx(2.0 / 300).epsilon(0.03));
    CHECK(variance(60'200, 8'000) == Approx(1.0 / 200).epsilon(0.08));
    CHECK(variance(60'000, 200) == 0.0);
    CHECK(variance(68'200, 40) == 0.0);
    const auto same = [&](std::uint64_t seed) {
        const Model<double> other(network, shape, seed);
        return std::equal(model.parameters().begin(), model.parameters().end(),
                          other.parameters().begin());
    };
    CHECK(same(7));
    CHECK_FALSE(same(8));
}

TEST_CASE("group normalisation takes the largest divisor that is allowed", "[dpsgd]") {
    const auto groups = [](int channels, int most) {
        const Model<float> model(ConvolutionalNetwork{{2, channels}, most, {}},
                                 {{1, 4, 4}, 16, {}, 3}, 1);
        return std::get<GroupNorm>(model.stages()[2].layer).groups;
    };
    CHECK(groups(64, 32) == 32);
    CHECK(groups(12, 5) == 4);
    CHECK(groups(7, 6) == 1);
    CHECK(groups(8, 32) == 8);
}
