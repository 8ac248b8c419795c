#pragma once
#include <vector>

#include "verify/oracles/interval.hpp"
#include "verify/oracles/oracle.hpp"
#include "verify/oracles/published_moments.hpp"

namespace assay::verify {

/// The bound on the first family of integrals (80), from Lemma C.5.
enum class FirstFamily {
    as_printed,  // 4 M_k (k even), 3 B~_k (k odd)
    repaired,    // with moments at 2 sigma: 2 B~_k(sigma) + 2 or 1 times B~_k(2 sigma)
};

/// F~_k, birrell2024 (83). `wide` are the moments at sigma where `moments` are those at 2 sigma;
/// used by FirstFamily::repaired only.
[[nodiscard]] Interval coefficient_bound(double alpha, long k, const Moments& moments,
                                         FirstFamily family, const Moments& wide);

/// E~_m(q), birrell2024 (90).
[[nodiscard]] Interval replace_one_remainder(double alpha, long m, const Interval& q,
                                             const Moments& moments);

/// birrell2024.thm_3_4, thm_c_9_as_printed, thm_c_9_repaired, log_F_tilde, log_E_tilde and the two
/// second-order coefficients.
[[nodiscard]] std::vector<Oracle> published_replace_one_oracles();

}  // namespace assay::verify
