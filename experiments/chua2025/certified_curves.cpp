#include "experiments/chua2025/certified_curves.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "assay/epochs/epoch_curve.hpp"
#include "assay/monte_carlo/importance_sampling.hpp"
#include "assay/numeric/directed.hpp"
#include "assay/pld/pld_accountant.hpp"

namespace assay::experiments::chua2025 {

std::vector<Enclosure> balls_and_bins_delta(const BallsAndBins& mechanism,
                                            std::span<const double> epsilons,
                                            const Narrowness& wanted) {
    const EpochCurve curve(mechanism, Adjacency::zero_out,
                           {.tolerance = wanted.gap, .negligible_delta = wanted.negligible_delta});
    std::vector<Enclosure> deltas;
    for (const double epsilon : epsilons) {
        const Enclosure removal = curve.delta(LossDirection::removal, epsilon);
        const Enclosure addition = curve.delta(LossDirection::addition, epsilon);
        // delta_add = E_Q[(1 - e^eps W)_+] <= Q(e^eps W < 1) <= Q(event).
        const double event =
            importance_event_probability(mechanism, LossDirection::addition, epsilon).upper;
        deltas.push_back({std::max(removal.lower, addition.lower),
                          std::max(removal.upper, std::min(addition.upper, event))});
    }
    return deltas;
}

std::vector<Enclosure> poisson_delta(const BallsAndBins& mechanism,
                                     std::span<const double> epsilons, const Narrowness& wanted) {
    const Phase phase{SampledGaussian{.noise_multiplier = mechanism.noise_multiplier,
                                      .sampling_probability =
                                          1.0 / static_cast<double>(mechanism.batches_per_epoch)},
                      mechanism.batches_per_epoch};
    PldOptions options;
    options.relative_gap = wanted.gap;
    options.smallest_delta = wanted.negligible_delta;
    const DeltaCurve curve = pld_delta({&phase, 1}, Adjacency::zero_out, epsilons, options);
    // A record in no batch, probability (1-q)^T, leaves the output as it is: delta <= 1 - (1-q)^T.
    const double taking_part = widen_up(
        -std::expm1(static_cast<double>(phase.repetitions) *
                    std::log1p(-std::get<SampledGaussian>(phase.mechanism).sampling_probability)),
        8);
    std::vector<Enclosure> deltas;
    for (const DeltaBracket& point : curve.points)
        deltas.push_back({point.lower.value, std::min(point.upper.value, taking_part)});
    return deltas;
}

std::vector<double> even_grid(double largest, std::int64_t count) {
    std::vector<double> epsilons;
    for (std::int64_t i = 0; i <= count; ++i)
        epsilons.push_back(largest * static_cast<double>(i) / static_cast<double>(count));
    return epsilons;
}

std::vector<double> grid_dense_near_0(double largest, std::int64_t count) {
    std::vector<double> epsilons = even_grid(1.0, count);
    for (double& x : epsilons) x *= largest * x;
    return epsilons;
}

Ordering compare(std::span<const double> epsilons, std::span<const Enclosure> first,
                 std::span<const Enclosure> second) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    Ordering found{-infinity, infinity, -infinity, 0.0, 0.0};
    if (first[0].lower > second[0].upper) {
        std::size_t last = 0;
        while (last + 1 < epsilons.size() && first[last + 1].lower > second[last].upper) ++last;
        found.above_until = epsilons[last];
    }
    for (std::size_t begin = 0; begin + 1 < epsilons.size();) {
        std::size_t end = begin;
        while (end + 1 < epsilons.size() && first[end].upper < second[end + 1].lower) ++end;
        if (end > begin && epsilons[end] - epsilons[begin] > found.below_until - found.below_from)
            found = {found.above_until, epsilons[begin], epsilons[end], second[begin].upper,
                     second[end].lower};
        begin = end + 1;
    }
    return found;
}

}  // namespace assay::experiments::chua2025
