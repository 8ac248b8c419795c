#pragma once
#include <vector>

#include "verify/oracles/local_response.hpp"

namespace assay::verify {

/// Answers to the sets they were asked with; categories from 0.
struct LocalAnswers {
    int categories = 0;
    double epsilon = 0.0;
    double budget_share = 0.0;
    std::vector<std::vector<int>> subsets;
    std::vector<int> responses;
};

/// sum_t log h_t(y_t), theta = weights / sum of weights.
[[nodiscard]] Interval local_log_likelihood(const LocalAnswers& answers,
                                            const std::vector<double>& weights, long bits);

/// d/dphi_i of sum_j ((rho_j - 1) log phi_j - phi_j) + the log likelihood at phi = weights / scale,
/// from the values at phi_i +- delta alone:
///   |f'(x) - (f(x + delta) - f(x - delta)) / (2 delta)| <= delta^2 sup |f'''| / 6, and the third
///   derivative of the logarithm of an increasing affine function of phi_i >= 0 that is not
///   negative at phi_i = 0 is at most 2/phi_i^3 and at least 0.
[[nodiscard]] Interval local_gradient(const LocalAnswers& answers,
                                      const std::vector<double>& weights, double scale,
                                      const std::vector<double>& rho, int i, long bits);

/// What the posterior of theta ~ Dir(rho) gives the first moments of theta_i.
struct LocalMoments {
    Interval log_marginal_likelihood;
    std::vector<Interval> mean;
    std::vector<Interval> variance;
};

/// For two or three categories: the likelihood is a polynomial in theta_1 .. theta_{K-1}, as
/// theta_K = 1 - the others, whose monomials have the moments
///   E theta_1^a theta_2^b = (rho_1)_a (rho_2)_b / (sum rho)_{a+b}, (r)_a = r (r+1) .. (r+a-1).
[[nodiscard]] LocalMoments local_moments(const LocalAnswers& answers,
                                         const std::vector<double>& rho, long bits);

}  // namespace assay::verify
