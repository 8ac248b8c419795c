#pragma once
#include <span>
#include <vector>

#include "assay/numeric/enclosure.hpp"

namespace assay {

/// log F~_{alpha,sigma,k}, the bound on the k-th Taylor coefficient under replace-one adjacency.
///   Maths      birrell2024 (83)
///   Domain     order > 1, sigma > 0, 1 <= k <= 1000     Units  nats
///   Direction  enclosure                                Throws DomainError
[[nodiscard]] Enclosure log_coefficient_bound(double order, double sigma, int k);

/// log E~_{alpha,sigma,m}(q), the bound on the Taylor remainder under replace-one adjacency.
///   Maths      birrell2024 (90)
///   Domain     order > 1, sigma > 0, 3 <= m <= 1000, 0 <= q < 1    Units  nats
///   Direction  enclosure; {-inf, -inf} for q = 0                   Throws DomainError
[[nodiscard]] Enclosure log_replace_one_remainder_bound(double order, double sigma, int m,
                                                        double q);

/// One step of fixed-size sampling without replacement under replace-one adjacency.
///   Maths      birrell2024 Thm 3.4: log[1 + q^2 alpha (alpha-1) (e^{4/sigma^2} - e^{2/sigma^2})
///              + sum_{k=3}^{m-1} q^k/k! F~_k + E~_m(q)] / (alpha-1)
///   Domain     order > 1, sigma > 0, 3 <= m <= 1000, 0 <= q < 1    Units  nats
///   Direction  enclosure of the printed bound; [0, inf] beyond order + m = 500000
///   Cost       (m + 1) order products for one order; for a list the sums over l are shared
///   Throws     DomainError
[[nodiscard]] Enclosure theorem_3_4_rdp(double order, double sigma, int m, double q);
[[nodiscard]] std::vector<Enclosure> theorem_3_4_rdp(std::span<const double> orders, double sigma,
                                                     int m, double q);

/// One step of Poisson sampling under replace-one adjacency, as the paper prints it.
///   Maths      birrell2024 Thm C.9 (98): e^{1/sigma^2} - e^{-1/sigma^2}; F~ and E~ at 2 sigma.
///              False as a theorem for large m (sigma = 20, q = 0.3, order = 60.5, m = 60).
///   Domain, direction, errors  as theorem_3_4_rdp
[[nodiscard]] Enclosure theorem_c_9_as_printed_rdp(double order, double sigma, int m, double q);

/// The same with the first family of (80) bounded through Lemma C.5 at its own distances:
/// 4 M_k -> 2 B~_{sigma,k} + 2 B~_{2 sigma,k} (k even),
/// 3 sqrt(M_{k-1} M_{k+1}) -> 2 B~_{sigma,k} + B~_{2 sigma,k} (k odd).
[[nodiscard]] Enclosure theorem_c_9_repaired_rdp(double order, double sigma, int m, double q);

}  // namespace assay
