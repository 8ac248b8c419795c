#pragma once
#include <cmath>
#include <vector>

namespace assay {

/// U(x)/x = p(y) and its derivative at the ends of cells of length `step`, y = log x, for a density
/// of log thresholds that is constant on each cell: p'' + p' = density.
struct ThresholdPayoff {
    std::vector<double> value;
    std::vector<double> slope;

    ThresholdPayoff(const std::vector<double>& density, double step) {
        const double decay = std::exp(-step);
        const double rise = -std::expm1(-step);
        const double square = step - rise;  // h - 1 + e^{-h}
        value.push_back(0.0);
        slope.push_back(0.0);
        for (const double g : density) {
            value.push_back(value.back() + rise * slope.back() + square * g);
            slope.push_back(decay * slope.back() + rise * g);
        }
    }
};

}  // namespace assay
