#pragma once
#include "assay/epochs/dominating_pair.hpp"
#include "assay/numeric/enclosure.hpp"

namespace assay {

/// Threshold of the event outside of which the privacy loss is at most epsilon.
///   removal    C = 1/2 + s^2 (eps - log(1 + (e^{1/s^2} - 1)/T)),
///              E = {max(x_1 - 1, x_2, .., x_T) >= C}
///   addition   C = 1/2 + s^2 (log T - eps),  E = {max_t x_t <= C}
///   Domain     epsilon finite           Direction  enclosure of C
///   Source     chua2025 Section 4; the printed C for addition lacks s^2 log T and is unsound
///   Throws     DomainError
[[nodiscard]] Enclosure importance_threshold(const BallsAndBins& mechanism, LossDirection direction,
                                             double epsilon);

/// The probability of that event under the distribution that is sampled.
///   removal    P_1(E) = 1 - Phi(C/s)^T, x_1 ~ N(1, s^2) (not P(E): E singles out x_1)
///   addition   Q(E) = Phi(C/s)^T
///   Direction  enclosure                Throws  DomainError
[[nodiscard]] Enclosure importance_event_probability(const BallsAndBins& mechanism,
                                                     LossDirection direction, double epsilon);

/// C / s in extended precision, and the bound of its absolute error: what a sampler conditions on.
struct ImportanceThreshold {
    real standardised = 0.0L;
    real error = 0.0L;
};
[[nodiscard]] ImportanceThreshold standardised_threshold(const BallsAndBins& mechanism,
                                                         LossDirection direction, double epsilon);

/// The same of the event that is sampled, and its probability. It may be larger than E, since
/// nothing is lost beyond E: in the addition direction C/s counts as at least -37, where the tails
/// of doubles end.
[[nodiscard]] ImportanceThreshold sampled_threshold(const BallsAndBins& mechanism,
                                                    LossDirection direction, double epsilon);
[[nodiscard]] Enclosure sampled_event_probability(const BallsAndBins& mechanism,
                                                  LossDirection direction, double epsilon);

}  // namespace assay
