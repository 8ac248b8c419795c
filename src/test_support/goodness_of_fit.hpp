#pragma once
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/non_central_chi_squared.hpp>
#include <cmath>
#include <cstddef>
#include <vector>

/// Chi-square tests of the samplers' distributions, for the unit tests.
namespace assay::goodness_of_fit {

/// Tests reject below this; a chi-square test of a right sampler does so once in a million seeds.
inline constexpr double level = 1e-6;

inline double p_value(double statistic, double degrees) {
    return boost::math::cdf(complement(boost::math::chi_squared(degrees), statistic));
}

/// Pearson's test of counts against probabilities that add up to 1.
inline double p_value(const std::vector<double>& counts, const std::vector<double>& probabilities) {
    double draws = 0.0;
    for (const double count : counts) draws += count;
    double statistic = 0.0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const double expected = draws * probabilities[i];
        statistic += (counts[i] - expected) * (counts[i] - expected) / expected;
    }
    return p_value(statistic, static_cast<double>(counts.size()) - 1.0);
}

/// Counts that are equally likely.
inline double uniform_p_value(const std::vector<double>& counts) {
    return p_value(counts, std::vector<double>(counts.size(), 1.0 / double(counts.size())));
}

/// The power: the relative deviation of every cell (up in some, down in others) that `draws`
/// independent draws into `cells` equally likely cells show at `level` with probability 0.99.
inline double detected_deviation(std::size_t cells, double draws) {
    const double degrees = static_cast<double>(cells) - 1.0;
    const double critical =
        boost::math::quantile(complement(boost::math::chi_squared(degrees), level));
    const double noncentrality =
        boost::math::non_central_chi_squared::find_non_centrality(degrees, critical, 0.01);
    return std::sqrt(noncentrality / draws);
}

}  // namespace assay::goodness_of_fit
