#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "assay/numeric/enclosure.hpp"
#include "verify/checks/deviance.hpp"

namespace assay::verify {

/// An interval that contains sigma^2 but for a chance of 2 e^-x = false_alarm, when these are d
/// independent N(0, sigma^2): V / (1 + 2 sqrt(x/d) + 2x/d) .. V / (1 - 2 sqrt(x/d)) (Laurent and
/// Massart 2000, Lemma 1).
[[nodiscard]] inline Enclosure variance_interval(const std::vector<double>& z) {
    const auto d = static_cast<double>(z.size());
    const double x = std::log(2.0 / false_alarm);
    double sum = 0.0;
    for (const double value : z) sum += value * value;
    const double root = 2.0 * std::sqrt(x / d);
    return {sum / d / (1.0 + root + 2.0 * x / d), sum / d / (1.0 - root)};
}

/// |sum z_i w_i| / |w|: that of one standard normal when the z_i are, independent of the w_i.
[[nodiscard]] inline double correlation_statistic(const std::vector<double>& z,
                                                  const std::vector<double>& w) {
    double product = 0.0;
    double squares = 0.0;
    for (std::size_t i = 0; i < z.size(); ++i) {
        product += z[i] * w[i];
        squares += w[i] * w[i];
    }
    return std::abs(product) / std::sqrt(squares);
}

/// A standard normal exceeds it with probability 3e-10.
constexpr double most_deviations = 6.3;

}  // namespace assay::verify
