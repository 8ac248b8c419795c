#include "assay/ldp/certified_utilities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "assay/numeric/errors.hpp"
#include "assay/numeric/interruption.hpp"

namespace assay {

namespace {

constexpr real infinity = std::numeric_limits<real>::infinity();

RealInterval square(const RealInterval& x) {
    return x * x;
}

RealInterval positive_part(const RealInterval& x) {
    return max(x, 0.0L);
}

/// x^n for x >= 0.
RealInterval power(RealInterval x, int n) {
    RealInterval result = 1.0L;
    for (; n > 0; n /= 2) {
        if (n % 2 == 1) result *= x;
        x *= x;
    }
    return result;
}

void check_weights(const RestrictedResponse& mechanism, std::span<const double> weights) {
    if (weights.size() != static_cast<std::size_t>(mechanism.categories))
        throw DomainError("weights", fmt::format("{} values", weights.size()),
                          fmt::format("one a category, {}", mechanism.categories));
    bool any = false;
    for (const double w : weights) {
        require(w >= 0.0 && std::isfinite(w), "weights", w, "numbers >= 0");
        any = any || w > 0.0;
    }
    if (!any) throw DomainError("weights", "0 everywhere", "one of them positive");
}

/// S = everything is the mechanism in which its last member stands outside.
CategorySubset proper(CategorySubset subset) {
    if (subset.outside() == 0) subset.resize(subset.size() - 1);
    return subset;
}

}  // namespace

CertifiedUtilities::CertifiedUtilities(const RestrictedResponse& mechanism,
                                       std::span<const double> weights,
                                       const CategorySubset& subset)
    : weights_(weights.begin(), weights.end()),
      subset_(proper(subset)),
      distribution_(certified_distribution(mechanism, subset.size())) {
    check_weights(mechanism, weights);
    if (subset.categories() != mechanism.categories)
        throw DomainError("subset", fmt::format("of {} categories", subset.categories()),
                          fmt::format("a set of {} categories", mechanism.categories));
    for (int i = 0; i < subset_.size(); ++i) inside_ += weight(subset_.member(i));
    for (int i = 0; i < subset_.outside(); ++i) outside_ += weight(subset_.outsider(i));
    total_ = inside_ + outside_;
}

RealInterval CertifiedUtilities::frequency(int i) const {
    return share(weight(i));
}

/// b: h(y) off S less its own part.
RealInterval CertifiedUtilities::outside_base() const {
    return distribution_.outside_from_inside * share(inside_) +
           distribution_.other_outside * share(outside_);
}

/// h(S) = ks + a1 P.
RealInterval CertifiedUtilities::inside_marginal() const {
    return RealInterval(distribution_.subset_size) * distribution_.other_inside +
           distribution_.inside_gain * share(inside_);
}

RealInterval CertifiedUtilities::marginal(int y) const {
    if (subset_.contains(y))
        return distribution_.other_inside + distribution_.inside_gain * frequency(y);
    return outside_base() + distribution_.outside_gain * frequency(y);
}

RealInterval CertifiedUtilities::marginal_complement(int y) const {
    // 1 = p + ks, so 1 - h = ks + a1 (1 - theta).
    if (subset_.contains(y))
        return RealInterval(distribution_.subset_size) * distribution_.other_inside +
               distribution_.inside_gain * share(others(y));
    return inside_marginal() + RealInterval(distribution_.outside() - 1) * outside_base() +
           distribution_.outside_gain * share(other_outsiders(y));
}

RealInterval CertifiedUtilities::fisher_information() const {
    return -trace_inverse_fisher_without_smallest();
}

RealInterval CertifiedUtilities::entropy() const {
    RealInterval sum;
    for (int y = 0; y < categories(); ++y) {
        const RealInterval h = marginal(y);
        // Near 1 the complement knows more digits of ln h.
        sum += h * (h.upper() > 0.5L ? log1p(-marginal_complement(y)) : log(h));
    }
    return sum;
}

RealInterval CertifiedUtilities::posterior_total_variation() const {
    // On S, g > h at x = y alone: theta_y (p - h) = a1 theta_y (1 - theta_y). Off S, g(y|.) takes
    // three values, and half the sum of |g - h| theta is that of its positive parts:
    //   u - h = P(u-r) + (Q-theta) d,  v - h = P(v-r) - d theta,
    //   r - h = (Q-theta)(r-v) - theta (u-r).
    const RealInterval p = share(inside_);
    RealInterval on;
    RealInterval off;
    for (int y = 0; y < categories(); ++y) {
        const RealInterval theta = frequency(y);
        if (subset_.contains(y)) {
            on += theta * share(others(y));
            continue;
        }
        const RealInterval rest = share(other_outsiders(y));
        const RealInterval honest =
            p * distribution_.outside_advantage + rest * distribution_.outside_gain;
        const RealInterval other =
            p * distribution_.outsider_surplus - distribution_.outside_gain * theta;
        const RealInterval inside =
            -(rest * distribution_.outsider_surplus) - theta * distribution_.outside_advantage;
        off += theta * honest + rest * positive_part(other) + p * positive_part(inside);
    }
    return distribution_.inside_gain * on + off;
}

RealInterval CertifiedUtilities::marginal_total_variation() const {
    // On S, h - theta = s (1 - (k+1) theta); off S, as 1 - d = ks + nv,
    // h - theta = v (Q - n theta) + r (P - kn theta). The brackets are exact for counts.
    const RealInterval k = distribution_.subset_size;
    const RealInterval n = distribution_.outside();
    RealInterval on;
    RealInterval off;
    for (int y = 0; y < categories(); ++y) {
        const RealInterval w = weight(y);
        if (subset_.contains(y)) {
            on += abs(total_ - (k + 1.0L) * w);
            continue;
        }
        off += abs(distribution_.other_outside * share(outside_ - n * w) +
                   distribution_.outside_from_inside * share(inside_ - k * n * w));
    }
    return -((distribution_.other_inside * share(on) + off) * 0.5L);
}

RealInterval CertifiedUtilities::mean_squared_error() const {
    // -U5 = sum_y (1/h) sum_{x != x'} g(y|x) g(y|x') theta_x theta_x': all terms are positive.
    RealInterval pairs_inside;   // theta_x theta_x' over both in S
    RealInterval pairs_outside;  // both off S
    RealInterval pairs;
    for (int i = 0; i < categories(); ++i) {
        const bool inside = subset_.contains(i);
        const RealInterval theta = frequency(i);
        pairs += theta * share(others(i));
        if (inside)
            pairs_inside += theta * share(inside_ - weight(i));
        else
            pairs_outside += theta * share(other_outsiders(i));
    }
    const RealInterval s = distribution_.other_inside;
    const RealInterval r = distribution_.outside_from_inside;
    const RealInterval u = distribution_.honest_outside;
    const RealInterval v = distribution_.other_outside;
    const RealInterval p = share(inside_);
    const RealInterval fixed = square(r) * pairs_inside + square(v) * pairs_outside;
    RealInterval sum;
    for (int y = 0; y < categories(); ++y) {
        const RealInterval theta = frequency(y);
        RealInterval doubt;
        if (subset_.contains(y)) {
            doubt = s * (RealInterval(2.0L) * distribution_.inside_gain * theta * share(others(y)) +
                         s * pairs);
        } else {
            const RealInterval rest = share(other_outsiders(y));
            doubt = fixed + RealInterval(2.0L) * (r * p * (u * theta + v * rest) +
                                                  v * distribution_.outside_gain * theta * rest);
        }
        sum += doubt / marginal(y);
    }
    return -sum;
}

RealInterval CertifiedUtilities::honest_response() const {
    return honest_probability(distribution_, share(inside_), share(outside_));
}

bool CertifiedUtilities::is_singular() const {
    return (distribution_.subset_size > 0 && distribution_.inside_gain.is_zero()) ||
           (distribution_.outside() > 1 && distribution_.outside_gain.is_zero());
}

/// C_ii of the covariance C = G^-1 D G^-T - theta theta^T: the variance under h of row i of G^-1,
/// which takes two values for i in S (1/a1 apart) and three for i off S.
RealInterval CertifiedUtilities::variance(int i) const {
    const RealInterval own = marginal(i);
    if (subset_.contains(i))
        return own * marginal_complement(i) / square(distribution_.inside_gain);
    const RealInterval rest = RealInterval(distribution_.outside() - 1) * outside_base() +
                              distribution_.outside_gain * share(other_outsiders(i));
    RealInterval spread = own * rest;
    if (distribution_.subset_size > 0) {
        // The value on S less that elsewhere off S, times -d; and 1 more for i itself, where
        // a1 + r - v = s (n g1 (g2+n-1) + g2) / (n Z2) > 0.
        const RealInterval n = distribution_.outside();
        const RealInterval g1 = distribution_.excess_1;
        const RealInterval g2 = distribution_.excess_2;
        const RealInterval shift = distribution_.outsider_surplus / distribution_.inside_gain;
        const RealInterval far = (n * g1 * (g2 + (n - 1.0L)) + g2) / (g1 * n * (n + g2));
        spread += inside_marginal() * (own * square(far) + rest * square(shift));
    }
    return spread / square(distribution_.outside_gain);
}

RealInterval CertifiedUtilities::trace_without(int dropped) const {
    if (is_singular()) return infinity;
    RealInterval sum;
    for (int i = 0; i < categories(); ++i)
        if (i != dropped) sum += variance(i);
    return sum;
}

RealInterval CertifiedUtilities::trace_full_covariance() const {
    return trace_without(-1);
}

RealInterval CertifiedUtilities::trace_inverse_fisher(int dropped) const {
    require(dropped >= 0 && dropped < categories(), "dropped", dropped, "a category");
    return trace_without(dropped);
}

RealInterval CertifiedUtilities::trace_inverse_fisher_without_smallest() const {
    const auto smallest = std::min_element(weights_.rbegin(), weights_.rend());
    return trace_without(static_cast<int>(weights_.rend() - smallest) - 1);
}

RealInterval CertifiedUtilities::fisher_determinant() const {
    if (is_singular()) return 0.0L;
    // Factor by factor: the product of all h alone would leave the range.
    RealInterval product = 1.0L;
    int inside_left = distribution_.subset_size;
    int outside_left = distribution_.outside() - 1;
    for (int y = 0; y < categories(); ++y) {
        product = product / marginal(y);
        if (subset_.contains(y) && inside_left-- > 0) product *= square(distribution_.inside_gain);
        if (!subset_.contains(y) && outside_left-- > 0)
            product *= square(distribution_.outside_gain);
    }
    return product;
}

RealInterval response_determinant(const CertifiedDistribution& distribution) {
    return power(distribution.inside_gain, distribution.subset_size) *
           power(distribution.outside_gain, distribution.outside() - 1);
}

CertifiedSize certified_best_size(const RestrictedResponse& mechanism,
                                  std::span<const double> weights, CertifiedUtility utility) {
    validate(mechanism);
    check_weights(mechanism, weights);
    CategorySubset subset(mechanism.categories);
    subset.rank_by(weights);
    std::vector<RealInterval> values;
    real floor = -infinity;  // proved for one of the sizes
    const int first = smallest_subset(mechanism);
    // With the whole budget on S, the mechanism of K - 1 is that of 0: standard randomised
    // response.
    const bool wraps = first == 0 && mechanism.budget_share == 1.0;
    const int last = mechanism.categories - (wraps ? 2 : 1);
    for (int k = first; k <= last; ++k) {
        allow_interruption();
        subset.resize(k);
        values.push_back((CertifiedUtilities(mechanism, weights, subset).*utility)());
        floor = std::max(floor, values.back().lower());
    }
    // The smallest size that attains the maximum reaches `floor`, and all before it stay below it.
    CertifiedSize size{.lowest = -1, .highest = -1};
    real before = -infinity;
    for (int k = first; k <= last; ++k) {
        const RealInterval& value = values[static_cast<std::size_t>(k - first)];
        const bool may_win = value.upper() >= floor && (k == first || value.upper() > before);
        before = std::max(before, value.lower());
        if (!may_win) continue;
        if (size.lowest < 0) size.lowest = k;
        size.highest = k;
    }
    return size;
}

}  // namespace assay
