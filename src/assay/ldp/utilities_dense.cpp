#include "assay/ldp/utilities_dense.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <cmath>
#include <cstddef>
#include <limits>

#include "assay/numeric/errors.hpp"

namespace assay {

namespace {

Eigen::VectorXd distribution(std::span<const double> probability, Eigen::Index categories) {
    if (static_cast<Eigen::Index>(probability.size()) != categories)
        throw DomainError("probabilities", fmt::format("{} values", probability.size()),
                          fmt::format("one a category, {}", categories));
    for (const double p : probability) require(p >= 0.0, "probabilities", p, "numbers >= 0");
    Eigen::VectorXd theta = Eigen::Map<const Eigen::VectorXd>(probability.data(), categories);
    require(std::fabs(theta.sum() - 1.0) <= sum_tolerance, "probabilities", theta.sum(),
            "a sum of 1");
    return theta;
}

int last_smallest(const Eigen::VectorXd& theta) {
    Eigen::Index smallest = 0;
    for (Eigen::Index x = 1; x < theta.size(); ++x)
        if (theta[x] <= theta[smallest]) smallest = x;
    return static_cast<int>(smallest);
}

/// det G = a1^k d^(n-1): singular where a factor that occurs is 0.
bool singular(const ResponseDistribution& distribution) {
    const int outside = distribution.categories - distribution.subset_size;
    return (distribution.subset_size > 0 &&
            distribution.honest_inside == distribution.other_inside) ||
           (outside > 1 && distribution.honest_outside == distribution.other_outside);
}

}  // namespace

Eigen::MatrixXd response_matrix(const RestrictedResponse& mechanism, const CategorySubset& subset) {
    require(subset.categories() == mechanism.categories, "categories", subset.categories(),
            "as many in the subset as in the mechanism");
    const ResponseDistribution distribution = response_distribution(mechanism, subset.size());
    Eigen::MatrixXd response(mechanism.categories, mechanism.categories);
    for (int x = 0; x < mechanism.categories; ++x)
        for (int y = 0; y < mechanism.categories; ++y)
            response(y, x) =
                distribution.probability(subset.contains(y), subset.contains(x), x == y);
    return response;
}

Eigen::MatrixXd dense_fisher_information(const Eigen::MatrixXd& response,
                                         std::span<const double> probability, int dropped) {
    const Eigen::Index categories = response.rows();
    require(dropped >= 0 && dropped < categories, "category", dropped, "a category");
    const Eigen::VectorXd marginal = response * distribution(probability, categories);
    Eigen::MatrixXd scores(categories, categories - 1);
    for (Eigen::Index x = 0; x + 1 < categories; ++x)
        scores.col(x) = response.col(x < dropped ? x : x + 1) - response.col(dropped);
    return scores.transpose() * marginal.cwiseInverse().asDiagonal() * scores;
}

double dense_utility(Utility utility, const RestrictedResponse& mechanism,
                     const CategorySubset& subset, std::span<const double> probability) {
    const Eigen::MatrixXd g = response_matrix(mechanism, subset);
    const Eigen::VectorXd theta = distribution(probability, g.rows());
    const Eigen::VectorXd h = g * theta;
    double sum = 0.0;
    switch (utility) {
        case Utility::fisher_information:
            if (singular(response_distribution(mechanism, subset.size())))
                return -std::numeric_limits<double>::infinity();
            return -dense_fisher_information(g, probability, last_smallest(theta))
                        .inverse()
                        .trace();
        case Utility::entropy:
            for (const double p : h) sum += p > 0.0 ? p * std::log(p) : 0.0;
            return sum;
        case Utility::posterior_total_variation:
            for (Eigen::Index x = 0; x < g.cols(); ++x)
                for (Eigen::Index y = 0; y < g.rows(); ++y)
                    sum += std::fabs(g(y, x) * theta[x] - h[y] * theta[x]);
            return 0.5 * sum;
        case Utility::marginal_total_variation: return 0.0 - 0.5 * (h - theta).lpNorm<1>();
        case Utility::mean_squared_error:
            for (Eigen::Index x = 0; x < g.cols(); ++x)
                for (Eigen::Index y = 0; y < g.rows(); ++y) {
                    const double joint = g(y, x) * theta[x];
                    sum += h[y] > 0.0 ? joint * joint / h[y] : 0.0;
                }
            return sum - 1.0;
        case Utility::honest_response: return g.diagonal().dot(theta);
    }
    return sum;
}

}  // namespace assay
