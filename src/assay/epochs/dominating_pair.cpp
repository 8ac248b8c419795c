#include "assay/epochs/dominating_pair.hpp"

#include <algorithm>
#include <cmath>

#include "assay/numeric/errors.hpp"

namespace assay {

std::string_view to_string(LossDirection direction) {
    return direction == LossDirection::removal ? "removal" : "addition";
}

double privacy_loss(const BallsAndBins& mechanism, LossDirection direction,
                    std::span<const double> x) {
    validate(mechanism);
    require(static_cast<std::int64_t>(x.size()) == mechanism.batches_per_epoch, "x",
            static_cast<double>(x.size()), "one coordinate for each step");
    const double rate = 1.0 / (mechanism.noise_multiplier * mechanism.noise_multiplier);
    const double largest = *std::max_element(x.begin(), x.end());
    double sum = 0.0;
    for (const double coordinate : x) {
        require(std::isfinite(coordinate), "x", coordinate, "finite coordinates");
        sum += std::exp((coordinate - largest) * rate);
    }
    const double log_ratio = (largest - 0.5) * rate + std::log(sum) -
                             std::log(static_cast<double>(mechanism.batches_per_epoch));
    return direction == LossDirection::removal ? log_ratio : -log_ratio;
}

}  // namespace assay
