#include <Eigen/Dense>
#include <array>
#include <cmath>
#include <vector>

#include "test_support/quantity_value.hpp"
#include "test_support/test_support.hpp"

using namespace assay;
using test_support::Parameters;
using test_support::quantity_value;
using test_support::quantity_values;

// Algorithm 2 of aydin2024 written out for one setting in double precision, every other quantity
// computed from its matrix of probabilities: a parameter passed on in another's place is seen.

namespace {

constexpr double categories = 4.0;
constexpr double epsilon = 1.2;
constexpr double share = 0.6;
const std::vector<double> subset{1.0, 3.0};  // as a line has it: from 1
const std::vector<double> counts{40.0, 30.0, 20.0, 10.0};
const Eigen::Vector4d theta(0.4, 0.3, 0.2, 0.1);

/// Theorem 1 with two outsiders.
double second_epsilon() {
    const double shrink = std::exp((share - 1.0) * epsilon);
    return std::min(epsilon, std::log(1.0 / (2.0 * shrink - 1.0)));
}

/// g(y | x) at (y, x), S = {1, 3}.
Eigen::Matrix4d response_matrix() {
    const double e1 = std::exp(share * epsilon);
    const double e2 = std::exp(second_epsilon());
    const double z1 = e1 + 2.0;
    const double z2 = e2 + 1.0;
    Eigen::Matrix4d g;
    for (int x = 0; x < 4; ++x)
        for (int y = 0; y < 4; ++y) {
            const bool inside_x = x % 2 == 0;
            const bool inside_y = y % 2 == 0;
            if (inside_y)
                g(y, x) = (x == y ? e1 : 1.0) / z1;
            else if (inside_x)
                g(y, x) = 1.0 / (2.0 * z1);
            else
                g(y, x) = e1 / z1 * (x == y ? e2 : 1.0) / z2;
        }
    return g;
}

void check(const Enclosure& found, double expected) {
    CHECK(found.lower == Approx(expected).epsilon(1e-9));
    CHECK(found.upper == Approx(expected).epsilon(1e-9));
}

}  // namespace

TEST_CASE("the mechanism's probabilities are those of Algorithm 2", "[formulas]") {
    const Eigen::Matrix4d g = response_matrix();
    check(quantity_value("rrrr.epsilon_2",
                         {{"K", categories}, {"k", 2.0}, {"eps", epsilon}, {"kappa", share}}),
          second_epsilon());
    for (int x = 0; x < 4; ++x)
        for (int y = 0; y < 4; ++y)
            check(quantity_value("rrrr.response_probability", {{"K", categories},
                                                               {"S", subset},
                                                               {"eps", epsilon},
                                                               {"kappa", share},
                                                               {"y", y + 1.0},
                                                               {"x", x + 1.0}}),
                  g(y, x));
    for (int y = 0; y < 4; ++y)
        check(quantity_value("rrrr.response_marginal", {{"K", categories},
                                                        {"S", subset},
                                                        {"eps", epsilon},
                                                        {"kappa", share},
                                                        {"theta_counts", counts},
                                                        {"y", y + 1.0}}),
              (g * theta)(y));
    check(quantity_value("srr.honest_probability", {{"K", categories}, {"eps", epsilon}}),
          std::exp(epsilon) / (std::exp(epsilon) + 3.0));
    // theta proportional to 1, 1/2, 1/4, 1/8 and S = {1, 2}: theta_1 and theta_2 are inside.
    check(quantity_value(
              "rrrr.honest_probability_geometric",
              {{"K", categories}, {"k", 2.0}, {"eps", epsilon}, {"kappa", share}, {"ratio", 2.0}}),
          (1.5 * g(0, 0) + 0.375 * g(1, 1)) / 1.875);
    const double worst =
        (g.rowwise().maxCoeff().array() / g.rowwise().minCoeff().array()).log().maxCoeff();
    check(quantity_value("rrrr.max_log_ratio",
                         {{"K", categories}, {"k", 2.0}, {"eps", epsilon}, {"kappa", share}}),
          worst);
    // With eps2 = 0 honest outsiders answer as others: e1/(2 Z1) against 1/(2 Z1) outside, e1
    // inside.
    check(quantity_value("rrrr.max_log_ratio_as_released", {{"K", categories},
                                                            {"k", 2.0},
                                                            {"eps", epsilon},
                                                            {"kappa", share},
                                                            {"code_eps2", 0.0}}),
          share * epsilon);
}

TEST_CASE("Fisher informations and utilities are those of the response matrix", "[formulas]") {
    const Eigen::Matrix4d g = response_matrix();
    const Eigen::Vector4d h = g * theta;
    const Parameters by_theta = {{"K", categories},
                                 {"S", subset},
                                 {"eps", epsilon},
                                 {"kappa", share},
                                 {"theta_counts", counts}};
    check(quantity_value("rrrr.response_matrix_determinant",
                         {{"K", categories}, {"S", subset}, {"eps", epsilon}, {"kappa", share}}),
          g.determinant());
    const Eigen::MatrixXd slopes = g.leftCols(3).colwise() - g.col(3);
    const Eigen::MatrixXd fisher = slopes.transpose() * h.cwiseInverse().asDiagonal() * slopes;
    check(quantity_value("rrrr.fisher_determinant", by_theta), fisher.determinant());
    const double trace = fisher.inverse().trace();
    check(quantity_value("rrrr.trace_inverse_fisher_drop_last", by_theta), trace);
    check(quantity_value("rrrr.trace_inverse_fisher_drop_smallest", by_theta), trace);
    const Eigen::Matrix4d inverse = g.inverse();
    const Eigen::MatrixXd covariance =
        inverse * h.asDiagonal() * inverse.transpose() - theta * theta.transpose();
    check(quantity_value("rrrr.trace_full_covariance", by_theta), covariance.trace());

    const auto utility = [&](const char* name) {
        return quantity_value(
            name, {{"theta_counts", counts}, {"eps", epsilon}, {"kappa", share}, {"S", subset}});
    };
    check(utility("utility.fisher_information"), -trace);
    check(utility("utility.entropy"), (h.array() * h.array().log()).sum());
    check(utility("utility.posterior_total_variation"),
          0.5 * ((g.colwise() - h).cwiseAbs() * theta).sum());
    check(utility("utility.marginal_total_variation"), -0.5 * (h - theta).cwiseAbs().sum());
    const Eigen::Matrix4d joint = g * theta.asDiagonal();
    check(utility("utility.mean_squared_error"),
          (joint.cwiseAbs2().rowwise().sum().array() / h.array()).sum() - 1.0);
    check(utility("utility.honest_response"), joint.trace());
}

TEST_CASE("posteriors of one answer are moments of the prior", "[formulas]") {
    const Eigen::Matrix4d g = response_matrix();
    const std::vector<formulas::Answered> data{{2, {1, 3}}};  // y = 2 with S = {1, 3}
    const Eigen::RowVector4d of_answer = g.row(1);
    const std::vector<double> rho{1.5, 2.0, 0.5, 3.0};
    const Eigen::Vector4d prior(1.5, 2.0, 0.5, 3.0);
    const double total = prior.sum();
    const Parameters by_prior = {
        {"K", categories}, {"eps", epsilon}, {"kappa", share}, {"rho", rho}, {"data", data}};
    const double marginal = of_answer.dot(prior) / total;
    check(quantity_value("posterior.log_marginal_likelihood", by_prior), std::log(marginal));
    const auto mean = quantity_values("posterior.mean", by_prior);
    const auto variance = quantity_values("posterior.variance", by_prior);
    for (int i = 0; i < 4; ++i) {
        double first = 0.0;
        double second = 0.0;
        for (int x = 0; x < 4; ++x) {
            const double more = x == i ? 1.0 : 0.0;
            const double weight = of_answer(x) * prior(x) / total / marginal;
            first += weight * (prior(i) + more) / (total + 1.0);
            second += weight * (prior(i) + more) * (prior(i) + more + 1.0) /
                      ((total + 1.0) * (total + 2.0));
        }
        check(mean.at(static_cast<std::size_t>(i)), first);
        check(variance.at(static_cast<std::size_t>(i)), second - first * first);
    }

    const std::vector<double> tenths{5.0, 10.0, 20.0, 15.0};
    const Eigen::Vector4d phi(0.5, 1.0, 2.0, 1.5);
    const double likelihood = of_answer.dot(phi) / phi.sum();
    check(quantity_value("posterior.log_likelihood", {{"K", categories},
                                                      {"eps", epsilon},
                                                      {"kappa", share},
                                                      {"phi_times_10", tenths},
                                                      {"data", data}}),
          std::log(likelihood));
    const auto gradient = quantity_values("posterior.gradient_phi", {{"K", categories},
                                                                     {"eps", epsilon},
                                                                     {"kappa", share},
                                                                     {"phi_times_10", tenths},
                                                                     {"rho", rho},
                                                                     {"data", data}});
    for (int i = 0; i < 4; ++i)
        check(gradient.at(static_cast<std::size_t>(i)),
              (prior(i) - 1.0) / phi(i) - 1.0 + (of_answer(i) / likelihood - 1.0) / phi.sum());
}
