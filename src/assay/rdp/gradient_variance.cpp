#include "assay/rdp/gradient_variance.hpp"

#include <algorithm>
#include <cmath>

#include "assay/numeric/errors.hpp"

namespace assay {

namespace {

/// Ends of a non-negative number in extended precision.
struct Range {
    real lower = 0.0L;
    real upper = 0.0L;
};

void check(std::span<const double> a, int batch) {
    require(!a.empty(), "a", 0.0, "at least one number");
    for (const double x : a) require(std::isfinite(x), "a", x, "finite numbers");
    require(batch >= 1 && static_cast<std::size_t>(batch) <= a.size(), "B", batch,
            "an integer, 1 <= B <= size of a");
}

/// value within `roundings` of the exact number.
Range around(real value, real roundings) {
    const real slack = 1.01L * roundings * unit_roundoff * value;
    return {std::max(0.0L, value - slack), value + slack};
}

/// sum (a_i - mean)^2. With any pivot p, d_i = a_i - p: sum d_i^2 - (sum d_i)^2 / D exactly; the
/// pivot is the rounded mean, so the second term is of the order of the rounding errors.
Range squared_deviations(std::span<const double> a) {
    const auto [least, most] = std::minmax_element(a.begin(), a.end());
    if (*least == *most) return {};
    const auto size = static_cast<real>(a.size());
    real total = 0.0L;
    for (const double x : a) total += x;
    const real pivot = total / size;
    real squares = 0.0L;
    real sum = 0.0L;
    real magnitude = 0.0L;
    for (const double x : a) {
        const real d = static_cast<real>(x) - pivot;
        squares += d * d;
        sum += d;
        magnitude += std::fabs(d);
    }
    // Each d_i has one rounding, each square one more, each sum `size` of them.
    const Range first = around(squares, size + 4.0L);
    const real sum_error = 1.01L * (size + 2.0L) * unit_roundoff * magnitude * 1.01L;
    const real most_sum = std::fabs(sum) + sum_error;
    const real least_sum = std::max(0.0L, std::fabs(sum) - sum_error);
    const Range second{around(least_sum * least_sum / size, 4.0L).lower,
                       around(most_sum * most_sum / size, 4.0L).upper};
    return {std::max(0.0L, first.lower - second.upper), first.upper - second.lower};
}

Enclosure scaled(const Range& range, real factor) {
    // The factor has at most four roundings, the product and the difference above two more.
    return enclose_between(around(range.lower * factor, 8.0L).lower,
                           around(range.upper * factor, 8.0L).upper);
}

}  // namespace

Enclosure variance_poisson(std::span<const double> a, int batch) {
    check(a, batch);
    const auto size = static_cast<real>(a.size());
    const auto taken = static_cast<real>(batch);
    real squares = 0.0L;
    for (const double x : a) squares += static_cast<real>(x) * x;
    // 1/B - 1/D = (D - B) / (B D).
    return scaled(around(squares, size + 1.0L), (size - taken) / (taken * size) / size);
}

Enclosure variance_with_replacement(std::span<const double> a, int batch) {
    check(a, batch);
    const auto size = static_cast<real>(a.size());
    return scaled(squared_deviations(a), 1.0L / (static_cast<real>(batch) * size));
}

Enclosure variance_without_replacement(std::span<const double> a, int batch) {
    check(a, batch);
    const auto size = static_cast<real>(a.size());
    const auto taken = static_cast<real>(batch);
    // B = D leaves nothing to chance; that includes D = 1.
    if (taken == size) return exactly(0.0);
    return scaled(squared_deviations(a), (size - taken) / (taken * size) / (size - 1.0L));
}

}  // namespace assay
