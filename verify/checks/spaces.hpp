#pragma once
#include "verify/space.hpp"

namespace assay::verify {

// The ranges that the library admits, with the corners where formulas break.

/// alpha: 1 + 1e-6 .. 1e4.
[[nodiscard]] Dimension order_dimension(double low = 1.0 + 1e-6, double high = 1e4);
/// Integer orders 2 .. high.
[[nodiscard]] Dimension integer_order_dimension(double high);
/// sigma or s: 0.05 .. 1e4.
[[nodiscard]] Dimension noise_dimension(const char* name = "sigma", double low = 0.05,
                                        double high = 1e4);
/// The largest q that a mechanism admits.
constexpr double largest_probability = 1.0 - 0x1p-53;
/// q: 1e-12 .. the largest.
[[nodiscard]] Dimension probability_dimension(double low = 1e-12,
                                              double high = largest_probability);
/// m: 3 .. high.
[[nodiscard]] Dimension terms_dimension(double high = 64.0);
/// An integer from low to high, log-uniform.
[[nodiscard]] Dimension count_dimension(const char* name, double low, double high,
                                        std::vector<double> corners);
/// eps: 0, and log-uniform in [1e-3, high].
[[nodiscard]] Dimension epsilon_dimension(double high = 30.0);
/// A number log-uniform in [low, high].
[[nodiscard]] Dimension positive_dimension(const char* name, double low, double high,
                                           std::vector<double> corners = {});
/// A number uniform in [low, high].
[[nodiscard]] Dimension linear_dimension(const char* name, double low, double high,
                                         std::vector<double> corners = {});

}  // namespace assay::verify
