#include "assay/dpsgd/dense.hpp"

#include "test_support/network_test_support.hpp"
#include "test_support/test_support.hpp"

using namespace assay;
using test_support::Random;
using test_support::random_numbers;

TEST_CASE("an affine map, its gradients and their norms are those of the definition", "[dpsgd]") {
    Random random(12);
    CAPTURE(random.seed());
    const Dense layer{130, 3};  // three pieces
    REQUIRE(layer.pieces() == 3);
    const auto parameters = random_numbers<double>(random, layer.parameter_count());
    const auto x = random_numbers<double>(random, 130 * 2);
    const auto d = random_numbers<double>(random, 3 * 2);
    const LayerInput<double> in{x.data(), nullptr, 2};
    const Eigen::Map<const Eigen::MatrixXd> w(parameters.data(), 3, 130);
    const Eigen::Map<const Eigen::VectorXd> b(parameters.data() + 390, 3);
    const Eigen::Map<const Eigen::MatrixXd> inputs(x.data(), 130, 2);
    const Eigen::Map<const Eigen::MatrixXd> slopes(d.data(), 3, 2);

    Eigen::MatrixXd y(3, 2);
    layer.forward(parameters.data(), in, y.data());
    CHECK((y - ((w * inputs).colwise() + b)).norm() <= 1e-13);
    Eigen::MatrixXd dx(130, 2);
    layer.backward(parameters.data(), in, d.data(), dx.data());
    CHECK((dx - w.transpose() * slopes).norm() <= 1e-13);

    Eigen::VectorXd sum = Eigen::VectorXd::Ones(393);
    for (Eigen::Index piece = 0; piece < 3; ++piece)
        layer.add_gradients(piece, in, d.data(), sum.data());
    std::vector<long double> squared(2, 0.0L);
    layer.add_squared_norms(in, d.data(), squared.data());
    Eigen::VectorXd expected = Eigen::VectorXd::Ones(393);
    for (Eigen::Index i = 0; i < 2; ++i) {
        Eigen::VectorXd gradient(393);
        for (Eigen::Index k = 0; k < 130; ++k)
            for (Eigen::Index j = 0; j < 3; ++j) gradient(3 * k + j) = slopes(j, i) * inputs(k, i);
        gradient.tail(3) = slopes.col(i);
        expected += gradient;
        CHECK(static_cast<double>(squared[static_cast<std::size_t>(i)]) ==
              Approx(gradient.squaredNorm()).epsilon(1e-14));
    }
    CHECK((sum - expected).norm() <= 1e-14);
}
