#pragma once
#include <span>
#include <vector>

#include "assay/datasets/dataset.hpp"
#include "assay/dpsgd/model.hpp"
#include "verify/oracles/interval.hpp"
#include "verify/space.hpp"

namespace assay::verify {

// Small networks whose weights and examples are drawn from a point, over all orders of magnitude.

constexpr int networks = 5;  // one of each kind of layer, "net" = 0 .. 4

struct NetworkFixture {
    Architecture architecture;
    Dataset data;
};

/// `examples` random examples for network "net", from the coordinate "seed", multiplied by
/// 10^"inputs"; with "bad" in 1 .. 4 and "where" = 1 one value of example 0 is NaN, inf, -inf or
/// denormal.
[[nodiscard]] NetworkFixture network_fixture(const Point& point, int examples);

/// A model with parameters multiplied by 10^("weights" x most), most = 46 for float, 320 for
/// double; with "bad" in 1 .. 4 and "where" = 0 one of them is NaN, inf, -inf or denormal.
template <class Real>
[[nodiscard]] Model<Real> scaled_model(const NetworkFixture& fixture, const Point& point);

/// sqrt(sum x_i^2) rounded up, from the exact squares; NaN where one is not a number.
template <class Real>
[[nodiscard]] double norm_above(std::span<const Real> x);

extern template Model<float> scaled_model(const NetworkFixture&, const Point&);
extern template Model<double> scaled_model(const NetworkFixture&, const Point&);
extern template double norm_above(std::span<const float>);
extern template double norm_above(std::span<const double>);

}  // namespace assay::verify
