#pragma once
#include <optional>
#include <vector>

#include "assay/rdp/likelihood_ratio.hpp"

namespace assay {

/// Moments of the privacy loss L = log(P/Q) under the tilted distribution dP_t = e^{tL - K} dP.
struct LossMoments {
    real log_mgf = 0.0L;         // K = log E_P[e^{tL}], a lower bound
    real mean = 0.0L;            // E_t L
    real variance = 0.0L;        // central
    real fourth = 0.0L;          // central, upper bound
    real mean_error = 0.0L;      // |mean - exact| at most
    real variance_error = 0.0L;  // relative
};

/// Tilted moments of one pair at many tilts: the pair is evaluated once per node and kept.
class LossSampler {
public:
    explicit LossSampler(const LikelihoodRatio& pair);

    /// By one trapezoid sum each (docs/error_bounds.md#loss-moments); nullopt where the pair's
    /// shifts ask for more than 3,000 nodes.  Domain: tilt >= 0.  Cost: 30 ns a node.
    [[nodiscard]] std::optional<LossMoments> moments(real tilt);

private:
    struct Node {
        real z;
        real log_p;
        real loss;
        real absolute_error;
    };
    /// Makes sure that nodes of at most this step cover [left, right].
    void cover(real step, real left, real right);

    const LikelihoodRatio* pair_;
    PairShape shape_;
    real step_ = 0.0L;
    real left_ = 0.0L;
    real next_ = 0.0L;  // number of the first node not yet there
    std::vector<Node> nodes_;
};

/// The moments at a single tilt.
[[nodiscard]] std::optional<LossMoments> tilted_loss_moments(const LikelihoodRatio& pair,
                                                             real tilt);

}  // namespace assay
