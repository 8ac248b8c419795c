#pragma once
#include <span>
#include <vector>

#include "assay/ldp/certified_posterior.hpp"

namespace assay {

/// The posterior of theta under a Dirichlet prior, without sampling.
struct ExactPosterior {
    std::vector<RealInterval> mean;        ///< E[theta_i | answers]
    std::vector<RealInterval> variance;    ///< Var[theta_i | answers]
    RealInterval log_marginal_likelihood;  ///< ln P(answers), nats
};

/// Posterior of theta ~ Dir(rho) after a few answers, by expanding the likelihood.
///   Maths      The likelihood is prod_t sum_x g_t(y_t | x) theta_x: summed over the vectors m of
///              counts of the unseen categories, |m| = n. Their joint weight grows answer by answer
///              as in a Polya urn, W(m + e_x) += W(m) g(y | x) (rho_x + m_x) / (sum rho + t); given
///              m, theta ~ Dir(rho + m)
///   Domain     rho > 0, and K C(n + K, K) <= 5 10^6 for n answers
///   Direction  enclosure; all terms are positive
///   Cost       K C(n + K, K) operations       Throws  DomainError (answers: too many)
[[nodiscard]] ExactPosterior exact_posterior(const RestrictedResponse& mechanism,
                                             std::span<const double> rho,
                                             std::span<const AnswerWithSubset> answers);

}  // namespace assay
