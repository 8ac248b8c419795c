#pragma once
#include <Eigen/Core>
#include <span>

#include "assay/ldp/category_subset.hpp"
#include "assay/ldp/restricted_response.hpp"
#include "assay/ldp/utilities.hpp"

namespace assay {

/// The reference for SubsetUtilities: the definitions of aydin2024 Section 4.2 term by term, with
/// the K x K matrix of response probabilities, for any set S.

/// G(y, x) = g(y | x).
///   Cost       O(K^2) memory and time        Throws  DomainError (categories)
[[nodiscard]] Eigen::MatrixXd response_matrix(const RestrictedResponse& mechanism,
                                              const CategorySubset& subset);

/// F = A^T diag(h)^-1 A over all categories but `dropped`, A_yx = G(y, x) - G(y, dropped), h = G
/// theta, in the order of the categories   (aydin2024 Proposition 1, with D = diag(h))
///   Throws     DomainError (probabilities, category)
[[nodiscard]] Eigen::MatrixXd dense_fisher_information(const Eigen::MatrixXd& response,
                                                       std::span<const double> probability,
                                                       int dropped);

/// The utility of S, theta in the order of the categories. U1 drops the last of the smallest
/// categories, and is -inf where G is singular.
///   Accuracy   about cond(F) 2^-53 for U1, else about K 2^-53
///   Cost       O(K^3) U1, O(K^2) the others      Throws  DomainError
[[nodiscard]] double dense_utility(Utility utility, const RestrictedResponse& mechanism,
                                   const CategorySubset& subset,
                                   std::span<const double> probability);

}  // namespace assay
