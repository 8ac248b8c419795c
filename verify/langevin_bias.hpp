#pragma once
#include <array>

namespace assay::verify {

using ThreeNumbers = std::array<double, 3>;

/// The posterior of three categories after 1500 answers of standard randomised response in the
/// proportions of h at theta = (3, 2, 1)/6, prior shapes 1: sums over a grid of the simplex.
struct KnownPosterior {
    ThreeNumbers counts;  // of the answers
    ThreeNumbers mean;
    ThreeNumbers deviation;
};

[[nodiscard]] KnownPosterior known_posterior(double epsilon);

/// What stochastic gradient Langevin dynamics makes of it with the step 0.5/1500 and subsamples of
/// 50 with replacement, by a program of its own; the chains are the same each time, and long enough
/// for ratios to 0.02 and a mean to 0.3.
struct LangevinBias {
    ThreeNumbers ratio;     // of the standard deviations of theta_i, SGLD over exact
    double mean_sum = 0.0;  // of phi_1 + phi_2 + phi_3; 3 under the target
};

[[nodiscard]] LangevinBias langevin_bias(double epsilon);

}  // namespace assay::verify
