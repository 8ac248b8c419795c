#pragma once
#include <cstdint>
#include <vector>

#include "assay/numeric/directed.hpp"
#include "assay/pld/pair_masses.hpp"

namespace assay {

/// The largest of T independent normal coordinates, to one of which c is added under P and c/2
/// under Q. The ratio of its densities increases (docs/proofs.md, the largest coordinate).
class LargestPair {
public:
    /// Domain  c > 0, T >= 2
    LargestPair(real c, std::int64_t batches);

    [[nodiscard]] real log_ratio(real a) const;
    /// The place of this log ratio, no further out than where almost all mass lies.
    [[nodiscard]] real quantile(real loss) const;

    /// Masses of a < M < b by Gauss-Legendre with ten nodes a panel, relative error below 2^-50
    /// (docs/error_bounds.md#privacy-loss).
    [[nodiscard]] PairMass mass(real a, real b) const;
    /// An upper bound of what lies further out, under P and under Q: about 1e-35.
    [[nodiscard]] real outside() const { return outside_; }

    /// Both places beyond which about e^{-deviations^2/2} lies.
    [[nodiscard]] real low(real deviations) const;
    [[nodiscard]] real high(real deviations) const;

private:
    struct Place {
        real at;
        real loss;
    };
    [[nodiscard]] real log_factor(real shift, real a, real log_cdf) const;

    real c_;
    real others_;  // T - 1
    real lowest_ = 0.0L;
    real highest_ = 0.0L;
    real outside_ = 0.0L;
    std::vector<Place> table_;
};

}  // namespace assay
