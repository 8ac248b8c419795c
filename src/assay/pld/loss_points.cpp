#include "assay/pld/loss_points.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "assay/numeric/errors.hpp"

namespace assay {

int LossPoints::place(double of) const {
    const double k = std::floor(std::log2(of / loss.front()) * per_doubling);
    return static_cast<int>(std::clamp(k, 0.0, static_cast<double>(size() - 2)));
}

std::shared_ptr<const LossPoints> loss_points(double floor, double top, double spacing) {
    require(floor >= 1e-280 && floor < top, "floor", floor, "1e-280 <= floor < top");
    require(top <= 600.0, "largest loss", top, "at most 600 nats");
    require(spacing >= 1e-5 && spacing <= 0.7, "spacing", spacing, "1e-5 <= spacing <= 0.7");
    auto points = std::make_shared<LossPoints>();
    points->floor = static_cast<real>(floor);
    points->per_doubling = static_cast<int>(std::ceil(std::numbers::ln2 / spacing));
    const int size = 2 + static_cast<int>(std::ceil(std::log2(top / floor) * points->per_doubling));
    for (int k = 0; k < size; ++k)
        points->loss.push_back(static_cast<double>(
            points->floor *
            std::exp2(static_cast<real>(k) / static_cast<real>(points->per_doubling))));
    return points;
}

}  // namespace assay
