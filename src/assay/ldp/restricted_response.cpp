#include "assay/ldp/restricted_response.hpp"

#include <algorithm>
#include <cmath>

#include "assay/numeric/errors.hpp"
#include "assay/numeric/exact_bernoulli.hpp"

namespace assay {

namespace {

/// min(eps, bound(e^(eps1-eps) count - 1)), with eps - eps1 = `saved`; eps where rounding leaves no
/// positive number to divide by: the bound is then beyond any eps.
template <class Bound>
double bounded_by(double eps, double saved, double count, const Bound& bound) {
    const double denominator = std::exp(-saved) * count - 1.0;
    return denominator > 0.0 ? std::min(eps, bound(denominator)) : eps;
}

}  // namespace

std::string_view to_string(ResponseVariant variant) {
    return variant == ResponseVariant::theorem ? "theorem" : "as-released";
}

void validate(const RestrictedResponse& mechanism) {
    require(mechanism.categories >= 2 && mechanism.categories <= 1'000'000, "categories",
            mechanism.categories, "an integer from 2 to 1000000");
    require(mechanism.epsilon > 0.0 && mechanism.epsilon <= 500.0, "epsilon", mechanism.epsilon,
            "a number in (0, 500]");
    require(mechanism.budget_share >= 0.0 && mechanism.budget_share <= 1.0, "budget-share",
            mechanism.budget_share, "a number in [0, 1]");
}

int smallest_subset(const RestrictedResponse& mechanism) {
    return mechanism.variant == ResponseVariant::theorem ? 0 : 1;
}

int largest_subset(const RestrictedResponse& mechanism) {
    return mechanism.variant == ResponseVariant::theorem ? mechanism.categories - 1
                                                         : mechanism.categories;
}

double complement_epsilon(const RestrictedResponse& mechanism, int subset_size) {
    validate(mechanism);
    require(subset_size >= 0 && subset_size <= mechanism.categories, "subset-size", subset_size,
            "an integer from 0 to K");
    const double eps = mechanism.epsilon;
    const double saved = (1.0 - mechanism.budget_share) * eps;  // eps - eps1, without cancellation
    if (mechanism.variant == ResponseVariant::theorem) {
        const double n = mechanism.categories - subset_size;
        if (subset_size == 0 || n <= 1.0 || saved >= std::log(n)) return eps;
        return bounded_by(eps, saved, n, [&](double denominator) {
            return std::log1p(n * -std::expm1(-saved) / denominator);
        });
    }
    const double k = subset_size;
    if (!(saved < std::log(k))) return eps;
    return bounded_by(eps, saved, k, [&](double denominator) { return (k - 1.0) / denominator; });
}

ResponseDistribution response_distribution(const RestrictedResponse& mechanism, int subset_size) {
    const double eps2 = complement_epsilon(mechanism, subset_size);
    const double n = mechanism.categories - subset_size;
    // e^-eps stays in range where e^eps does not.
    const double e1 = std::exp(-mechanism.budget_share * mechanism.epsilon);
    const double e2 = std::exp(-eps2);
    ResponseDistribution distribution{.categories = mechanism.categories,
                                      .subset_size = subset_size};
    const bool everything = n == 0.0;  // as released: the mechanism of K - 1
    const double others = everything ? subset_size - 1.0 : subset_size;
    distribution.honest_inside = 1.0 / (1.0 + e1 * others);
    distribution.other_inside = e1 * distribution.honest_inside;
    if (everything) return distribution;
    distribution.outside_from_inside = distribution.other_inside / n;
    distribution.honest_outside = distribution.honest_inside / (1.0 + e2 * (n - 1.0));
    distribution.other_outside = e2 * distribution.honest_outside;
    return distribution;
}

int respond(RandomStream& stream, const ResponseDistribution& distribution,
            const CategorySubset& subset, int truth) {
    const auto below = [&](int bound) {
        return static_cast<int>(stream.below(static_cast<std::uint64_t>(bound)));
    };
    const auto is_told = [&](double lie) {
        return exact_bernoulli([&] { return stream.bits(); }, lie);
    };
    const bool inside = subset.contains(truth);
    const int outside = subset.outside();
    // The random outsider R of Algorithm 2; there is none where S holds everything.
    int outsider = -1;
    if (inside && outside > 0) outsider = subset.outsider(below(outside));
    if (!inside) {
        outsider = truth;
        const double lie = distribution.other_outside / distribution.honest_inside * (outside - 1);
        if (outside > 1 && is_told(lie)) {
            const int other = below(outside - 1);
            const int place = subset.rank(truth) - subset.size();
            outsider = subset.outsider(other < place ? other : other + 1);
        }
    }
    const int candidate = inside ? truth : outsider;
    // Anything else of S and R: its members but the candidate, and R where R is not the candidate.
    const int others = inside ? subset.size() - 1 + (outside > 0 ? 1 : 0) : subset.size();
    if (others == 0 || !is_told(distribution.other_inside * others)) return candidate;
    if (!inside) return subset.member(below(subset.size()));
    const int pick = below(others);
    if (pick == subset.size() - 1) return outsider;
    return subset.member(pick < subset.rank(truth) ? pick : pick + 1);
}

}  // namespace assay
