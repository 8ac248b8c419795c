#pragma once
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "assay/ldp/utilities.hpp"

namespace assay {

/// Always the empty set: standard randomised response with the whole budget.
struct NonAdaptive {
    bool operator==(const NonAdaptive&) const = default;
};
/// The smallest set of the most probable categories that holds this probability, 0 < mass < 1
/// (aydin2024 Section 4.2.6).
struct SemiAdaptive {
    double mass = 0.0;
    bool operator==(const SemiAdaptive&) const = default;
};
/// The set of the most probable categories of the largest utility (aydin2024 equation (5)).
struct ByUtility {
    Utility utility = Utility::honest_response;
    bool operator==(const ByUtility&) const = default;
};

/// How the next set is chosen once the categories are ordered by an estimate of theta.
using SubsetRule = std::variant<NonAdaptive, SemiAdaptive, ByUtility>;

/// "non-adaptive", "semi-adaptive-0.9", or the utility's name; each names one rule.
[[nodiscard]] std::string to_string(const SubsetRule& rule);
/// Throws DomainError (rule) for any other name.
[[nodiscard]] SubsetRule subset_rule_from_string(std::string_view name);

/// What answers are given with when sets are chosen by this rule.
///   Maths      theorem: the mechanism itself, with epsilon_1 = budget_share epsilon for the
///              semi-adaptive rule too, as the paper's text implies. As released: the sets of a
///              utility take the released epsilon_2; the semi-adaptive rule has epsilon_1 =
///              epsilon, epsilon_2 = 0, which is the theorem's at budget share 1, and the
///              non-adaptive one is standard randomised response: both are epsilon-LDP
[[nodiscard]] RestrictedResponse mechanism_for(const SubsetRule& rule,
                                               const RestrictedResponse& mechanism);

/// The size of the set for these probabilities, the largest first.
///   Maths      NonAdaptive: 0, whatever sizes the mechanism admits. SemiAdaptive: the smallest k
///              with theta_1 + .. + theta_k >= mass - 2^-46 (so that rounding in the sum decides
///              nothing), moved into the sizes the mechanism admits. ByUtility: best_size
///   Cost       O(1); O(K); as best_size
///   Throws     DomainError (mass, probabilities)
[[nodiscard]] int choose_size(const SubsetRule& rule, SubsetUtilities& utilities,
                              std::span<const double> falling);

}  // namespace assay
