#include "verify/checks/settings.hpp"

#include <algorithm>
#include <cmath>

namespace assay::verify {

Setting setting_at(long number, double noise, double probability) {
    const Adjacency adjacency = number % 2 == 1 ? Adjacency::replace_one : Adjacency::add_remove;
    if (number < 2) return {Gaussian{noise}, adjacency};
    if (number < 4) return {SampledGaussian{noise, probability}, adjacency};
    if (number < 6) return {FixedSizeGaussian{noise, probability}, adjacency};
    constexpr double draws = 8.0;
    const double size = std::max(draws + 1.0, std::round(draws / probability));
    return {FixedSizeWithReplacementGaussian{noise, static_cast<std::int64_t>(draws),
                                             static_cast<std::int64_t>(size)},
            adjacency};
}

Setting setting_at(const Point& point) {
    return setting_at(point.integer("setting"), point["sigma"], point["q"]);
}

Mechanism poisson_at(const Point& point) {
    return SampledGaussian{.noise_multiplier = point["sigma"], .sampling_probability = point["q"]};
}

Mechanism fixed_size_at(const Point& point) {
    return FixedSizeGaussian{.noise_multiplier = point["sigma"],
                             .sampling_probability = point["q"]};
}

Dimension setting_dimension(double first, double last) {
    std::vector<double> corners;
    for (double number = first; number <= last; ++number) corners.push_back(number);
    return {"setting", Scale::linear, first, last, true, corners};
}

}  // namespace assay::verify
