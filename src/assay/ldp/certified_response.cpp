#include "assay/ldp/certified_response.hpp"

#include <algorithm>
#include <cmath>

#include "assay/numeric/errors.hpp"

namespace assay {

namespace {

struct SecondBudget {
    RealInterval epsilon;
    RealInterval excess;  // e^epsilon - 1
};

RealInterval first_budget(const RestrictedResponse& mechanism) {
    return RealInterval(mechanism.budget_share) * mechanism.epsilon;
}

/// eps1 - eps <= 0.
RealInterval shortfall(const RestrictedResponse& mechanism) {
    return (RealInterval(mechanism.budget_share) - 1.0L) * mechanism.epsilon;
}

SecondBudget whole_budget(double epsilon) {
    return {epsilon, expm1(RealInterval(epsilon))};
}

/// x e^(eps1-eps) - 1, whose sign decides the case: x e^(eps1-eps) > 1 iff eps - eps1 < ln x.
RealInterval margin(const RealInterval& falling_excess, int x) {
    return RealInterval(x) * falling_excess + RealInterval(x - 1);
}

SecondBudget by_theorem(const RestrictedResponse& mechanism, int subset_size) {
    const SecondBudget whole = whole_budget(mechanism.epsilon);
    const int n = mechanism.categories - subset_size;
    if (subset_size == 0 || n <= 1) return whole;
    const RealInterval falling = expm1(shortfall(mechanism));  // e^(eps1-eps) - 1
    const RealInterval denominator = margin(falling, n);
    if (denominator.upper() <= 0.0L) return whole;
    const RealInterval numerator = RealInterval(n) * -falling;
    if (denominator.lower() <= 0.0L) {
        // Either case: the other one is at least its value at the largest denominator.
        const RealInterval least = min(numerator / denominator.upper(), whole.excess);
        return {{log1p(least).lower(), whole.epsilon.upper()},
                {least.lower(), whole.excess.upper()}};
    }
    const RealInterval excess = numerator / denominator;
    return {min(log1p(excess), whole.epsilon), min(excess, whole.excess)};
}

SecondBudget as_released(const RestrictedResponse& mechanism, int subset_size) {
    const int k = subset_size;
    if (k <= 1) return whole_budget(mechanism.epsilon);
    const RealInterval whole = mechanism.epsilon;
    const RealInterval denominator = margin(expm1(shortfall(mechanism)), k);
    if (denominator.upper() <= 0.0L) return whole_budget(mechanism.epsilon);
    RealInterval epsilon = whole;
    if (denominator.lower() > 0.0L) {
        epsilon = min(RealInterval(k - 1) / denominator, whole);
    } else {
        epsilon = {min(RealInterval(k - 1) / denominator.upper(), whole).lower(), whole.upper()};
    }
    return {epsilon, expm1(epsilon)};
}

SecondBudget second_budget(const RestrictedResponse& mechanism, int subset_size) {
    validate(mechanism);
    require(subset_size >= 0 && subset_size <= mechanism.categories, "subset-size", subset_size,
            "an integer from 0 to K");
    return mechanism.variant == ResponseVariant::theorem ? by_theorem(mechanism, subset_size)
                                                         : as_released(mechanism, subset_size);
}

CertifiedDistribution distribution_with(const RestrictedResponse& mechanism, int subset_size,
                                        const SecondBudget& second) {
    CertifiedDistribution distribution;
    distribution.categories = mechanism.categories;
    distribution.subset_size = std::min(subset_size, mechanism.categories - 1);
    distribution.epsilon_1 = first_budget(mechanism);
    distribution.epsilon_2 = second.epsilon;
    distribution.excess_1 = expm1(distribution.epsilon_1);
    distribution.excess_2 = second.excess;

    const RealInterval g1 = distribution.excess_1;
    const RealInterval g2 = distribution.excess_2;
    const RealInterval k = distribution.subset_size;
    const RealInterval n = distribution.outside();
    const RealInterval z2 = n + g2;
    const RealInterval s = RealInterval(1.0L) / (k + 1.0L + g1);
    distribution.other_inside = s;
    distribution.inside_gain = s * g1;
    distribution.honest_inside = s + distribution.inside_gain;
    distribution.outside_from_inside = s / n;
    distribution.other_outside = distribution.honest_inside / z2;
    distribution.outside_gain = distribution.other_outside * g2;
    // p e2/Z2 with epsilon_2 in one place: tight where only its range is known.
    distribution.honest_outside =
        distribution.honest_inside / ((n - 1.0L) / (RealInterval(1.0L) + g2) + RealInterval(1.0L));
    // u - r and v - r over the common denominator Z1 n Z2.
    const RealInterval scale = s / (n * z2);
    distribution.outside_advantage = scale * (n * (RealInterval(1.0L) + g2) * g1 + (n - 1.0L) * g2);
    distribution.outsider_surplus = scale * (n * g1 - g2);
    return distribution;
}

}  // namespace

RealInterval certified_complement_epsilon(const RestrictedResponse& mechanism, int subset_size) {
    return second_budget(mechanism, subset_size).epsilon;
}

CertifiedDistribution certified_distribution(const RestrictedResponse& mechanism, int subset_size) {
    return distribution_with(mechanism, subset_size, second_budget(mechanism, subset_size));
}

CertifiedDistribution certified_distribution(const RestrictedResponse& mechanism, int subset_size,
                                             double epsilon_2) {
    static_cast<void>(second_budget(mechanism, subset_size));  // checks its arguments
    require(epsilon_2 >= 0.0 && epsilon_2 <= 500.0, "epsilon-2", epsilon_2, "a number in [0, 500]");
    return distribution_with(mechanism, subset_size, whole_budget(epsilon_2));
}

RealInterval honest_probability(const CertifiedDistribution& distribution,
                                const RealInterval& inside_mass, const RealInterval& outside_mass) {
    return distribution.honest_inside * inside_mass + distribution.honest_outside * outside_mass;
}

RealInterval honest_probability_geometric(const CertifiedDistribution& distribution, double ratio) {
    require(ratio > 0.0 && std::isfinite(ratio), "ratio", ratio, "a positive number");
    const RealInterval k = distribution.subset_size;
    const RealInterval all = distribution.categories;
    const RealInterval n = distribution.outside();
    if (ratio == 1.0) return honest_probability(distribution, k / all, n / all);
    const RealInterval fall =
        ratio > 0.5 && ratio < 2.0 ? log1p(RealInterval(ratio) - 1.0L) : log(RealInterval(ratio));
    // The share of the first (last) categories when each is e^-|fall| times the one before (after).
    const RealInterval steep = abs(fall);
    const RealInterval whole = expm1(-(all * steep));
    const auto head = [&](const RealInterval& size) { return expm1(-(size * steep)) / whole; };
    const auto tail = [&](const RealInterval& size) {
        return exp(-((all - size) * steep)) * head(size);
    };
    if (ratio > 1.0) return honest_probability(distribution, head(k), tail(n));
    return honest_probability(distribution, tail(k), head(n));
}

RealInterval standard_honest_probability(int categories, double epsilon) {
    const RestrictedResponse mechanism{.categories = categories, .epsilon = epsilon};
    return certified_distribution(mechanism, 0).honest_outside;
}

}  // namespace assay
