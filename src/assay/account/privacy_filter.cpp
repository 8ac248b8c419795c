#include "assay/account/privacy_filter.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "assay/account/one_accountant.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/privacy/citations.hpp"
#include "assay/rdp/one_step.hpp"
#include "assay/rdp/rdp_to_epsilon_delta.hpp"

namespace assay {

namespace {

/// Descriptions have all digits.
bool is_same(const Phase& a, const Phase& b) {
    return describe(a.mechanism) == describe(b.mechanism);
}

}  // namespace

PrivacyFilter::PrivacyFilter(Adjacency adjacency, const PrivacyTarget& target,
                             std::vector<double> orders)
    : adjacency_(adjacency), target_(target), orders_(std::move(orders)) {
    require(target.epsilon >= 0.0 && std::isfinite(target.epsilon), "epsilon", target.epsilon,
            "0 <= epsilon < inf");
    require(target.delta > 0.0 && target.delta < 1.0, "delta", target.delta, "0 < delta < 1");
    if (orders_.empty()) throw DomainError("orders", "none", "at least one");
    std::sort(orders_.begin(), orders_.end());
    for (const double order : orders_)
        require(order > 1.0 && std::isfinite(order), "order", order, "1 < order < inf");
    if (std::adjacent_find(orders_.begin(), orders_.end()) != orders_.end())
        throw DomainError("orders", "one of them twice", "distinct ones");
    const auto count = static_cast<double>(orders_.size());
    // Downward: the shares add up to no more than delta.
    share_ = std::nextafter(target.delta / count, 0.0);
    if (orders_.size() == 1) share_ = target.delta;
    sums_.assign(orders_.size(), RdpSum(Direction::upper));
}

std::vector<Bound> PrivacyFilter::divergences_of(const Phase& phase) const {
    const Release release{adjacency_, {phase}};
    static_cast<void>(steps_of(release));  // refuses epoch samplers
    require(phase.repetitions >= 1, "steps", static_cast<double>(phase.repetitions), "at least 1");
    std::vector<Bound> bounds;
    for (const OneStep& step : one_step_rdp(phase.mechanism, adjacency_, orders_))
        bounds.push_back(step.upper);
    return bounds;
}

double PrivacyFilter::epsilon_with(const std::vector<Bound>& divergences,
                                   std::int64_t repetitions) const {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < orders_.size(); ++i) {
        RdpSum sum = sums_[i];
        if (!last_.empty()) sum.add(last_[i], phases_.back().repetitions);
        if (repetitions > 0) sum.add(divergences[i], repetitions);
        const double rdp = sum.value();
        // Nondecreasing in the sum: what one order refuses it refuses for good.
        least = std::min(least, canonne2020_epsilon(orders_[i], {0.0, rdp}, share_).upper);
    }
    return least;
}

bool PrivacyFilter::admits(const Phase& phase) const {
    const bool repeats = !phases_.empty() && is_same(phases_.back(), phase);
    return epsilon_with(repeats ? last_ : divergences_of(phase), phase.repetitions) <=
           target_.epsilon;
}

bool PrivacyFilter::admit(const Phase& phase) {
    const bool repeats = !phases_.empty() && is_same(phases_.back(), phase);
    std::vector<Bound> divergences = repeats ? last_ : divergences_of(phase);
    if (!(epsilon_with(divergences, phase.repetitions) <= target_.epsilon)) return false;
    if (repeats) {
        phases_.back().repetitions += phase.repetitions;
        return true;
    }
    if (!phases_.empty())
        for (std::size_t i = 0; i < orders_.size(); ++i)
            sums_[i].add(last_[i], phases_.back().repetitions);
    phases_.push_back(phase);
    last_ = std::move(divergences);
    return true;
}

double PrivacyFilter::spent_epsilon() const {
    if (phases_.empty()) return 0.0;
    return epsilon_with(last_, 0);
}

Theorem PrivacyFilter::theorem() const {
    return orders_.size() == 1 ? cite::feldman2021_filter : cite::privacy_filter;
}

std::vector<double> filter_orders(const Release& plan, double delta) {
    const Bracket found = epsilon_by(Accountant::renyi, plan, delta, Goal{});
    if (found.upper_order > 1.0) return {found.upper_order};
    throw DomainError("plan", describe(plan), "one that has a Renyi divergence behind its epsilon");
}

}  // namespace assay
