#pragma once
#include <span>
#include <vector>

#include "assay/numeric/bound.hpp"
#include "assay/numeric/enclosure.hpp"
#include "experiments/figure.hpp"

/// Rényi Differential Privacy of the Sampled Gaussian Mechanism: its figures and what it claims.
namespace assay::experiments::mironov2019 {

[[nodiscard]] FigureResult run_fig01_left_largest_order(const Params& params);
[[nodiscard]] FigureResult run_fig01_right_rdp(const Params& params);
[[nodiscard]] FigureResult run_table01_bounds(const Params& params);

inline constexpr Theorem theorem_11_citation{"mironov2019 Theorem 11", Standing::published};
inline constexpr Theorem section_3_3_citation{"mironov2019 Section 3.3", Standing::published};
inline constexpr Theorem corollary_7_citation{"mironov2019 Corollary 7", Standing::published};

/// log A_alpha / (alpha-1) of the sampled Gaussian at many orders, quadrature nodes shared.
[[nodiscard]] std::vector<Enclosure> exact_curve(std::span<const double> orders, double sigma,
                                                 double q);

/// "below 1e-09", or the number where it is not: for differences whose digits are rounding alone.
[[nodiscard]] std::string below(double difference, double tolerance);

/// A claim of this paper.
[[nodiscard]] Claim claim(std::string id, std::string where, std::string statement,
                          std::variant<double, std::string> found, Verdict verdict,
                          Basis basis = {});

}  // namespace assay::experiments::mironov2019
