#include "assay/dpsgd/convolution.hpp"

#include "test_support/network_test_support.hpp"
#include "test_support/test_support.hpp"

using namespace assay;
using test_support::Random;
using test_support::random_numbers;

namespace {

/// Calls visit(weight, output, input) for every product in y = W x of one image, from the
/// definition of a 3x3 convolution; numbers count elements.
template <class Visit>
void for_each_product(const Convolution& layer, const Visit& visit) {
    for (Eigen::Index y = 0; y < layer.height; ++y)
        for (Eigen::Index x = 0; x < layer.width; ++x)
            for (Eigen::Index dy = -1; dy <= 1; ++dy)
                for (Eigen::Index dx = -1; dx <= 1; ++dx) {
                    if (y + dy < 0 || y + dy >= layer.height) continue;
                    if (x + dx < 0 || x + dx >= layer.width) continue;
                    const Eigen::Index to = y * layer.width + x;
                    const Eigen::Index from = (y + dy) * layer.width + x + dx;
                    const Eigen::Index tap = 3 * (dy + 1) + dx + 1;
                    for (Eigen::Index c = 0; c < layer.inputs; ++c)
                        for (Eigen::Index o = 0; o < layer.outputs; ++o)
                            visit((tap * layer.inputs + c) * layer.outputs + o,
                                  to * layer.outputs + o, from * layer.inputs + c);
                }
}

const std::vector<Convolution> layers{{1, 1, 2, 3}, {2, 2, 20, 30}, {5, 4, 2, 3},
                                      {1, 6, 1, 1}, {8, 8, 3, 4},   {9, 11, 2, 17}};
constexpr Eigen::Index examples = 11;

}  // namespace

TEST_CASE("a convolution and its gradients are those of the definition", "[dpsgd]") {
    Random random(20);
    CAPTURE(random.seed());
    std::vector<double> scratch;
    for (const Convolution& layer : layers) {
        CAPTURE(layer.height, layer.width, layer.inputs, layer.outputs);
        const auto parameters = random_numbers<double>(random, layer.parameter_count());
        const auto x = random_numbers<double>(random, layer.input_size() * examples);
        const auto d = random_numbers<double>(random, layer.output_size() * examples);
        const LayerInput<double> in{x.data(), nullptr, examples};
        Matrix<double> y(layer.output_size(), examples);
        Matrix<double> dx(layer.input_size(), examples);
        Matrix<double> held(layer.parameter_count(), examples);
        Matrix<double> sum = Matrix<double>::Ones(layer.parameter_count(), 1);
        layer.forward(parameters.data(), in, y.data(), scratch);
        layer.backward(parameters.data(), in, d.data(), dx.data(), scratch);
        layer.example_gradients(in, d.data(), held.data(), scratch);
        for (Eigen::Index piece = 0; piece < layer.pieces(); ++piece)
            layer.add_gradients(piece, in, d.data(), sum.data(), scratch);

        const Eigen::Index bias = 9 * layer.inputs * layer.outputs;
        Matrix<double> exact_y(layer.output_size(), examples);
        Matrix<double> exact_dx = Matrix<double>::Zero(layer.input_size(), examples);
        Matrix<double> gradients = Matrix<double>::Zero(layer.parameter_count(), examples);
        for (Eigen::Index i = 0; i < examples; ++i) {
            const double* image = x.data() + i * layer.input_size();
            const double* slope = d.data() + i * layer.output_size();
            for (Eigen::Index k = 0; k < layer.output_size(); ++k) {
                exact_y(k, i) = parameters[static_cast<std::size_t>(bias + k % layer.outputs)];
                gradients(bias + k % layer.outputs, i) += slope[k];
            }
            for_each_product(layer, [&](Eigen::Index w, Eigen::Index to, Eigen::Index from) {
                exact_y(to, i) += parameters[static_cast<std::size_t>(w)] * image[from];
                exact_dx(from, i) += parameters[static_cast<std::size_t>(w)] * slope[to];
                gradients(w, i) += image[from] * slope[to];
            });
        }
        CHECK((y - exact_y).norm() <= 1e-13 * exact_y.norm());
        CHECK((dx - exact_dx).norm() <= 1e-13 * exact_dx.norm());
        CHECK((held - gradients).norm() <= 1e-13 * gradients.norm());
        CHECK((sum - Matrix<double>(gradients.rowwise().sum().array() + 1.0)).norm() <=
              1e-13 * gradients.norm());

        std::vector<long double> squared(examples, 0.5L);
        layer.add_squared_norms(in, d.data(), squared.data(), scratch);
        for (Eigen::Index i = 0; i < examples; ++i)
            CHECK(static_cast<double>(squared[static_cast<std::size_t>(i)] - 0.5L) ==
                  Approx(gradients.col(i).squaredNorm()).epsilon(1e-12));
    }
}

TEST_CASE("norms from Gram matrices are never below those of the summed gradients", "[dpsgd]") {
    Random random(21);
    CAPTURE(random.seed());
    std::vector<float> scratch;
    for (const Convolution& layer : layers)
        for (int trial = 0; trial < 20; ++trial) {
            const auto x = random_numbers<float>(random, layer.input_size());
            auto d = random_numbers<float>(random, layer.output_size());
            // Gradients of one channel that cancel nearly: the norm is small beside the products.
            if (trial % 2 == 1 && layer.positions() > 1)
                for (Eigen::Index p = 1; p < layer.positions(); p += 2)
                    for (Eigen::Index o = 0; o < layer.outputs; ++o)
                        d[static_cast<std::size_t>(p * layer.outputs + o)] =
                            -d[static_cast<std::size_t>((p - 1) * layer.outputs + o)];
            const LayerInput<float> in{x.data(), nullptr, 1};
            std::vector<float> sum(static_cast<std::size_t>(layer.parameter_count()), 0.0F);
            for (Eigen::Index piece = 0; piece < layer.pieces(); ++piece)
                layer.add_gradients(piece, in, d.data(), sum.data(), scratch);
            long double squared = 0.0L;
            layer.add_squared_norms(in, d.data(), &squared, scratch);
            const long double truth = squared_norm(std::span<const float>(sum));
            CHECK(squared >= truth);
            CHECK(squared <= truth * (1.0L + 1e-3L));
        }
}

TEST_CASE("gradients are held where positions are many", "[dpsgd]") {
    CHECK(Convolution{32, 32, 3, 32}.holds_gradients());
    CHECK(Convolution{8, 8, 16, 16}.holds_gradients());
    CHECK_FALSE(Convolution{2, 2, 128, 256}.holds_gradients());
    CHECK_FALSE(Convolution{4, 4, 64, 128}.holds_gradients());
}
