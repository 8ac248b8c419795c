#include "assay/ldp/utilities_dense.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "test_support/enumerated_response.hpp"

namespace assay {
namespace {

using test_support::Random;
using test_support::Wide;

/// A set of any categories, and a distribution whose smallest category is the last.
struct Case {
    RestrictedResponse mechanism;
    std::vector<int> members;
    std::vector<double> theta;
};

Case random_case(Random& random) {
    Case c;
    c.mechanism = {.categories = random.integer(2, 7),
                   .epsilon = random.uniform(0.3, 5.0),
                   .budget_share = random.uniform(0.3, 0.98)};
    double sum = 0.0;
    for (int x = 0; x < c.mechanism.categories; ++x) {
        if (random.integer(0, 1) == 1) c.members.push_back(x);
        c.theta.push_back(random.uniform(0.2, 1.0));
        if (x == c.mechanism.categories - 1) c.theta.back() = 0.1;
        sum += c.theta.back();
    }
    for (double& p : c.theta) p /= sum;
    std::reverse(c.members.begin(), c.members.end());
    return c;
}

}  // namespace

TEST_CASE("dense utilities of any set agree with their definitions", "[utilities-dense]") {
    Random random(51);
    CAPTURE(random.seed());
    for (int trial = 0; trial < 40 * test_support::effort(); ++trial) {
        const Case c = random_case(random);
        const CategorySubset subset(c.mechanism.categories, c.members);
        const auto g = test_support::enumerate_matrix(c.mechanism, c.members);
        const Eigen::MatrixXd response = response_matrix(c.mechanism, subset);
        for (Eigen::Index y = 0; y < response.rows(); ++y)
            for (Eigen::Index x = 0; x < response.cols(); ++x) {
                const auto exact = static_cast<double>(
                    g[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)]);
                CHECK(response(y, x) == Approx(exact).epsilon(1e-14));
            }
        for (const Utility utility : all_utilities) {
            const auto truth =
                static_cast<double>(test_support::utility_by_definition(utility, g, c.theta));
            CAPTURE(trial, c.members.size(), to_string(utility));
            const double dense = dense_utility(utility, c.mechanism, subset, c.theta);
            CHECK(std::fabs(dense - truth) <= 1e-11 * std::max(1.0, std::fabs(truth)));
        }
    }
}

TEST_CASE("dense U1 drops the last of the smallest categories", "[utilities-dense]") {
    const RestrictedResponse m{.categories = 4, .epsilon = 1.0, .budget_share = 0.8};
    const CategorySubset subset(4, std::vector<int>{1});
    const std::vector<double> theta{0.1, 0.6, 0.2, 0.1};
    const Eigen::MatrixXd g = response_matrix(m, subset);
    const auto trace_without = [&](int dropped) {
        const Eigen::MatrixXd fisher = dense_fisher_information(g, theta, dropped);
        const Eigen::MatrixXd identity = Eigen::MatrixXd::Identity(3, 3);
        return fisher.ldlt().solve(identity).trace();
    };
    const double value = dense_utility(Utility::fisher_information, m, subset, theta);
    CHECK(-value == Approx(trace_without(3)).epsilon(1e-11));
    CHECK(-value == Approx(trace_without(0)).epsilon(1e-11));  // as probable, and outside as well
    CHECK(std::fabs(value + trace_without(1)) > 1.0);
}

TEST_CASE("dense U1 of a singular mechanism is -inf", "[utilities-dense]") {
    const std::vector<double> theta{0.4, 0.3, 0.2, 0.1};
    const CategorySubset pair(4, std::vector<int>{0, 1});
    for (const double share : {0.0, 1.0}) {
        const RestrictedResponse m{.categories = 4, .epsilon = 1.0, .budget_share = share};
        CHECK(dense_utility(Utility::fisher_information, m, pair, theta) == -INFINITY);
    }
}

TEST_CASE("dense utilities refuse what does not fit", "[utilities-dense]") {
    const RestrictedResponse m{.categories = 3, .epsilon = 1.0, .budget_share = 0.8};
    const auto refused = [&](int categories, const std::vector<double>& theta) {
        return test_support::refused(
            [&] { return dense_utility(Utility::entropy, m, CategorySubset(categories), theta); });
    };
    CHECK(refused(3, {0.5, 0.3, 0.2}).empty());
    CHECK(refused(4, {0.5, 0.3, 0.2}) == "categories");
    CHECK(refused(3, {0.5, 0.5}) == "probabilities");
    CHECK(refused(3, {0.5, 0.3, 0.1}) == "probabilities");
    CHECK(refused(3, {0.9, 0.3, -0.2}) == "probabilities");
    CHECK(test_support::refused([&] {
              const Eigen::MatrixXd g = response_matrix(m, CategorySubset(3));
              return dense_fisher_information(g, std::vector<double>{0.5, 0.3, 0.2}, 3);
          }) == "category");
}

}  // namespace assay
