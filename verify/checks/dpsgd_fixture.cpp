#include "verify/checks/dpsgd_fixture.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "verify/checks/local_fixture.hpp"

namespace assay::verify {

namespace {

constexpr long norm_bits = 128;

/// What "bad" puts in the place of a number.
template <class Real>
Real bad_number(long bad) {
    using Limits = std::numeric_limits<Real>;
    const std::array<Real, 5> numbers{Real(0), Limits::quiet_NaN(), Limits::infinity(),
                                      -Limits::infinity(), 3 * Limits::denorm_min()};
    return numbers.at(static_cast<std::size_t>(bad));
}

NetworkFixture empty_fixture(long network) {
    const ExampleShape image{{2, 5, 7}, 70, {}, 4};
    switch (network) {
        case 0: return {LogisticRegression{}, {"", {{}, 6, {}, 3}, {}, {}, {}}};
        case 1: return {LogisticRegression{}, {"", {{}, 6, {}, 2}, {}, {}, {}}};
        case 2: return {MultilayerPerceptron{{9, 7}}, {"", {{}, 11, {}, 5}, {}, {}, {}}};
        case 3: return {ConvolutionalNetwork{{4, 6}, 3, {7}}, {"", image, {}, {}, {}}};
        default: return {ClickNetwork{3, {7, 5}}, {"", {{}, 2, {4, 1, 6}, 2}, {}, {}, {}}};
    }
}

}  // namespace

NetworkFixture network_fixture(const Point& point, int examples) {
    NetworkFixture fixture = empty_fixture(point.integer("net"));
    Dataset& data = fixture.data;
    Draws draws = draws_at(point, "examples");
    const double size = std::pow(10.0, point["inputs"]);
    for (int i = 0; i < examples; ++i) {
        for (int k = 0; k < data.shape.values; ++k)
            data.values.push_back(static_cast<float>(size * draws.normal()));
        for (const std::int32_t rows : data.shape.categories)
            data.categories.push_back(
                static_cast<std::int32_t>(draws.below(static_cast<std::size_t>(rows))));
        data.labels.push_back(
            static_cast<std::int32_t>(draws.below(static_cast<std::size_t>(data.shape.classes))));
    }
    if (point.integer("bad") != 0 && point.integer("where") == 1)
        data.values[draws.below(static_cast<std::size_t>(data.shape.values))] =
            bad_number<float>(point.integer("bad"));
    return fixture;
}

template <class Real>
Model<Real> scaled_model(const NetworkFixture& fixture, const Point& point) {
    Draws draws = draws_at(point, "parameters");
    Model<Real> model(fixture.architecture, fixture.data.shape,
                      static_cast<std::uint64_t>(point.integer("seed")));
    const double most = sizeof(Real) == 4 ? 46.0 : 320.0;
    const double size = std::pow(10.0, point["weights"] * most);
    for (Real& parameter : model.parameters()) {
        parameter += static_cast<Real>(0.2 * draws.normal());
        // Some stay, so that the scales mix.
        if (draws.uniform() < 0.7) parameter = static_cast<Real>(parameter * size);
    }
    if (point.integer("bad") != 0 && point.integer("where") == 0)
        model.parameters()[draws.below(model.parameters().size())] =
            bad_number<Real>(point.integer("bad"));
    return model;
}

template <class Real>
double norm_above(std::span<const Real> x) {
    Interval sum(0.0, norm_bits);
    for (const Real value : x) {
        if (std::isnan(value)) return std::numeric_limits<double>::quiet_NaN();
        if (value != Real(0)) sum += square(Interval(static_cast<double>(value), norm_bits));
    }
    return sqrt(sum).upper_double();
}

template Model<float> scaled_model(const NetworkFixture&, const Point&);
template Model<double> scaled_model(const NetworkFixture&, const Point&);
template double norm_above(std::span<const float>);
template double norm_above(std::span<const double>);

}  // namespace assay::verify
