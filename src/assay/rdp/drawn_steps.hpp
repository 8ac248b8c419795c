#pragma once
#include <cstdint>

#include "assay/numeric/directed.hpp"

namespace assay {

/// `steps` outputs of P = (1-q) N(0,1) + q N(shift,1) against Q = N(0,1): a step draws the record
/// with probability q.
///   Domain     0 < q < 1, shift > 0, steps >= 1
struct DrawnSteps {
    real q = 0.5L;
    real shift = 1.0L;
    std::int64_t steps = 1;
};

/// Numbers below delta at an epsilon, and below epsilon at a delta: the ratio of a step is at least
/// q times that of the normal distributions where the record is drawn and at least 1-q elsewhere,
/// so that a composition tells as much as a binomial number of plain Gaussian steps less the
/// logarithms of those factors (Proposition 6e; docs/proofs.md, section I). Of use where losses are
/// far above the entropy of a draw.
///   Direction  lower; 0 where the loss of a draw is small against that entropy, or where the
///              number of draws spreads over more than 10^5 values
///   Cost       about 24 sqrt(steps q (1-q)) closed forms; 40 times that for an epsilon
[[nodiscard]] double drawn_steps_delta(const DrawnSteps& drawn, double epsilon);
[[nodiscard]] double drawn_steps_epsilon(const DrawnSteps& drawn, double delta);

}  // namespace assay
