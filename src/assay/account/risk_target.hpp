#pragma once
#include <optional>
#include <variant>

#include "assay/account/bracket.hpp"
#include "assay/privacy/release.hpp"

namespace assay {

/// What a release has to satisfy: delta(epsilon) <= delta.
struct PrivacyTarget {
    double epsilon = 0.0;
    double delta = 0.0;
};

/// No test of this false positive rate has more than this true positive rate.
struct PowerTarget {
    double false_positive_rate = 0.0;
    double true_positive_rate = 0.0;
};

/// mu-Gaussian privacy at all levels at which both errors are at least `smallest_error`.
struct MuTarget {
    double mu = 0.0;
    double smallest_error = 0.0;
};

/// No test has a larger true positive rate less false positive rate.
struct AdvantageTarget {
    double advantage = 0.0;
};

using RiskTarget = std::variant<PrivacyTarget, PowerTarget, MuTarget, AdvantageTarget>;

/// Throws DomainError unless 0 <= epsilon < inf, 0 < delta < 1; 0 < fpr < tpr < 1; mu > 0 finite,
/// 0 <= smallest error < 1/2; 0 < advantage < 1.
void validate(const RiskTarget& target);

/// What the target limits (delta, true positive rate, mu, advantage), and the limit itself.
///   `decide`  only on which side of the limit it is need be told
[[nodiscard]] Bracket risk(const Release& release, const RiskTarget& target, const Goal& goal,
                           bool decide = false);
[[nodiscard]] double limit_of(const RiskTarget& target);

/// "delta", "true_positive_rate", "gaussian_mu" or "advantage".
[[nodiscard]] const char* risk_name(const RiskTarget& target);

}  // namespace assay
