#pragma once
#include <span>
#include <vector>

#include "assay/ldp/category_subset.hpp"
#include "assay/ldp/certified_response.hpp"

namespace assay {

/// The utilities of aydin2024 Section 4.2 and the determinants and traces behind the first, at one
/// theta and for one set S, every one between proved ends.
///
/// theta_i = w_i / sum w for weights w >= 0: counts below 2^53 are taken exactly, so that theta
/// need not be a double. Neither theta nor S need be sorted or fit together. All sums are of terms
/// of one sign (docs/error_bounds.md#certified-utilities): the relative width stays near 10^-15
/// for K = 1000 even where a utility is close to 0.
class CertifiedUtilities {
public:
    ///   Throws     DomainError (weights) unless they are >= 0 and finite, some > 0, one a category
    ///              of the mechanism; (subset) unless it is a set of these categories
    CertifiedUtilities(const RestrictedResponse& mechanism, std::span<const double> weights,
                       const CategorySubset& subset);

    [[nodiscard]] const CertifiedDistribution& distribution() const { return distribution_; }
    [[nodiscard]] int categories() const { return distribution_.categories; }

    /// theta_i, and h(y) = sum_x g(y | x) theta_x with its complement 1 - h(y).
    ///   Domain     0 <= i, y < K      Cost  O(1)
    [[nodiscard]] RealInterval frequency(int i) const;
    [[nodiscard]] RealInterval marginal(int y) const;
    [[nodiscard]] RealInterval marginal_complement(int y) const;

    // U1, .., U6; each costs O(K).
    /// U1 = -tr F^-1 without the smallest theta, of equal ones the last; -inf for a singular F.
    [[nodiscard]] RealInterval fisher_information() const;
    /// U2 = sum_y h ln h.
    [[nodiscard]] RealInterval entropy() const;
    /// U3 = 1/2 sum_xy theta_x |g(y | x) - h(y)|.
    [[nodiscard]] RealInterval posterior_total_variation() const;
    /// U4 = -1/2 sum_y |h(y) - theta_y|.
    [[nodiscard]] RealInterval marginal_total_variation() const;
    /// U5 = sum_xy g(y | x)^2 theta_x^2 / h(y) - 1.
    [[nodiscard]] RealInterval mean_squared_error() const;
    /// U6 = P(Y = X).
    [[nodiscard]] RealInterval honest_response() const;

    /// tr(G^-1 D G^-T - theta theta^T), D = diag(h); inf for a singular G.    Cost  O(K)
    [[nodiscard]] RealInterval trace_full_covariance() const;
    /// tr F^-1 where F is the Fisher information of theta without component `dropped`; the same
    /// where the smallest is dropped, of equal ones the last.                 Cost  O(K)
    [[nodiscard]] RealInterval trace_inverse_fisher(int dropped) const;
    [[nodiscard]] RealInterval trace_inverse_fisher_without_smallest() const;
    /// det F = det(G)^2 / prod h, whichever component is dropped.             Cost  O(K)
    [[nodiscard]] RealInterval fisher_determinant() const;

private:
    [[nodiscard]] RealInterval share(const RealInterval& weight) const { return weight / total_; }
    [[nodiscard]] RealInterval weight(int i) const { return weights_[static_cast<std::size_t>(i)]; }
    /// The weight of everything else (off S: everything else off S).
    [[nodiscard]] RealInterval others(int i) const { return total_ - weight(i); }
    [[nodiscard]] RealInterval other_outsiders(int i) const { return outside_ - weight(i); }
    [[nodiscard]] RealInterval outside_base() const;
    [[nodiscard]] RealInterval inside_marginal() const;
    [[nodiscard]] RealInterval variance(int i) const;
    [[nodiscard]] RealInterval trace_without(int dropped) const;
    [[nodiscard]] bool is_singular() const;

    std::vector<double> weights_;
    CategorySubset subset_;
    CertifiedDistribution distribution_;
    RealInterval total_;    // sum of all weights
    RealInterval inside_;   // sum over S
    RealInterval outside_;  // sum over the rest
};

/// det G = (honest - other in S)^k (honest - other off S)^(n-1).
///   Direction  enclosure; 0 for a singular G       Cost  O(log K)
[[nodiscard]] RealInterval response_determinant(const CertifiedDistribution& distribution);

/// A utility, as a member of CertifiedUtilities.
using CertifiedUtility = RealInterval (CertifiedUtilities::*)() const;

/// Where the best size lies: the smallest k <= K-1 that the mechanism admits at which the utility
/// is largest, S being the k largest theta. One number where the sizes can be told apart, tie in
/// points or are one mechanism, else from the least to the greatest of those that remain.
struct CertifiedSize {
    int lowest = 0;
    int highest = 0;

    [[nodiscard]] bool is_decided() const { return lowest == highest; }
};

/// arg max over k.
///   Direction  enclosure; an exact tie of irrational values stays undecided
///   Cost       O(K^2)                              Throws  DomainError, as CertifiedUtilities
[[nodiscard]] CertifiedSize certified_best_size(const RestrictedResponse& mechanism,
                                                std::span<const double> weights,
                                                CertifiedUtility utility);

}  // namespace assay
