#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "assay/ldp/restricted_response.hpp"

/// For the tests: the posterior of theta for three categories by summation over a fine grid.
namespace assay::test_support {

/// An answer with the whole of its set.
struct KeptAnswer {
    CategorySubset subset;
    int response;
};

struct GridPosterior {
    std::array<double, 3> mean{};
    std::array<double, 3> deviation{};
    /// P(theta_i <= (c + 1) / cells)
    std::array<std::vector<double>, 3> distribution;

    [[nodiscard]] double quantile(int category, double share) const {
        const std::vector<double>& cdf = distribution[static_cast<std::size_t>(category)];
        const auto at = std::lower_bound(cdf.begin(), cdf.end(), share);
        return (static_cast<double>(at - cdf.begin()) + 0.5) / static_cast<double>(cdf.size());
    }
};

inline double log_likelihood(const RestrictedResponse& mechanism,
                             const std::vector<KeptAnswer>& answers,
                             const std::array<double, 3>& theta) {
    double sum = 0.0;
    for (const auto& [subset, response] : answers) {
        const ResponseDistribution distribution = response_distribution(mechanism, subset.size());
        double h = 0.0;
        for (int x = 0; x < 3; ++x)
            h += theta[static_cast<std::size_t>(x)] *
                 distribution.probability(subset.contains(response), subset.contains(x),
                                          x == response);
        sum += std::log(h);
    }
    return sum;
}

/// Prior Dirichlet(rho), rho_i >= 1; the middles of cells^2 / 2 triangles.
inline GridPosterior grid_posterior(const RestrictedResponse& mechanism,
                                    const std::vector<KeptAnswer>& answers,
                                    const std::array<double, 3>& rho, int cells) {
    GridPosterior result;
    for (auto& cdf : result.distribution) cdf.assign(static_cast<std::size_t>(cells), 0.0);
    double total = 0.0;
    std::array<double, 3> square{};
    const double peak = log_likelihood(mechanism, answers, {1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0});
    for (int a = 0; a < cells; ++a)
        for (int b = 0; a + b < cells; ++b)
            for (const double at : {1.0 / 3.0, 2.0 / 3.0}) {
                const double first = (a + at) / cells;
                const double second = (b + at) / cells;
                const std::array<double, 3> theta{first, second, 1.0 - first - second};
                if (theta[2] <= 0.0) continue;
                double weight = std::exp(log_likelihood(mechanism, answers, theta) - peak);
                for (std::size_t i = 0; i < 3; ++i) weight *= std::pow(theta[i], rho[i] - 1.0);
                total += weight;
                for (std::size_t i = 0; i < 3; ++i) {
                    result.mean[i] += weight * theta[i];
                    square[i] += weight * theta[i] * theta[i];
                    result.distribution[i][static_cast<std::size_t>(theta[i] * cells)] += weight;
                }
            }
    for (std::size_t i = 0; i < 3; ++i) {
        result.mean[i] /= total;
        result.deviation[i] = std::sqrt(square[i] / total - result.mean[i] * result.mean[i]);
        double sum = 0.0;
        for (double& cell : result.distribution[i]) cell = sum += cell / total;
    }
    return result;
}

}  // namespace assay::test_support
