#pragma once
#include <vector>

#include "experiments/mironov2019/mironov2019.hpp"
#include "experiments/table.hpp"

namespace assay::experiments::mironov2019 {

/// What Table 1 is evaluated at: sampling probability, noise std over sensitivity, order.
struct Point {
    double q = 0.0;
    double sigma = 0.0;
    double alpha = 0.0;
};

/// One row of Table 1 at one point: is it stated there, what does it say, what is true.
struct Cell {
    bool applies = false;
    double bound = 0.0;
    Enclosure truth;
};

/// One row of Table 1.
struct Row {
    Series series;
    Cell (*evaluate)(const Point& point);
};

/// The five rows in the paper's order.
///
/// Rows 1, 2, 4, 5 are about Poisson sampling with or without one record; the truth is
/// log A_alpha/(alpha-1). Row 3 (Bun et al.) is about samples of fixed size and the replacement of
/// one record, for a function of sensitivity 1: whichever of three records fills a place, the
/// outputs are pairwise at most 1 apart, and the noise is N(0, sigma^2). Two vectors clipped to
/// norm C are at most 2C apart, so the noise multiplier of FixedSizeGaussian (noise / C) is 2 sigma
/// there: its shift 2/(2 sigma) is 1/sigma. The truth for such functions is bracketed:
///   below  by the larger of two pairs that attain it: outputs 0 and 1/sigma against 0, whose value
///   H
///          is the A_alpha of the other rows and, for clipped gradients, the worst case; and three
///          equidistant outputs, which clipped gradients cannot produce;
///   above  by the profile bound, which uses the pairwise distances alone (docs/proofs.md,
///   profile).
[[nodiscard]] std::vector<Row> table_rows();

/// What the rows claim, decided on a grid.
[[nodiscard]] std::vector<Claim> table_claims(const std::vector<Row>& rows, const Params& params);

}  // namespace assay::experiments::mironov2019
