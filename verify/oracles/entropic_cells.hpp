#pragma once
#include "verify/oracles/lemma_cells.hpp"

namespace assay::verify::lemma {

// f_s(t) = t log(t/s) - t + s for t >= s, else 0: the functions of docs/proofs.md, C.6.

/// A number that E_Q f_s(dP/dQ) is not below: Jensen's inequality in every cell.
[[nodiscard]] real entropic_lower(const PlaneDistribution& p, const PlaneDistribution& q, real s);
[[nodiscard]] real entropic_lower(const std::vector<real>& p, const std::vector<real>& q, real s);

/// A number that E f_s(W), W = 1-q+q X_c, is not above: chords in every cell.
[[nodiscard]] real entropic_one_sided_upper(real c, real q, real s);

}  // namespace assay::verify::lemma
