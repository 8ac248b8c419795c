#pragma once

namespace assay::verify::plain {

// Formulas of the papers in extended precision, short and without care: right to about nine digits
// on the small spaces of the controls, which change one thing each.

/// P(Z > x).
[[nodiscard]] long double normal_tail(long double x);
/// C(n, k), real n.
[[nodiscard]] long double binomial(long double n, long k);

/// sum_{k=2}^n C(n,k) q^k (1-q)^{n-k} (e^{c^2 k(k-1)/2} - 1): A_n - 1 of mironov2019 Section 3.3,
/// Case I, c = 1/s, and H_n - 1 with c = 2/sigma.
[[nodiscard]] long double sampled_excess(long order, long double q, long double c);
/// log(1 + that) / (order-1).
[[nodiscard]] long double sampled_rdp(long order, long double q, long double c);

/// Trapezoid sum of the density of z times (1 + q w)^p - 1 - p q w, w = e^{cz - c^2/2} - 1:
/// E[W^p] - 1, p = alpha for the removal and 1 - alpha for the addition of a record.
struct Quadrature {
    long double from = -14.0L;
    long double to = 14.0L;
    long double step = 0.015625L;
};
[[nodiscard]] long double integrated_excess(long double p, long double q, long double c,
                                            const Quadrature& rule);
/// log(E[W^alpha])/(alpha-1), the range reaching 14 beyond the maximum at alpha c.
[[nodiscard]] long double integrated_rdp(long double alpha, long double q, long double c);

/// M_{sigma,k}, birrell2024 (44), with e^x - 1 for e^x (k >= 1: the signs add up to 0).
[[nodiscard]] long double moment(long double sigma, long k);
/// B~_{sigma,j}, (47).
[[nodiscard]] long double absolute_bound(long double sigma, long j);

struct Taylor {
    long double alpha;
    long double sigma;
    long double q;
    long m;
};
/// R~_m(q), (50) and (54).
[[nodiscard]] long double remainder(const Taylor& t);
/// F~_k, (83).
[[nodiscard]] long double coefficient(const Taylor& t, long k);
/// E~_m(q), (90).
[[nodiscard]] long double replace_one_remainder(const Taylor& t);

}  // namespace assay::verify::plain
