#pragma once
#include <vector>

namespace assay::verify::lemma {

using real = long double;

/// Phi(b) - Phi(a) without cancellation, a <= b.
[[nodiscard]] real normal_probability(real a, real b);

/// The line cut into two half-lines and equal cells between them.
class Cells {
public:
    Cells(real first, real last, int count);
    /// Probabilities of N(mean, 1), cell by cell.
    [[nodiscard]] std::vector<real> of(real mean) const;

private:
    std::vector<real> ends_;
};

/// A sum of products: sum_k weight_k row_k (x) column_k, a distribution on the cells of the plane.
struct ProductTerm {
    real weight;
    std::vector<real> row;
    std::vector<real> column;
};
using PlaneDistribution = std::vector<ProductTerm>;

/// A number that H_t(P||Q) = sup_S P(S) - t Q(S) is not below: the best union of cells, less 1e-16
/// (1+t) for rounding.
[[nodiscard]] real hockey_stick_lower(const PlaneDistribution& p, const PlaneDistribution& q,
                                      real t);
/// The same on a line.
[[nodiscard]] real hockey_stick_lower(const std::vector<real>& p, const std::vector<real>& q,
                                      real t);

/// A number that E[(1 + q (X_u - X_v))_+^order] is not below: Jensen's inequality in every cell.
[[nodiscard]] real mixture_power_lower(double order, double q, real u1, real u2, real v1, real v2);

/// h(t) = E(W - t)_+, W = 1-q+q X_c, t >= 1, and the profile of its symmetric dominating pair,
/// 1 - t + t h(1/t) below 1 (docs/proofs.md, F). Error at most 1e-16 (1+t).
[[nodiscard]] real dominating_profile(real c, real q, real t);

/// A number that H_t of the two-fold product of that pair is not above: in every cell of the first
/// output its convex profile is replaced by the chord.
[[nodiscard]] real dominating_profile_of_two(real c, real q, real t);

}  // namespace assay::verify::lemma
