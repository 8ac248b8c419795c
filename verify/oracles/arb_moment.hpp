#pragma once
#include "verify/oracles/arb_numbers.hpp"

namespace assay::verify::arb {

/// Two mixtures with the same weights: P with shift u = p/sigma, Q with shift v = r/sigma.
/// One record of weight q (B = 1), or B = draws out of D = records, with replacement.
struct Pair {
    double alpha;
    double sigma;
    double p;
    double r;
    double q = 0.0;
    double draws = 1.0;
    double records = 0.0;  // 0 without replacement
};

/// log E[P^alpha Q^(1-alpha)], at least 0, roughly and rather too low: a scale.
[[nodiscard]] double approximate_log_moment(const Pair& pair);
/// The goal at which the divergence is likely to be known to `bits`.
[[nodiscard]] long first_goal(const Pair& pair, double log_moment, long bits);

/// E[P^alpha Q^(1-alpha)], z ~ N(0,1), over all z or over z > 1/sigma alone, with an error of about
/// 2^-goal e^log_scale. Not finite where no more can be said.
[[nodiscard]] Real moment(const Pair& pair, bool upper_half, double log_scale, long goal,
                          bool& exhausted);

/// The divergence log E[P^alpha Q^(1-alpha)] / (alpha-1), `bits` relatively; 0 <= q <= 1.
[[nodiscard]] Interval divergence(const Pair& pair, long bits);

}  // namespace assay::verify::arb
