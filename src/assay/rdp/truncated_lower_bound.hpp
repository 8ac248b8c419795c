#pragma once
#include <cstdint>
#include <vector>

#include "assay/numeric/enclosure.hpp"

namespace assay {

/// One step of fixed-size sampling with replacement, lower bound by the truncated recursion.
///   Maths      birrell2024 (124)-(126): log F_{T,alpha}(4/sigma^2, 0) / (alpha-1), T_k = `terms`
///              for k > 2 and T_2 = {0..batch}; may be negative
///   Domain     integer order >= 2, sigma > 0, dataset >= 2, batch >= 1, terms a non-empty subset
///              of {0..batch}                                        Units  nats
///   Method     the recursion depends on n_alpha + ... + n_{k+1} only: one table of sums per level,
///              each with its weight P and its excess D = sum weight (e^exponent - 1) >= 0
///   Direction  enclosure; the whole line beyond 2e6 table updates or 4e6 final terms
///   Throws     DomainError (alpha, sigma, B, D, T)
[[nodiscard]] Enclosure theorem_3_7_truncated_rdp(int order, double sigma, std::int64_t batch,
                                                  std::int64_t dataset,
                                                  std::vector<std::int64_t> terms);

/// The single term n = batch of (116).
///   Maths      birrell2024 (120): alpha B/(alpha-1) (2 B (alpha-1)/sigma^2 - log D)
///   Domain     order > 1, sigma > 0, batch >= 1, dataset >= 1       Units  nats
///   Direction  enclosure; often negative                            Throws DomainError
[[nodiscard]] Enclosure equation_120_rdp(double order, double sigma, std::int64_t batch,
                                         std::int64_t dataset);

}  // namespace assay
