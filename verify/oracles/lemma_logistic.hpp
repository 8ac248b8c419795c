#pragma once
#include "verify/oracles/interval.hpp"

namespace assay::verify::lemma {

/// E[sg^i (1-sg)^j] for the logistic function sg(y) = 1/(1+e^{-y}) of y ~ N(mean, variance).
struct LogisticMoments {
    Interval one;        // E sg
    Interval slope;      // E sg' = E sg(1-sg)
    Interval low;        // E sg(1-sg)^2
    Interval high;       // E sg^2(1-sg)
    Interval curvature;  // E sg'' = low - high
};

/// By the trapezoid rule, each moment about 2^-bits wide relatively.
[[nodiscard]] LogisticMoments logistic_moments(const Interval& mean, const Interval& variance,
                                               long bits);

/// The functions of docs/proofs.md, C.1 (2), L = log(q/(1-q)).
///   psi(t) = E sg(L + N(t/2, t)), its derivative E sg(1-sg)^2
///   g(m)   = E sg(L + N(m, b)), its derivatives slope and curvature
[[nodiscard]] LogisticMoments psi_moments(const Interval& L, const Interval& t, long bits);
[[nodiscard]] LogisticMoments g_moments(const Interval& L, const Interval& m, const Interval& b,
                                        long bits);

}  // namespace assay::verify::lemma
