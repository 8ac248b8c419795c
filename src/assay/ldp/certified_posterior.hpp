#pragma once
#include <span>
#include <vector>

#include "assay/ldp/category_subset.hpp"
#include "assay/ldp/certified_response.hpp"

namespace assay {

/// One answer and the set S with which it was asked for; categories are numbered from 0.
struct AnswerWithSubset {
    int response = 0;
    std::vector<int> subset;
};

/// What one answer says about theta: h(y) = sum_x g(y | x) theta_x, a linear form whose
/// coefficients take three values at most.
class ResponseLikelihood {
public:
    ///   Throws     DomainError (subset, response): a category that is none of the mechanism's
    ResponseLikelihood(const RestrictedResponse& mechanism, const AnswerWithSubset& answer);

    /// g(y | x), enclosed, 0 <= x < K.
    [[nodiscard]] const RealInterval& coefficient(int x) const;

    // Where theta_x = weight_x / total; each costs O(K).
    /// h(y).
    [[nodiscard]] RealInterval marginal(std::span<const double> weights,
                                        const RealInterval& total) const;
    /// ln h(y), whose digits are kept where h(y) is close to 1.
    [[nodiscard]] RealInterval log_marginal(std::span<const double> weights,
                                            const RealInterval& total) const;
    /// g(y | x) / h(y) - 1 for every x, without the cancellation.
    [[nodiscard]] std::vector<RealInterval> scores(std::span<const double> weights,
                                                   const RealInterval& total) const;

private:
    [[nodiscard]] RealInterval inside_weight(std::span<const double> weights) const;
    [[nodiscard]] RealInterval outside_weight(std::span<const double> weights) const;

    CategorySubset subset_;
    CertifiedDistribution distribution_;
    int response_;
};

/// ln P(answers | theta) = sum_t ln h_t(y_t), theta_x = weight_x / sum of weights.
///   Domain     weights >= 0, some > 0, one a category     Units  nats
///   Direction  enclosure                                  Cost   O(answers K)
///   Throws     DomainError
[[nodiscard]] RealInterval certified_log_likelihood(const RestrictedResponse& mechanism,
                                                    std::span<const double> weights,
                                                    std::span<const AnswerWithSubset> answers);

/// Gradient of the log posterior density in phi, theta = phi / sum phi, phi_i ~ Gamma(rho_i, 1).
///   Maths      (rho_i - 1)/phi_i - 1 + sum_t (g_t(y_t | i) / h_t(y_t) - 1) / sum phi
///              (aydin2024 Proposition 4, with rho_i for alpha_i); phi = weights / scale
///   Domain     weights > 0, rho > 0, scale > 0            Cost   O(answers K)
///   Direction  enclosure                                  Throws  DomainError
[[nodiscard]] std::vector<RealInterval> certified_gradient_phi(
    const RestrictedResponse& mechanism, std::span<const double> weights, double scale,
    std::span<const double> rho, std::span<const AnswerWithSubset> answers);

}  // namespace assay
