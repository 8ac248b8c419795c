#pragma once
#include <cstdint>
#include <limits>
#include <vector>

#include "assay/pld/jump_chain.hpp"
#include "assay/pld/privacy_loss_pmf.hpp"

namespace assay {

/// Masses under P on the points step k.
struct LossKernel {
    std::int64_t first = 0;
    std::vector<double> masses;
    double infinity_mass = 0.0;
    double mass_error = 0.0;
    double loss_error = 0.0;

    explicit LossKernel(const PrivacyLossPmf& distribution);

    [[nodiscard]] std::int64_t last() const {
        return first + static_cast<std::int64_t>(masses.size()) - 1;
    }
};

/// The density g of log thresholds of U(x) = sum over thresholds K of g (x - K)^+, constant on
/// cells [first + step i, first + step (i + 1)), that bounds what the last steps pay at the ratio x
/// of what went before; with a line and a power of x for what lies outside. A group of steps is put
/// before them by add(): the result is at least the payoff of the one-sided pair, and of any other
/// pair by the running maximum of g, or by power divergences (docs/proofs.md, the chain).
class ThresholdDensity {
public:
    /// `moments` outlives the object.
    ThresholdDensity(const ChainMoments& moments, double first, double step, std::size_t cells);

    /// The last `steps` steps, by a dominating distribution on the same step.
    void start(const PrivacyLossPmf& distribution, std::int64_t steps);

    /// Whether the group of `steps` could be bounded.    Cost  cells times masses of the kernel
    [[nodiscard]] bool add(const LossKernel& kernel, std::int64_t steps);

    [[nodiscard]] ChainLink link(std::int64_t steps) const;

private:
    /// U of the one-sided pair with the group before it.
    struct Moved {
        std::vector<double> density;
        double mass = 0.0;     // of the old density
        double escaped = 0.0;  // below the window
    };
    [[nodiscard]] Moved moved_by(const LossKernel& kernel) const;

    /// What the running maximum of the density pays beyond U.
    class RunningMaximum;

    /// (1 + factor) U_A, and excesses at thresholds spread evenly over some cells near the mode.
    struct Supplement {
        double factor = 0.0;
        double mass = 0.0;
        std::size_t cell = 0;
        std::size_t cells = 1;
    };
    /// Covers what every cell needs; of several places for the excess the one that costs least at
    /// the tilt `rate`.
    [[nodiscard]] Supplement supply(const std::vector<double>& need,
                                    const std::vector<double>& paid, std::size_t mode,
                                    double rate) const;
    void spread(const Supplement& supplement);

    /// The index of the first cell: cell i holds what stood at the threshold step (origin + i).
    [[nodiscard]] std::int64_t origin() const;

    const ChainMoments& moments_;
    double order_moment_ = std::numeric_limits<double>::infinity();
    double first_;
    double step_;
    std::vector<double> density_;
    double steps_ = 0.0;
    double log_factor_ = 0.0;
    double infinity_mass_ = 0.0;
    double log_power_ = -std::numeric_limits<double>::infinity();
    double mass_error_ = 0.0;
    double loss_error_ = 0.0;
};

}  // namespace assay
