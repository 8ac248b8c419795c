#pragma once
#include <memory>
#include <vector>

#include "assay/numeric/directed.hpp"

namespace assay {

/// The losses 0 and +-floor 2^{k/m}, k = 0..size-1, as real numbers.
struct LossPoints {
    real floor = 0.0L;
    int per_doubling = 0;      // m
    std::vector<double> loss;  // floor 2^{k/m}, each within 2u

    [[nodiscard]] int size() const { return static_cast<int>(loss.size()); }
    /// The last point that is at most `loss`, about; between 0 and size - 2.
    [[nodiscard]] int place(double loss) const;
};
/// Reaches from `floor` to `top` at least, with relative step at most `spacing`.
///   Domain  1e-280 <= floor < top <= 600, 1e-5 <= spacing <= 0.7
[[nodiscard]] std::shared_ptr<const LossPoints> loss_points(double floor, double top,
                                                            double spacing);

/// Entry k of what is kept by points.
inline real at(const std::vector<double>& values, int k) {
    return static_cast<real>(values[static_cast<std::size_t>(k)]);
}
inline double& entry(std::vector<double>& values, int k) {
    return values[static_cast<std::size_t>(k)];
}

}  // namespace assay
