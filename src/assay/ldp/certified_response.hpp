#pragma once
#include "assay/ldp/restricted_response.hpp"
#include "assay/numeric/interval.hpp"

namespace assay {

/// The five response probabilities of a mechanism with a set of one size (ResponseDistribution),
/// each between proved ends, and their differences, formed without cancellation.
///
/// The mechanism with S = everything is that of K - 1 categories in S, and is held as such.
struct CertifiedDistribution {
    int categories = 0;
    int subset_size = 0;  ///< at most K - 1

    RealInterval epsilon_1;  ///< budget share times epsilon
    RealInterval epsilon_2;
    RealInterval excess_1;  ///< e^epsilon_1 - 1
    RealInterval excess_2;  ///< e^epsilon_2 - 1

    RealInterval honest_inside;
    RealInterval other_inside;
    RealInterval outside_from_inside;
    RealInterval honest_outside;
    RealInterval other_outside;

    RealInterval inside_gain;        ///< honest_inside - other_inside
    RealInterval outside_gain;       ///< honest_outside - other_outside
    RealInterval outside_advantage;  ///< honest_outside - outside_from_inside
    RealInterval outsider_surplus;   ///< other_outside - outside_from_inside, of either sign

    [[nodiscard]] int outside() const { return categories - subset_size; }
    [[nodiscard]] const RealInterval& probability(bool y_inside, bool x_inside, bool same) const {
        if (y_inside) return same ? honest_inside : other_inside;
        if (x_inside) return outside_from_inside;
        return same ? honest_outside : other_outside;
    }
};

/// The second privacy parameter (complement_epsilon), enclosed.
///   Maths      eps where k = 0, n <= 1 or eps - eps1 >= ln n, else log1p of
///              min(e^eps - 1, n (1 - e^(eps1-eps)) / (n e^(eps1-eps) - 1));  n = K - k
///              (aydin2024 Theorem 1); as released min(eps, (k-1)/(k e^(eps1-eps) - 1))
///   Domain     0 <= subset_size <= K          Units  nats
///   Direction  enclosure; where the case cannot be told, it holds both
///   Cost       O(1)                           Throws  DomainError
[[nodiscard]] RealInterval certified_complement_epsilon(const RestrictedResponse& mechanism,
                                                        int subset_size);

/// The distribution of the mechanism, or of one with another second privacy parameter >= 0 in its
/// place.
///   Maths      with e1 = e^eps1, Z1 = e1 + k, Z2 = e^eps2 + n - 1: e1/Z1, 1/Z1, 1/(Z1 n),
///              e1 e^eps2/(Z1 Z2), e1/(Z1 Z2)   (aydin2024 Algorithm 2)
///   Direction  enclosure of relative width below 10^-15 as long as eps2's is
///   Cost       O(1)                           Throws  DomainError
[[nodiscard]] CertifiedDistribution certified_distribution(const RestrictedResponse& mechanism,
                                                           int subset_size);
[[nodiscard]] CertifiedDistribution certified_distribution(const RestrictedResponse& mechanism,
                                                           int subset_size, double epsilon_2);

/// P(Y = X) where S has the probability `inside_mass` and the rest `outside_mass`.
[[nodiscard]] RealInterval honest_probability(const CertifiedDistribution& distribution,
                                              const RealInterval& inside_mass,
                                              const RealInterval& outside_mass);

/// P(Y = X) where the probability of category i is proportional to ratio^-i and S is the first
/// categories.
///   Maths      P(S) = (1 - ratio^-k) / (1 - ratio^-K), by expm1      Domain  ratio > 0
///   Direction  enclosure                      Cost  O(1)       Throws  DomainError
[[nodiscard]] RealInterval honest_probability_geometric(const CertifiedDistribution& distribution,
                                                        double ratio);

/// Standard randomised response: e^eps / (e^eps + K - 1).
///   Direction  enclosure                      Throws  DomainError
[[nodiscard]] RealInterval standard_honest_probability(int categories, double epsilon);

}  // namespace assay
