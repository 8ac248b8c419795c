#pragma once
#include <cstdint>

#include "assay/numeric/enclosure.hpp"
#include "assay/rdp/truncated_lower_bound.hpp"

namespace assay {

/// q~, the smallest mixing probability that (113) admits.
///   Maths      birrell2024 (113) with equality: (1 + a_0 / sum_{n=1}^{terms} a_n)^{-1},
///              a_n = C(batch,n) dataset^{-n} (1 - 1/dataset)^{batch-n}
///   Domain     dataset >= 2, 1 <= batch < dataset, 1 <= terms <= batch
///   Direction  enclosure         Throws  DomainError (B, D, K)
[[nodiscard]] Enclosure effective_sampling_probability(std::int64_t batch, std::int64_t dataset,
                                                       std::int64_t terms);

/// One step of fixed-size sampling with replacement, add/remove adjacency, upper bound.
///   Maths      birrell2024 Thm 3.6 as (112) with minimal q~ (so a~_0 = 0), H bounded by the
///              bracket of Theorem 3.3 at noise sigma/n, a~_n = a_n/q~:
///              log[1 + sum_{n<=K} a~_n (H^bound_n - 1)
///                    + sum_{n>K} a_n (e^{2 alpha (alpha-1) n^2/sigma^2} - 1)] / (alpha-1)
///   Domain     order > 1, sigma > 0, 3 <= m <= 1000, batch < dataset, 1 <= terms <= batch
///   Direction  enclosure of the printed bound; [0, inf] where terms (order + m) > 1.5e6 or
///              batch > 4e6                                          Units  nats
///   Throws     DomainError (alpha, sigma, m, B, D, K)
[[nodiscard]] Enclosure theorem_3_6_rdp(double order, double sigma, int m, std::int64_t batch,
                                        std::int64_t dataset, std::int64_t terms);

/// The same with each H^bound_n - 1 replaced by e^{2 alpha (alpha-1) n^2/sigma^2} - 1 where that is
/// smaller: the unsampled Gaussian bounds H_n too. Beyond the budget the rest is enclosed between 0
/// and those caps.
[[nodiscard]] Enclosure theorem_3_6_capped_rdp(double order, double sigma, int m,
                                               std::int64_t batch, std::int64_t dataset,
                                               std::int64_t terms);

/// The same with the exact H_{alpha,sigma/n}(q~) in place of its Taylor bound.
///   Domain     order > 1, sigma > 0, batch < dataset, 1 <= terms <= batch
///   Direction  enclosure; terms that together stay below 2^-60 of the sum, and those beyond
///              500 evaluations, are enclosed between 0 and their unsampled value
[[nodiscard]] Enclosure theorem_3_6_exact_h_rdp(double order, double sigma, std::int64_t batch,
                                                std::int64_t dataset, std::int64_t terms);

}  // namespace assay
