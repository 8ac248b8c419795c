#pragma once
#include <string>

#include "assay/ldp/category_subset.hpp"
#include "assay/numeric/random_streams.hpp"

namespace assay {

/// Where the second privacy parameter of the mechanism comes from.
///   theorem      aydin2024 Theorem 1: the mechanism is epsilon-LDP
///   as_released  the table of the authors' program, min(eps, (k-1)/(e^(eps1-eps) k - 1)) with
///                k = |S|: not epsilon-LDP, for the comparison of figures only
enum class ResponseVariant { theorem, as_released };

/// "theorem", "as-released".
[[nodiscard]] std::string_view to_string(ResponseVariant variant);

/// Randomly restricted randomised response (RRRR, aydin2024 Algorithm 2): the answer to "which of K
/// categories are you?" is confined to a set S of likely categories and one random outsider.
struct RestrictedResponse {
    int categories = 0;
    double epsilon = 0.0;       ///< privacy parameter of the whole, nats
    double budget_share = 0.0;  ///< epsilon_1 / epsilon, in [0, 1]
    ResponseVariant variant = ResponseVariant::theorem;
    bool operator==(const RestrictedResponse&) const = default;
};

/// Throws DomainError unless 2 <= categories <= 10^6, 0 < epsilon <= 500 and
/// 0 <= budget_share <= 1.
void validate(const RestrictedResponse& mechanism);

/// The sizes of S among which the mechanism may choose: 0..K-1 by the theorem (0 is standard
/// randomised response), 1..K as released (K is the mechanism of K-1).
[[nodiscard]] int smallest_subset(const RestrictedResponse& mechanism);
[[nodiscard]] int largest_subset(const RestrictedResponse& mechanism);

/// Second privacy parameter epsilon_2, with which a category outside S is answered.
///   Maths      n = K - k outsiders: min(eps, ln((n-1) / (e^(eps1-eps) n - 1))) where k > 0 and
///              eps - eps1 < ln n, else eps   (aydin2024 Theorem 1)
///   Domain     0 <= subset_size <= K          Units  nats
///   Direction  none, to about 4 ulp, or e^eps2 2^-51 / (n-1) if that is more (eps - eps1 then is
///              close to ln n, and g hardly changes with eps2); response_audit says what it costs
[[nodiscard]] double complement_epsilon(const RestrictedResponse& mechanism, int subset_size);

/// Every response probability g(y | x) of the mechanism with a set of one size is one of five
/// numbers: K x K of them are never stored.
struct ResponseDistribution {
    int categories = 0;
    int subset_size = 0;
    double honest_inside = 0.0;        ///< y in S, x = y
    double other_inside = 0.0;         ///< y in S, x != y, wherever x is
    double outside_from_inside = 0.0;  ///< y outside S, x in S
    double honest_outside = 0.0;       ///< y outside S, x = y
    double other_outside = 0.0;        ///< y outside S, x != y outside S

    [[nodiscard]] double probability(bool y_inside, bool x_inside, bool same) const {
        if (y_inside) return same ? honest_inside : other_inside;
        if (x_inside) return outside_from_inside;
        return same ? honest_outside : other_outside;
    }
    /// h(y) = sum_x g(y | x) theta_x at a category y of probability `theta_y`, where S has the
    /// probability `inside_mass` under theta.
    [[nodiscard]] double marginal(bool y_inside, double theta_y, double inside_mass) const {
        if (y_inside) return other_inside + (honest_inside - other_inside) * theta_y;
        return outside_from_inside * inside_mass + other_outside * (1.0 - inside_mass) +
               (honest_outside - other_outside) * theta_y;
    }
};

///   Maths      Z1 = e^eps1 + k, Z2 = e^eps2 + n - 1, p = e^eps1/Z1: p, 1/Z1, 1/(Z1 n),
///              p e^eps2/Z2, p/Z2   (aydin2024 Algorithm 2); k = 0 is standard randomised response
///   Direction  none, each to about 4 + eps ulp    Cost  O(1)
///   Throws     DomainError
[[nodiscard]] ResponseDistribution response_distribution(const RestrictedResponse& mechanism,
                                                         int subset_size);

/// The answer of one whose category is `truth` (0..K-1). Lies of the smallest probability are told:
/// the distribution's doubles are met exactly, not to the bits of one random number.
///   Domain     the subset has the distribution's size and categories
///   Cost       O(1): about five random numbers
[[nodiscard]] int respond(RandomStream& stream, const ResponseDistribution& distribution,
                          const CategorySubset& subset, int truth);

}  // namespace assay
