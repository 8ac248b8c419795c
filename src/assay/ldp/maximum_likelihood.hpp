#pragma once
#include <vector>

#include "assay/ldp/response_history.hpp"

namespace assay {

struct MaximumLikelihood {
    std::vector<double> theta;
    /// By how much the log-likelihood stands above that of the uniform theta; nats.
    double log_likelihood_gain = 0.0;
    /// No theta's log-likelihood stands higher by more than this; nats.
    double gap = 0.0;
    int steps = 0;
};

/// The theta under which the answers are most probable, by expectation and maximisation.
///   Maths      theta_i <- theta_i R_i / n, R_i = sum_j g(y_j | i) / h(y_j), from theta_i = 1/K:
///              the likelihood never falls. Its logarithm is concave with gradient R, and
///              sum_i theta_i R_i = n, so no theta is better by more than max_i R_i - n
///   Direction  none; gain and gap to about n 2^-45
///   Cost       a step: O(groups + K sets), of distinct sets and (set, y); stops when the gap is at
///              most `tolerance`, or after `most_steps`
///   Throws     DomainError (responses, tolerance, most-steps) unless there is an answer,
///              tolerance > 0 and most_steps >= 1
[[nodiscard]] MaximumLikelihood maximum_likelihood(const ResponseHistory& history,
                                                   double tolerance = 1e-6,
                                                   int most_steps = 10'000);

}  // namespace assay
