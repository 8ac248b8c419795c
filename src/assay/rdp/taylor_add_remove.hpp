#pragma once
#include "assay/rdp/taylor_moments.hpp"

namespace assay {

/// log of the bound on abs(R_{alpha,sigma,m}(q)), the Taylor remainder of H_{alpha,sigma}.
///   Maths      birrell2024 (50) for alpha > m (its "1 +" term kept), (54) with B~ for alpha <= m
///   Domain     order > 1, sigma > 0, 3 <= m <= 1000, 0 <= q < 1             Units  nats
///   Direction  enclosure; {-inf, -inf} for an integer order < m (and q = 0)
///   Throws     DomainError
[[nodiscard]] Enclosure log_taylor_remainder_bound(double order, double sigma, int m, double q);

/// One step of fixed-size sampling without replacement, add/remove adjacency, m Taylor terms.
///   Maths      birrell2024 Thm 3.3 with (41), (50), (54):
///              log[1 + sum_{k=2}^{m-1} C(alpha,k) q^k M_k + R~] / (alpha-1)
///   Domain     order > 1, sigma > 0, 3 <= m <= 1000, 0 <= q < 1             Units  nats
///   Direction  enclosure of the printed bound; [0, inf] beyond order + m = 500000
///   Cost       about 20 (order + m) products       Throws  DomainError
[[nodiscard]] Enclosure theorem_3_3_rdp(double order, double sigma, int m, double q);

/// Highest moment that the bound of this order and m reads (even).
[[nodiscard]] int highest_moment_needed(double order, int m);

/// The bracket of Theorem 3.3 less one, where q itself is known up to e^{+-q_log_error}.
/// log_error is infinite where nothing could be certified.
[[nodiscard]] PositiveNumber theorem_3_3_excess(double order, int m, real q, real q_log_error,
                                                const TaylorMoments& moments);

}  // namespace assay
