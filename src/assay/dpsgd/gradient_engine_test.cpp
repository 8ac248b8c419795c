#include "assay/dpsgd/gradient_engine.hpp"

#include <algorithm>
#include <limits>

#include "assay/dpsgd/reference_gradients.hpp"
#include "test_support/network_test_support.hpp"
#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::test_support;

namespace {

template <class Real>
long double norm(const std::vector<Real>& x) {
    long double sum = 0.0L;
    for (const Real value : x) sum += static_cast<long double>(value) * value;
    return std::sqrt(sum);
}

template <class Real>
double distance(const std::vector<Real>& x, const std::vector<Real>& y) {
    REQUIRE(x.size() == y.size());
    std::vector<long double> difference;
    for (std::size_t i = 0; i < x.size(); ++i)
        difference.push_back(static_cast<long double>(x[i]) - y[i]);
    return static_cast<double>(norm(difference));
}

template <class Real>
GradientSum<Real> sum_of(const Model<Real>& model, const Dataset& data,
                         std::span<const std::uint32_t> indices, std::optional<double> clip_norm,
                         int threads = 1) {
    GradientSum<Real> result;
    GradientEngine<Real>(threads).clipped_sum(model, data, indices, clip_norm, result);
    return result;
}

template <class Real>
GradientSum<Real> reference_of(const Model<Real>& model, const Dataset& data,
                               std::span<const std::uint32_t> indices,
                               std::optional<double> clip_norm) {
    GradientSum<Real> result;
    reference_clipped_sum(model, data, indices, clip_norm, result);
    return result;
}

/// The loss from the logits of predict alone, in extended precision.
long double loss_from_logits(const Model<double>& model, const Dataset& data,
                             std::span<const std::uint32_t> indices) {
    const std::vector<double> logits = predict(model, data, indices);
    const auto count = static_cast<std::size_t>(model.logits());
    long double loss = 0.0L;
    for (std::size_t i = 0; i < indices.size(); ++i) {
        const auto label = static_cast<std::size_t>(data.labels[indices[i]]);
        if (count == 1) {
            const long double z = logits[i];
            loss += std::log1p(std::exp(label == 1 ? -z : z));
            continue;
        }
        long double sum = 0.0L;
        for (std::size_t k = 0; k < count; ++k) sum += std::exp((long double)logits[i * count + k]);
        loss += std::log(sum) - logits[i * count + label];
    }
    return loss;
}

}  // namespace

TEST_CASE("gradients are the differences of the loss, for every network", "[dpsgd]") {
    const std::uint64_t seed = 17;
    CAPTURE(seed);
    for (const SmallNetwork& network : small_networks()) {
        Random random(seed);
        const Dataset data = random_examples(network.shape, 5, random);
        Model<double> model = random_model<double>(network, random);
        const auto indices = all_indices(5);
        const GradientSum<double> exact = sum_of(model, data, indices, {});
        CAPTURE(network.name, model.parameter_count());
        CHECK(exact.loss ==
              Approx(static_cast<double>(loss_from_logits(model, data, indices))).epsilon(1e-13));
        const auto count = static_cast<int>(model.parameter_count());
        const int checks = std::min(count, 150 * effort());
        for (int i = 0; i < checks; ++i) {
            const auto k =
                static_cast<std::size_t>(checks == count ? i : random.integer(0, count - 1));
            double& parameter = model.parameters()[k];
            const double kept = parameter;
            constexpr double h = 0x1p-19;
            parameter = kept + h;
            const long double above = loss_from_logits(model, data, indices);
            parameter = kept - h;
            const long double below = loss_from_logits(model, data, indices);
            parameter = kept;
            CAPTURE(k);
            CHECK(std::fabs(exact.sum[k] - static_cast<double>((above - below) / (2 * h))) <=
                  2e-8 * (1.0 + std::fabs(exact.sum[k])));
        }
    }
}

TEST_CASE("clipped sums agree with those of gradients that are held one by one", "[dpsgd]") {
    const std::uint64_t seed = 4;
    CAPTURE(seed);
    for (const SmallNetwork& network : small_networks()) {
        Random random(seed);
        const Dataset data = random_examples(network.shape, 45, random);
        const Model<double> model = random_model<double>(network, random);
        const Model<float> single = [&] {
            Model<float> copy(network.architecture, network.shape, 0);
            std::copy(model.parameters().begin(), model.parameters().end(),
                      copy.parameters().begin());
            return copy;
        }();
        std::vector<std::uint32_t> indices = all_indices(45);
        indices.insert(indices.end(), {7, 7, 3});
        // A clip norm among the norms, so that some are clipped and some are not.
        const double largest = reference_of(model, data, indices, 1e20).largest_norm;
        for (const std::optional<double> clip_norm :
             {std::optional<double>(), {0.5 * largest}, {0.01 * largest}, {2.0 * largest}}) {
            CAPTURE(network.name, clip_norm.value_or(0.0));
            const auto fast = sum_of(model, data, indices, clip_norm);
            const auto plain = reference_of(model, data, indices, clip_norm);
            CHECK(distance(fast.sum, plain.sum) <= 1e-11 * static_cast<double>(norm(plain.sum)));
            CHECK(fast.loss == Approx(plain.loss).epsilon(1e-13));
            CHECK(fast.correct == plain.correct);
            CHECK(fast.clipped == plain.clipped);
            CHECK(fast.largest_norm == Approx(plain.largest_norm).epsilon(1e-11));
            CHECK(fast.examples == 48);
            CHECK(fast.refused + plain.refused == 0);
            CHECK(plain.live_bytes > 48 * sizeof(double) * model.parameters().size());
            const auto in_float = sum_of(single, data, indices, clip_norm);
            CHECK(distance(std::vector<double>(in_float.sum.begin(), in_float.sum.end()),
                           plain.sum) <= 2e-5 * static_cast<double>(norm(plain.sum)));
        }
        const auto some = sum_of(model, data, indices, 0.5 * largest);
        CHECK((some.clipped > 0 && some.clipped < 48));
    }
}

TEST_CASE("sums and logits are the same bits on any number of threads", "[dpsgd][parallel]") {
    Random random(5);
    for (const SmallNetwork& network : small_networks()) {
        const Dataset data = random_examples(network.shape, 150, random);
        const Model<float> model = random_model<float>(network, random);
        const auto indices = all_indices(150);
        for (const std::optional<double> clip_norm : {std::optional<double>(), {0.7}}) {
            const auto one = sum_of(model, data, indices, clip_norm, 1);
            const auto logits = predict(model, data, indices, 1);
            for (const int threads : {2, 5}) {
                const auto many = sum_of(model, data, indices, clip_norm, threads);
                CAPTURE(network.name, threads);
                CHECK(many.sum == one.sum);
                CHECK(many.loss == one.loss);
                CHECK(many.largest_norm == one.largest_norm);
                CHECK(predict(model, data, indices, threads) == logits);
            }
        }
    }
}

TEST_CASE("no example adds more than the clip norm, whatever its gradient", "[dpsgd]") {
    const std::uint64_t seed = 8;
    CAPTURE(seed);
    for (const SmallNetwork& network : small_networks()) {
        Random random(seed);
        const Dataset data = random_examples(network.shape, 6, random);
        for (const double size : {1.0, 1e-3, 30.0, 1e5, 1e12, 1e30, 1e37, 1e-38, 1e-44, infinity}) {
            Model<float> model = random_model<float>(network, random);
            for (float& parameter : model.parameters())
                if (random.uniform(0.0, 1.0) < 0.5) parameter *= static_cast<float>(size);
            for (const double clip_norm : {1e-20, 1e-3, 1.0, 1e6}) {
                GradientEngine<float> engine;
                GradientSum<float> result;
                for (std::uint32_t i = 0; i < 6; ++i) {
                    engine.clipped_sum(model, data, std::span(&i, 1), clip_norm, result);
                    CAPTURE(network.name, size, clip_norm, i, result.refused);
                    CHECK(norm(result.sum) <= clip_norm);
                    CHECK(result.loss >= 0.0);
                    if (result.refused == 1) CHECK(norm(result.sum) == 0.0L);
                }
            }
        }
    }
}

TEST_CASE("an example without a finite norm adds nothing, and the others stay", "[dpsgd]") {
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    Random random(9);
    for (const SmallNetwork& network : small_networks()) {
        if (network.shape.values == 0) continue;
        for (const float bad : {nan, static_cast<float>(infinity), -static_cast<float>(infinity)}) {
            Dataset data = random_examples(network.shape, 40, random);
            const Model<float> model = random_model<float>(network, random);
            data.values[static_cast<std::size_t>(13 * network.shape.values)] = bad;
            auto good = all_indices(40);
            good.erase(good.begin() + 13);
            for (const std::optional<double> clip_norm : {std::optional<double>(), {0.3}}) {
                const auto with = sum_of(model, data, all_indices(40), clip_norm);
                const auto without = sum_of(model, data, good, clip_norm);
                CAPTURE(network.name, bad, clip_norm.value_or(0.0));
                // max(0, -inf) is finite, and then so is the loss; a NaN goes through.
                if (std::isnan(bad)) CHECK(with.loss == infinity);
                if (clip_norm || with.loss == infinity) CHECK(with.refused == 1);
                if (with.refused == 1)
                    CHECK(distance(with.sum, without.sum) <=
                          1e-5 * static_cast<double>(norm(without.sum)));
                CHECK(without.refused == 0);
            }
        }
    }
}

TEST_CASE("batches larger than what is held at once are summed in turn", "[dpsgd]") {
    Random random(10);
    const ExampleShape shape{{}, 3, {}, 2};
    const Dataset data = random_examples(shape, 50, random);
    const Model<double> model(LogisticRegression{}, shape, 3);
    std::vector<std::uint32_t> indices;
    for (std::uint32_t i = 0; i < 10'000; ++i) indices.push_back(i % 50);
    const auto all = sum_of(model, data, indices, 0.4, 2);
    auto once = sum_of(model, data, all_indices(50), 0.4);
    for (double& value : once.sum) value *= 200.0;
    CHECK(distance(all.sum, once.sum) <= 1e-12 * static_cast<double>(norm(once.sum)));
    CHECK(all.clipped == 200 * once.clipped);
    CHECK(all.live_bytes == sum_of(model, data, std::span(indices).first(4096), 0.4, 2).live_bytes);
}

TEST_CASE("an empty batch has the sum 0", "[dpsgd]") {
    Random random(1);
    const ExampleShape shape{{}, 3, {}, 2};
    const Model<float> model(LogisticRegression{}, shape, 3);
    const auto result = sum_of(model, random_examples(shape, 2, random), {}, 1.0);
    CHECK(result.sum == std::vector<float>(4, 0.0F));
    CHECK((result.examples == 0 && result.loss == 0.0));
}

TEST_CASE("bad batches are refused by name", "[dpsgd]") {
    Random random(1);
    const ExampleShape shape{{}, 3, {}, 2};
    const Dataset data = random_examples(shape, 2, random);
    const Model<float> model(LogisticRegression{}, shape, 3);
    const std::vector<std::uint32_t> beyond{0, 2};
    const auto some = all_indices(2);
    CHECK(refused([&] { return sum_of(model, data, beyond, 1.0); }) == "indices");
    CHECK(refused([&] { return sum_of(model, data, some, 0.0); }) == "clip_norm");
    CHECK(refused([&] { return sum_of(model, data, some, std::nan("")); }) == "clip_norm");
    CHECK(refused([&] { return sum_of(model, data, some, 1.0, 0); }) == "threads");
    const Dataset other = random_examples({{}, 3, {}, 4}, 2, random);
    CHECK(refused([&] { return sum_of(model, other, some, 1.0); }) == "shape");
    CHECK(refused([&] { return predict(model, data, beyond); }) == "indices");
}
