#pragma once
#include "assay/numeric/directed.hpp"

namespace assay::experiments::mironov2019 {

// The integrals of the paper by plain quadrature, as its text writes them. They share nothing with
// the accountants of src/, which they are compared with, and they are estimates: extended
// precision, about 1e-12 relative, no error bound.

/// The pair mu_0 = N(0, sigma^2), mu = (1-q) mu_0 + q N(1, sigma^2) of Section 3.
struct DirectPair {
    real sigma;
    real q;
};

/// Which of the two distributions is M(S); the other one is M(S').
enum class Outputs { from_mu_0, from_mu };

/// M_alpha - 1 = E_{z ~ M(S)}[e^(alpha c(z))] - 1, c = log M(S)/M(S') (Section 4, the definition).
[[nodiscard]] real moment_less_one(const DirectPair& pair, Outputs outputs, real alpha);

/// A_alpha split at z_0 (Section 3.2): A^(1) - 1, the part to the left, and A^(2), to the right.
struct SplitMoment {
    real left_less_one = 0.0L;
    real right = 0.0L;
};
[[nodiscard]] SplitMoment split_moment(const DirectPair& pair, real alpha);

/// log A_alpha / (alpha-1) by the series of Section 3.3 in double precision, term by term as
/// printed.
[[nodiscard]] double series_in_double(double alpha, double sigma, double q);

}  // namespace assay::experiments::mironov2019
