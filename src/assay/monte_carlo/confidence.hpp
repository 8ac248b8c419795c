#pragma once
#include <cstdint>

#include "assay/numeric/enclosure.hpp"

namespace assay {

/// Upper confidence bound of a mean in [0, 1] from the mean q of m independent samples in [0, 1].
///   Maths      the smallest p >= q with KL(q || p) >= log(1/beta) / m
///   Domain     0 <= q <= 1, m >= 1, 0 < beta < 1
///   Direction  enclosure of p; P(true mean > p) <= beta for one mean, fixed before sampling
///   Source     chua2025 Algorithm 4, Theorem 4.1 (Chernoff and Hoeffding)
///   Cost       about 100 logarithms           Throws  DomainError
[[nodiscard]] Enclosure kl_upper_confidence(double mean, std::int64_t samples, double beta);

/// The largest p <= q with KL(q || p) >= log(1/beta) / m, 0 if none: P(true mean < p) <= beta.
/// Width at most 1e-15 q.
[[nodiscard]] Enclosure kl_lower_confidence(double mean, std::int64_t samples, double beta);

/// Empirical Bernstein bound: it shrinks with the sample variance, where the bound above knows the
/// mean only.
///   Maths      q +- (sqrt(2 V log(2/beta) / m) + 7 log(2/beta) / (3 (m-1))), V = the sample
///              variance with divisor m-1, cut to [0, 1]
///   Domain     m >= 2, V >= 0 finite
///   Direction  lower: at most the lower bound; upper: at least the upper one. Each side alone
///              fails with probability at most beta
///   Source     Maurer and Pontil (COLT 2009), Theorem 4       Throws  DomainError
[[nodiscard]] Enclosure bernstein_confidence(double mean, double sample_variance,
                                             std::int64_t samples, double beta);

/// Upper confidence bound from a bound v of E x^2 as well, known before sampling: Bennett's
/// inequality in Hoeffding's sharp form. Never above kl_upper_confidence(), below it where v < p.
///   Maths      the smallest p >= q with KL(q p/v || p^2/v) >= log(1/beta) / m where p > v, or
///              KL(q || p) where p <= v; at most sqrt(v)    (docs/proofs.md, Bennett's inequality)
///   Domain     x in [0, 1], 0 <= q <= 1, 0 < v <= 1, m >= 1, 0 < beta < 1
///   Direction  upper; P(true mean > p) <= beta             Throws  DomainError
[[nodiscard]] double bennett_upper_confidence(double mean, double second_moment,
                                              std::int64_t samples, double beta);

/// The lower side: q - t, m v h(t/v) = log(1/beta), h(u) = (1+u) log(1+u) - u.
///   Source     Bennett 1962, with E x^2 for the variance    Direction  lower    Throws DomainError
[[nodiscard]] double bennett_lower_confidence(double mean, double second_moment,
                                              std::int64_t samples, double beta);

/// Error probability of each of `statements` bounds that shall hold together with probability
/// 1 - beta (union bound): beta / statements, rounded down.
[[nodiscard]] double shared_error_probability(double beta, std::int64_t statements);

}  // namespace assay
