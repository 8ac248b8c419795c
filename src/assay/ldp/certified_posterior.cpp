#include "assay/ldp/certified_posterior.hpp"

#include <fmt/format.h>

#include <cmath>

#include "assay/numeric/errors.hpp"
#include "assay/numeric/interruption.hpp"

namespace assay {

namespace {

/// One number a category, each admitted.
template <class Admits>
void check(const RestrictedResponse& mechanism, const char* name, std::span<const double> values,
           Admits admits, const char* admissible) {
    if (values.size() != static_cast<std::size_t>(mechanism.categories))
        throw DomainError(name, fmt::format("{} values", values.size()),
                          fmt::format("one a category, {}", mechanism.categories));
    for (const double value : values)
        require(admits(value) && std::isfinite(value), name, value, admissible);
}

RealInterval sum_of(std::span<const double> weights) {
    RealInterval sum;
    for (const double w : weights) sum += w;
    return sum;
}

}  // namespace

ResponseLikelihood::ResponseLikelihood(const RestrictedResponse& mechanism,
                                       const AnswerWithSubset& answer)
    : subset_(mechanism.categories, answer.subset),
      distribution_(certified_distribution(mechanism, subset_.size())),
      response_(answer.response) {
    require(response_ >= 0 && response_ < mechanism.categories, "response", response_ + 1,
            "a category from 1 to K");
    if (subset_.outside() == 0) subset_.resize(subset_.size() - 1);  // the same mechanism
}

const RealInterval& ResponseLikelihood::coefficient(int x) const {
    return distribution_.probability(subset_.contains(response_), subset_.contains(x),
                                     x == response_);
}

RealInterval ResponseLikelihood::inside_weight(std::span<const double> weights) const {
    RealInterval sum;
    for (int i = 0; i < subset_.size(); ++i)
        sum += weights[static_cast<std::size_t>(subset_.member(i))];
    return sum;
}

RealInterval ResponseLikelihood::outside_weight(std::span<const double> weights) const {
    RealInterval sum;
    for (int i = 0; i < subset_.outside(); ++i)
        sum += weights[static_cast<std::size_t>(subset_.outsider(i))];
    return sum;
}

RealInterval ResponseLikelihood::marginal(std::span<const double> weights,
                                          const RealInterval& total) const {
    const RealInterval own = weights[static_cast<std::size_t>(response_)];
    if (subset_.contains(response_))
        return distribution_.other_inside + distribution_.inside_gain * (own / total);
    return (distribution_.outside_from_inside * inside_weight(weights) +
            distribution_.other_outside * outside_weight(weights) +
            distribution_.outside_gain * own) /
           total;
}

std::vector<RealInterval> ResponseLikelihood::scores(std::span<const double> weights,
                                                     const RealInterval& total) const {
    // g(y|x) - g(y|z) summed over z by weight; off S see CertifiedUtilities.
    const RealInterval own = weights[static_cast<std::size_t>(response_)];
    RealInterval honest = distribution_.inside_gain * (total - own);
    RealInterval from_inside = -(distribution_.inside_gain * own);
    RealInterval from_outside = from_inside;
    if (!subset_.contains(response_)) {
        const RealInterval inside = inside_weight(weights);
        const RealInterval rest = outside_weight(weights) - own;
        honest = distribution_.outside_advantage * inside + distribution_.outside_gain * rest;
        from_inside =
            -(distribution_.outsider_surplus * rest + distribution_.outside_advantage * own);
        from_outside = distribution_.outsider_surplus * inside - distribution_.outside_gain * own;
    }
    const RealInterval scale = marginal(weights, total) * total;
    std::vector<RealInterval> list;
    for (int x = 0; x < subset_.categories(); ++x) {
        const RealInterval& other = subset_.contains(x) ? from_inside : from_outside;
        list.push_back((x == response_ ? honest : other) / scale);
    }
    return list;
}

RealInterval ResponseLikelihood::log_marginal(std::span<const double> weights,
                                              const RealInterval& total) const {
    const RealInterval h = marginal(weights, total);
    if (!(h.upper() > 0.5L)) return log(h);
    // Near 1, from 1 - h = sum_x (1 - g(y | x)) theta_x, of which only the honest ones are small:
    // 1 - p = ks and 1 - u = ks + (n-1) v.
    const RealInterval own = weights[static_cast<std::size_t>(response_)];
    const RealInterval k = distribution_.subset_size;
    RealInterval lie = k * distribution_.other_inside;
    if (!subset_.contains(response_))
        lie += RealInterval(distribution_.outside() - 1) * distribution_.other_outside;
    RealInterval complement = lie * own;
    for (int x = 0; x < subset_.categories(); ++x)
        if (x != response_)
            complement += (RealInterval(1.0L) - coefficient(x)) *
                          RealInterval(weights[static_cast<std::size_t>(x)]);
    return log1p(-(complement / total));
}

RealInterval certified_log_likelihood(const RestrictedResponse& mechanism,
                                      std::span<const double> weights,
                                      std::span<const AnswerWithSubset> answers) {
    validate(mechanism);
    check(
        mechanism, "weights", weights, [](double w) { return w >= 0.0; }, "numbers >= 0");
    const RealInterval total = sum_of(weights);
    if (total.is_zero()) throw DomainError("weights", "0 everywhere", "one of them positive");
    RealInterval sum;
    for (const AnswerWithSubset& answer : answers) {
        allow_interruption();
        sum += ResponseLikelihood(mechanism, answer).log_marginal(weights, total);
    }
    return sum;
}

std::vector<RealInterval> certified_gradient_phi(const RestrictedResponse& mechanism,
                                                 std::span<const double> weights, double scale,
                                                 std::span<const double> rho,
                                                 std::span<const AnswerWithSubset> answers) {
    validate(mechanism);
    const auto positive = [](double x) { return x > 0.0; };
    check(mechanism, "weights", weights, positive, "numbers > 0");
    check(mechanism, "rho", rho, positive, "numbers > 0");
    require(scale > 0.0 && std::isfinite(scale), "scale", scale, "a number > 0");
    const RealInterval total = sum_of(weights);
    std::vector<RealInterval> scores(weights.size());  // sum_t (g/h - 1)
    for (const AnswerWithSubset& answer : answers) {
        allow_interruption();
        const auto scores_of_one = ResponseLikelihood(mechanism, answer).scores(weights, total);
        for (std::size_t i = 0; i < scores.size(); ++i) scores[i] += scores_of_one[i];
    }
    std::vector<RealInterval> gradient;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const RealInterval prior = (RealInterval(rho[i]) - 1.0L) * scale / weights[i] - 1.0L;
        gradient.push_back(prior + scores[i] * scale / total);
    }
    return gradient;
}

}  // namespace assay
