#include "assay/dpsgd/group_norm.hpp"

#include "test_support/network_test_support.hpp"
#include "test_support/test_support.hpp"

using namespace assay;
using test_support::Random;
using test_support::random_numbers;

namespace {

constexpr GroupNorm layer{3, 6, 2};  // positions, channels, groups

/// From the definition, for one example.
std::vector<long double> by_definition(const std::vector<double>& parameters,
                                       const std::vector<double>& x) {
    std::vector<long double> y(18);
    for (std::size_t group = 0; group < 2; ++group) {
        long double mean = 0.0L;
        long double square = 0.0L;
        for (std::size_t p = 0; p < 3; ++p)
            for (std::size_t c = 3 * group; c < 3 * group + 3; ++c) {
                mean += x[6 * p + c] / 9.0L;
                square += static_cast<long double>(x[6 * p + c]) * x[6 * p + c] / 9.0L;
            }
        const long double deviation = std::sqrt(square - mean * mean + 1e-5L);
        for (std::size_t p = 0; p < 3; ++p)
            for (std::size_t c = 3 * group; c < 3 * group + 3; ++c)
                y[6 * p + c] =
                    (x[6 * p + c] - mean) / deviation * parameters[c] + parameters[6 + c];
    }
    return y;
}

}  // namespace

TEST_CASE("group normalisation and its gradients are those of the definition", "[dpsgd]") {
    Random random(6);
    CAPTURE(random.seed());
    for (int trial = 0; trial < 20; ++trial) {
        auto parameters = random_numbers<double>(random, 12);
        auto x = random_numbers<double>(random, 18);
        const auto d = random_numbers<double>(random, 18);
        const auto value = [&] {
            const auto y = by_definition(parameters, x);
            long double sum = 0.0L;
            for (std::size_t i = 0; i < 18; ++i) sum += d[i] * y[i];
            return sum;
        };
        const auto slope = [&](double& of) {
            const double kept = of;
            of = kept + 0x1p-20;
            const long double above = value();
            of = kept - 0x1p-20;
            const long double below = value();
            of = kept;
            return static_cast<double>((above - below) * 0x1p19L);
        };
        const LayerInput<double> in{x.data(), nullptr, 1};
        std::vector<double> y(18);
        std::vector<double> dx(18);
        std::vector<double> held(12);
        layer.forward(parameters.data(), in, y.data());
        layer.backward(parameters.data(), in, d.data(), dx.data(), held.data());
        const auto exact = by_definition(parameters, x);
        for (std::size_t i = 0; i < 18; ++i) {
            CHECK(y[i] == Approx(static_cast<double>(exact[i])).margin(1e-13));
            CHECK(dx[i] == Approx(slope(x[i])).margin(1e-8));
        }
        for (std::size_t i = 0; i < 12; ++i)
            CHECK(held[i] == Approx(slope(parameters[i])).margin(1e-8));
    }
}

TEST_CASE("constant channels are normalised to 0", "[dpsgd]") {
    const std::vector<double> parameters{1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0};
    const std::vector<double> x(18, 4.0);
    std::vector<double> y(18, 1.0);
    layer.forward<double>(parameters.data(), {x.data(), nullptr, 1}, y.data());
    CHECK(y == std::vector<double>(18, 0.0));
}
