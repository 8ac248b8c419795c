#include "assay/pld/rising_thresholds.hpp"

#include <algorithm>
#include <cmath>

#include "assay/numeric/errors.hpp"
#include "assay/pld/grid_exponential.hpp"

namespace assay {

namespace {

constexpr double u = 0x1p-53;

}  // namespace

RisingThresholds rising_thresholds(const PrivacyLossPmf& distribution, int width) {
    if (distribution.direction != Direction::upper)
        throw DirectionError("a majorant needs an upper privacy loss distribution");
    require(width >= 1, "width", width, "at least 1");
    const std::size_t n = distribution.masses.size();
    require(n >= 1, "masses", 0.0, "at least one grid point");

    // Masses under P by increasing threshold, that is, by falling loss.
    std::vector<double> mass(n);
    const double top = distribution.loss(n - 1);
    for_each_exponential(
        distribution.log_scale + (1.0 - distribution.tilt) * top,
        (distribution.tilt - 1.0) * distribution.step, n, [&](std::size_t i, double e) {
            const double tilted = distribution.masses[n - 1 - i] + distribution.rounding;
            mass[i] = tilted > 0.0 ? tilted * e : 0.0;
        });
    // What lies below the window has thresholds above it: moved down to its end they pay more.
    mass[n - 1] += distribution.below_p;

    // Mass / (width step) on the cells i .. i + width - 1; the first begins half a width below the
    // atom, and by what makes the mean of e^y over the cells at most the atom's:
    // log(sinh(x)/x) <= x^2/6.
    const double length = width * distribution.step;
    const double largest = std::max(std::fabs(distribution.loss(0)), std::fabs(top));
    const double shift =
        (0.5 * length + length * length / 24.0) * (1.0 + 8.0 * u) + 8.0 * u * (largest + length);
    RisingThresholds found;
    double highest = 0.0;
    double sum = 0.0;
    const auto wide = static_cast<std::size_t>(width);
    for (std::size_t i = 0; i < n + wide - 1; ++i) {
        if (wide == 1) {
            sum = mass[i];
        } else {  // a fresh sum: differences of running ones would lose small masses
            sum = 0.0;
            for (std::size_t j = i + 1 >= wide ? i + 1 - wide : 0; j <= std::min(i, n - 1); ++j)
                sum += mass[j];
        }
        const double density = sum / length;
        if (density > highest) {
            found.thresholds.push_back(-top - shift + distribution.step * static_cast<double>(i));
            found.rises.push_back(density - highest);
            highest = density;
        }
    }
    found.infinity_mass = distribution.infinity_mass;
    const double exponent =
        std::fabs(distribution.log_scale) +
        (std::fabs(distribution.tilt) + 1.0) * (2.0 * largest + distribution.step);
    // The exponential, the sum over a window, the quotient and the difference.
    found.mass_error = distribution.mass_error + (8.0 * exponent + width + 24.0) * u;
    found.loss_error = distribution.loss_error + (6.0 * largest + 16.0) * u;
    return found;
}

}  // namespace assay
