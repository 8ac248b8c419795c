#include "assay/epochs/lognormal_cells.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "assay/numeric/errors.hpp"
#include "assay/numeric/special_functions.hpp"

namespace assay {

namespace {

constexpr double unit = 0x1p-53;

/// The rule of Gauss and Legendre with eight nodes: the positive ones and their weights.
constexpr std::array<double, 4> nodes{0.18343464249564980494, 0.52553240991632898582,
                                      0.79666647741362673959, 0.96028985649753623168};
constexpr std::array<double, 4> weights{0.36268378337836198297, 0.31370664587788728734,
                                        0.22238103445337447054, 0.10122853629037625915};

double tail(double z) {
    return static_cast<double>(normal_tail(static_cast<real>(z)));
}

}  // namespace

LognormalCells::LognormalCells(double noise_multiplier) : slope_(1.0 / noise_multiplier) {
    require(noise_multiplier >= 0.01 && std::isfinite(noise_multiplier), "noise-multiplier",
            noise_multiplier, "a finite number of at least 0.01");
    offset_ = slope_ / 2.0;
}

double LognormalCells::score(double log_position) const {
    return log_position / slope_ + offset_;
}

LognormalCells::Cell LognormalCells::between(double log_left, double log_right) const {
    const double z = score(log_left);
    const double width = (log_right - log_left) / slope_;
    // Panels short against 1 and against 1/slope: the rule's error is then below the rounding.
    const double longest = std::min(1.0 / 16.0, 0.25 / slope_);
    const int panels = static_cast<int>(std::clamp(std::ceil(width / longest), 1.0, 1e9));
    const double half = width / (2.0 * panels);
    // Densities beyond underflow.
    const auto panel_at = [&](double score) {
        return static_cast<int>(std::clamp((score - z) / (2.0 * half), 0.0, 1.0 * panels));
    };
    const int first = panel_at(-farthest);
    const int end = std::min(panels, panel_at(farthest) + 1);
    real mass = 0.0L;
    real excess = 0.0L;
    for (int panel = first; panel < end; ++panel) {
        const double middle = (2 * panel + 1) * half;
        for (std::size_t k = 0; k < nodes.size(); ++k)
            for (const double node : {middle - half * nodes[k], middle + half * nodes[k]}) {
                const double y = z + node;
                const double density = weights[k] * std::exp(-0.5 * y * y);
                mass += density;
                excess += density * std::expm1(slope_ * node);
            }
    }
    constexpr real scale = 0.5L * std::numbers::inv_sqrtpi_v<real> * std::numbers::sqrt2_v<real>;
    return {static_cast<double>(mass * half * scale), static_cast<double>(excess * half * scale)};
}

MassMoment LognormalCells::below(double log_position) const {
    const double z = score(log_position);
    return {tail(-z), tail(slope_ - z)};
}

MassMoment LognormalCells::above(double log_position) const {
    const double z = score(log_position);
    return {tail(z), tail(z - slope_)};
}

double LognormalCells::rounding(double score) const {
    return (64.0 + 4.0 * score * score + 2.0 * std::fabs(score) * slope_) * unit;
}

}  // namespace assay
