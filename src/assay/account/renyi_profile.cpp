#include "assay/account/renyi_profile.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "assay/privacy/citations.hpp"
#include "assay/privacy/dominating_pair.hpp"
#include "assay/rdp/one_step.hpp"
#include "assay/rdp/rdp_sum.hpp"
#include "assay/rdp/rdp_to_epsilon_delta.hpp"
#include "assay/rdp/worst_pair.hpp"

namespace assay {

namespace {

bool all_have(std::span<const Phase> steps, Adjacency adjacency, const auto& has_pair) {
    return std::all_of(steps.begin(), steps.end(),
                       [&](const Phase& phase) { return has_pair(phase.mechanism, adjacency); });
}

/// The adjacency whose Renyi divergences bound those of this one.
std::optional<Adjacency> bounding(std::span<const Phase> steps, Adjacency adjacency) {
    if (all_have(steps, adjacency, has_worst_renyi_pair)) return adjacency;
    // A null record is one whose query is 0.
    if (adjacency == Adjacency::zero_out &&
        all_have(steps, Adjacency::replace_one, has_worst_renyi_pair))
        return Adjacency::replace_one;
    return std::nullopt;
}

}  // namespace

RenyiProfile::RenyiProfile(std::span<const Phase> steps, Adjacency adjacency,
                           StandingFilter standing, Sides sides)
    : upper_theorem_(cite::unsampled_hockey_stick) {
    const auto above = bounding(steps, adjacency);
    if (above && sides != Sides::lower) compose(steps, *above, standing);
    if (sides == Sides::upper || standing == StandingFilter::published ||
        !all_have(steps, adjacency, has_dominating_pair))
        return;
    std::vector<RepeatedPair> pairs;
    for (const Phase& phase : steps) {
        const DominatingPair pair = dominating_pair(phase.mechanism, adjacency);
        pairs.push_back({likelihood_ratio(pair.attained_pairs().front()), phase.repetitions});
    }
    below_ = std::make_unique<DeltaLowerBound>(pairs);
}

void RenyiProfile::compose(std::span<const Phase> steps, Adjacency adjacency,
                           StandingFilter standing) {
    std::vector<double> orders;
    for (int i = -20; i <= 40; ++i) orders.push_back(1.0 + std::pow(10.0, 0.1 * i));
    std::vector<RdpSum> sums(orders.size(), RdpSum(Direction::upper));
    for (const Phase& phase : steps) {
        std::vector<Bound> bounds;
        if (standing == StandingFilter::published) {
            bounds = published_rdp(phase.mechanism, adjacency, orders);
        } else {
            const Theorem theorem = exact_theorem(phase.mechanism, adjacency);
            for (const Enclosure& value : exact_rdp(phase.mechanism, adjacency, orders))
                bounds.push_back({value.upper, Direction::upper, theorem});
        }
        for (std::size_t i = 0; i < orders.size(); ++i) sums[i].add(bounds[i], phase.repetitions);
    }
    for (std::size_t i = 0; i < orders.size(); ++i)
        composed_.push_back({orders[i], sums[i].value()});
    upper_theorem_ = sums.front().theorems().front();
    for (const Theorem& theorem : sums.front().theorems())
        if (theorem.standing == Standing::ours) upper_theorem_ = theorem;
}

double RenyiProfile::above(double epsilon) const {
    double least = 1.0;
    for (const auto& [order, rdp] : composed_)
        least = std::min(least, canonne2020_delta(order, exactly(rdp), epsilon).upper);
    return least;
}

DivergenceSample RenyiProfile::at(double epsilon) const {
    const double upper = above(epsilon);
    const double lower = below_ ? below_->at(epsilon) : 0.0;
    return {epsilon, {std::min(lower, upper), upper}, {0.0, upper}};
}

double RenyiProfile::reach(double smallest) const {
    double high = 1e-3;
    const auto exceeds = [&](double epsilon) {
        return (composed_.empty() ? at(epsilon).removal.lower : above(epsilon)) > smallest;
    };
    while (high < 1e4 && exceeds(high)) high *= 1.3;
    return high;
}

}  // namespace assay
