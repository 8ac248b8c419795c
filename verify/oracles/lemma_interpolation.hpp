#pragma once
#include "verify/oracles/lemma_plane.hpp"

namespace assay::verify::lemma {

/// [lower, upper], proved.
struct Range {
    real lower;
    real upper;
};
[[nodiscard]] Range operator-(const Range& a, const Range& b);
[[nodiscard]] Range operator+(const Range& a, const Range& b);
/// c of either sign.
[[nodiscard]] Range operator*(real c, const Range& a);

/// The brackets of docs/proofs.md, C.1 (1), for P = 1-q+qX_u, Q = 1-q+qX_v, p = qX_u/P, s = qX_v/Q,
/// w = P^order Q^{1-order}: E[w p^2], E[w p s], E[w s^2]. Order 1 (w = P) gives those of t1 and t2.
struct Brackets {
    Range pp;
    Range ps;
    Range ss;
};

/// By a lattice sum in long double as in lemma_plane.hpp; the whole line where that is too dear.
[[nodiscard]] Brackets interpolation_brackets(double order, double q, real u1, real u2, real v1,
                                              real v2);

}  // namespace assay::verify::lemma
