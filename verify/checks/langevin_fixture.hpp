#pragma once
#include <array>
#include <cmath>

#include "verify/checks/local_fixture.hpp"

namespace assay::verify {

// A posterior of three categories that Langevin dynamics of a small step should draw from: 12
// answers to sets of 0, 1 and 2 categories, and prior shapes at which its density is 0 where a
// component is.

inline constexpr std::array<double, 3> langevin_shapes{1.5, 2.0, 3.0};
inline constexpr double langevin_step = 0.01;
inline constexpr int langevin_burned = 10'000;
inline constexpr int langevin_updates = 1'000'000;

/// eps, kappa and a seed.
[[nodiscard]] Space langevin_space();
[[nodiscard]] LocalAnswers langevin_answers(const Point& point);

/// First and second moments of draws of theta.
class TraceMoments {
public:
    void add(const std::array<double, 3>& theta) {
        for (std::size_t i = 0; i < 3; ++i) {
            sum_[i] += theta[i];
            squares_[i] += theta[i] * theta[i];
        }
        count_ += 1.0;
    }
    [[nodiscard]] double mean(std::size_t i) const { return sum_[i] / count_; }
    [[nodiscard]] double deviation(std::size_t i) const {
        return std::sqrt(squares_[i] / count_ - mean(i) * mean(i));
    }

private:
    std::array<double, 3> sum_{};
    std::array<double, 3> squares_{};
    double count_ = 0.0;
};

/// The largest distance from the exact moments: of a mean in units of 0.15 standard deviations, of
/// the logarithm of a standard deviation in units of 0.12.
[[nodiscard]] double langevin_distance(const TraceMoments& found, const Point& point);

}  // namespace assay::verify
