#include "assay/dpsgd/smallest_noise.hpp"

#include <algorithm>
#include <cmath>

#include "assay/numeric/errors.hpp"
#include "assay/pld/pld_accountant.hpp"
#include "assay/rdp/epsilon_bracket.hpp"

namespace assay {

namespace {

constexpr double least_noise = 0.05;
constexpr double most_noise = 1e12;
constexpr double coarse = 0.1;

/// delta, on each side the better one of both accountants.
Enclosure delta_of(const Phase& phase, Adjacency adjacency, double epsilon, double negligible,
                   double tolerance) {
    PldOptions options;
    options.relative_gap = tolerance;
    options.smallest_delta = std::max(negligible, 1e-300);
    const PrivacyBracket rdp = delta_bracket({&phase, 1}, adjacency, epsilon);
    const DeltaCurve curve = pld_delta({&phase, 1}, adjacency, {&epsilon, 1}, options);
    const DeltaBracket& pld = curve.points.front();
    return {std::max(pld.lower.value, rdp.lower.value), std::min(pld.upper.value, rdp.upper.value)};
}

}  // namespace

Threshold smallest_noise_multiplier(const Phase& phase, Adjacency adjacency, double epsilon,
                                    double delta, double precision) {
    require(delta > 0.0 && delta < 1.0, "delta", delta, "0 < delta < 1");
    require(precision >= 1e-9 && precision < 1.0, "precision", precision, "1e-9 <= precision < 1");
    const auto delta_at = [&](double noise, double tolerance) {
        Phase there = phase;
        std::visit([noise](auto& mechanism) { mechanism.noise_multiplier = noise; },
                   there.mechanism);
        return delta_of(there, adjacency, epsilon, 0.5 * delta, tolerance);
    };
    const auto high = first_sufficient(delta_at, delta, most_noise);
    if (!high) throw DomainError("delta", delta, "reached by some noise below 1e12");
    // Not from the least noise on: far below what is needed losses leave every grid.
    double low = high->x;
    double undecided = 1.0;
    Enclosure at_low = high->value;
    while (low > least_noise && undecided > 1.0 / 64.0 && at_low.lower <= delta) {
        low = std::max(0.5 * low, least_noise);
        at_low = delta_at(low, coarse);
        if (at_low.upper > delta) undecided *= 0.5;
    }
    return find_threshold(delta_at, delta, low, *high, precision);
}

}  // namespace assay
