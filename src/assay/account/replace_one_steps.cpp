#include "assay/account/replace_one_steps.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <vector>

#include "assay/numeric/directed.hpp"
#include "assay/numeric/work_limit.hpp"
#include "assay/pld/jump_chain.hpp"
#include "assay/pld/one_jump.hpp"
#include "assay/pld/tilted_bracket.hpp"
#include "assay/pld/turned_pairs.hpp"
#include "assay/privacy/citations.hpp"
#include "assay/rdp/one_step.hpp"

namespace assay {

namespace {

/// Steps of one fixed-size sampler, and all other steps.
struct Steps {
    FixedSizeGaussian sampler;
    std::int64_t count = 0;
    std::vector<Phase> others;
};

/// Nothing where the theorem does not say how to cut the release.
std::optional<Steps> sorted(std::span<const Phase> phases) {
    Steps steps;
    for (const Phase& phase : phases) {
        const auto* sampler = std::get_if<FixedSizeGaussian>(&phase.mechanism);
        if (sampler == nullptr) {
            // Their pairs are attained, dominate in both orders and have known moments.
            if (!std::holds_alternative<SampledGaussian>(phase.mechanism) &&
                !std::holds_alternative<Gaussian>(phase.mechanism))
                return std::nullopt;
            steps.others.push_back(phase);
            continue;
        }
        if (steps.count > 0 &&
            (sampler->noise_multiplier != steps.sampler.noise_multiplier ||
             sampler->sampling_probability != steps.sampler.sampling_probability))
            return std::nullopt;
        steps.sampler = *sampler;
        steps.count += phase.repetitions;
    }
    // Beyond these a grid of the losses is too wide or too fine to tell more than the pair itself.
    constexpr double least_noise = 0.1;
    constexpr double least_losses = 1e-5;
    const double losses = steps.sampler.sampling_probability * 2.0 /
                          steps.sampler.noise_multiplier *
                          std::sqrt(static_cast<double>(steps.count));
    if (steps.count < 2 || steps.sampler.noise_multiplier < least_noise || losses < least_losses)
        return std::nullopt;
    return steps;
}

/// Every cut of the release, with moments that are computed once.
class Cuts {
public:
    explicit Cuts(const Steps& steps) : steps_(steps) {
        symmetric_ = dominating_pair(steps.sampler, Adjacency::replace_one);
        one_sided_ = symmetric_;
        one_sided_.shape = DominatingPair::Shape::removal;
        std::vector<double> orders;
        double excess = 1e-4;
        while (excess < 2000.0) {
            orders.push_back(1.0 + excess);
            excess *= 1.1;
        }
        divergences_ = exact_rdp(steps.sampler, Adjacency::replace_one, orders);
        for (const double order : orders) moments_.push_back({order, 0.0});
        for (const Phase& phase : steps.others) {
            others_.push_back(
                {dominating_pair(phase.mechanism, Adjacency::replace_one), phase.repetitions});
            add(exact_rdp(phase.mechanism, Adjacency::replace_one, orders), phase.repetitions,
                moments_);
        }
    }

    [[nodiscard]] JumpSplit at(std::int64_t last) const {
        JumpSplit split;
        split.first = others_;
        split.first.push_back({one_sided_, steps_.count - last});
        split.last.push_back({symmetric_, last});
        split.moments = moments_;
        add(divergences_, steps_.count - last, split.moments);
        return split;
    }

    /// Of one step.
    [[nodiscard]] ChainMoments chain_moments(double epsilon, double delta) const {
        ChainMoments chain;
        chain.divergence = divergences_.front().upper;  // D_a grows with a
        chain.epsilon = epsilon;
        chain.delta = delta;
        double least = std::numeric_limits<double>::infinity();
        for (const MomentBound& moment : moments_) chain.moments.push_back({moment.order, 0.0});
        add(divergences_, 1, chain.moments);
        for (const MomentBound& moment : chain.moments) {
            const double exponent = static_cast<double>(steps_.count) * moment.log_moment -
                                    (moment.order - 1.0) * epsilon;
            if (exponent >= least) continue;
            least = exponent;
            chain.order = moment.order;
        }
        chain.log_reach = least - std::log(delta);
        return chain;
    }
    [[nodiscard]] const DominatingPair& symmetric() const { return symmetric_; }
    [[nodiscard]] RepeatedLossPair one_sided() const { return {one_sided_, steps_.count}; }
    [[nodiscard]] const std::vector<RepeatedLossPair>& others() const { return others_; }

private:
    /// log E W^a = (a-1) D_a, rounded up.
    static void add(const std::vector<Enclosure>& divergences, std::int64_t steps,
                    std::vector<MomentBound>& moments) {
        for (std::size_t i = 0; i < moments.size(); ++i)
            moments[i].log_moment =
                widen_up(moments[i].log_moment + (moments[i].order - 1.0) * divergences[i].upper *
                                                     static_cast<double>(steps) * (1.0 + 0x1p-50),
                         1);
    }

    const Steps& steps_;
    DominatingPair symmetric_;
    DominatingPair one_sided_;
    std::vector<RepeatedLossPair> others_;
    std::vector<Enclosure> divergences_;
    std::vector<MomentBound> moments_;
};

/// Where the bound is wanted: delta is about `delta` at `epsilon`.
struct Place {
    double epsilon = 0.0;
    double least_epsilon = 0.0;
    double delta = 0.0;
};

/// A number of steps after the jump, and the bound that it gives on coarse grids.
struct Cut {
    std::int64_t last = 0;
    double delta = 1.0;
};

/// Grids of this precision are enough to compare cuts.
constexpr double coarse = 3e-3;

/// By how much a delta of about this size falls at most, as seen, from coarse grids to fine ones:
/// they add a part of the variance, which counts the more the farther the tail is.
double gain_of_fine_grids(double delta) {
    return 1.1 * std::pow(std::max(delta, 1e-300), -0.02);
}

/// The best one by golden section of its logarithm. The search ends early where both of its points
/// are three times above `hopeless`, beyond which the jump cannot be the better bound.
Cut best_cut(const Cuts& cuts, std::int64_t steps, const Place& place, double hopeless) {
    constexpr double golden = 0.6180339887498949;
    const auto most = static_cast<double>(steps - 1);
    const auto at = [&](double log_last) {
        return static_cast<std::int64_t>(std::clamp(std::round(std::exp(log_last)), 1.0, most));
    };
    std::map<std::int64_t, double> known;
    const auto value = [&](double log_last) {
        const std::int64_t last = at(log_last);
        if (const auto old = known.find(last); old != known.end()) return old->second;
        const OneJump jump(cuts.at(last), Adjacency::replace_one, place.epsilon, place.epsilon,
                           place.delta, coarse);
        return known[last] = jump.delta(place.epsilon);
    };
    double left = std::log(std::max(1.0, 0.005 * most));
    double right = std::log(std::max(1.0, 0.6 * most));
    double a = right - golden * (right - left);
    double b = left + golden * (right - left);
    for (int i = 0; i < 5; ++i) {
        if (std::min(value(a), value(b)) > 3.0 * hopeless) break;
        if (value(a) <= value(b)) {
            right = b;
            b = a;
            a = right - golden * (right - left);
        } else {
            left = a;
            a = b;
            b = left + golden * (right - left);
        }
    }
    const auto best =
        std::min_element(known.begin(), known.end(),
                         [](const auto& x, const auto& y) { return x.second < y.second; });
    return {best->first, best->second};
}

double precision_of(const Goal& goal) {
    return std::clamp(0.2 * goal.relative_gap, 1e-5, 1e-3);
}

/// The upper side by one jump.
double jump_side(const Cuts& cuts, std::int64_t steps, const Place& place, const Question& question,
                 const Bracket& found) {
    const double hopeless = question.wants_delta
                                ? found.upper.value * gain_of_fine_grids(found.upper.value)
                                : std::numeric_limits<double>::infinity();
    const Cut cut = best_cut(cuts, steps, place, hopeless);
    if (cut.delta > hopeless) return question.trivial_upper();
    const OneJump jump(cuts.at(cut.last), Adjacency::replace_one, place.epsilon,
                       place.least_epsilon, place.delta, precision_of(question.goal));
    if (question.wants_delta) return jump.delta(place.epsilon);
    const double high = std::min(found.upper.value, 1.5 * found.lower.value + 2.0);
    return jump.epsilon(question.given, found.lower.value, high).value_or(question.trivial_upper());
}

/// The upper side by a chain of groups and one jump at the end of it.
double chain_side(const Cuts& cuts, const Place& place, const Question& question,
                  const Bracket& found) {
    constexpr double precision = 5e-4;
    const RepeatedLossPair pair = cuts.one_sided();
    const auto count = static_cast<double>(pair.steps);
    const auto start = static_cast<std::int64_t>(std::max(1.0, 0.06 * std::pow(count, 0.74)));
    const std::int64_t most = 3 * pair.steps / 4;
    if (start >= most) return question.trivial_upper();
    const std::vector<ChainLink> links =
        jump_chain(pair.pair, cuts.symmetric(), cuts.chain_moments(place.epsilon, place.delta),
                   Adjacency::replace_one, start, most, precision);
    const auto jump_at = [&](const ChainLink& link, double fine) {
        return OneJump(cuts.at(link.steps), link, Adjacency::replace_one, place.epsilon,
                       place.least_epsilon, place.delta, fine);
    };
    const ChainLink* best = nullptr;
    double least = 1.0;
    for (const ChainLink& link : links) {
        if (link.steps == start || 64 * link.steps < pair.steps) continue;
        const double value = jump_at(link, 2e-3).delta(place.epsilon);
        if (value >= least) continue;
        least = value;
        best = &link;
    }
    if (best == nullptr) return question.trivial_upper();
    const OneJump jump = jump_at(*best, 1e-4);
    if (question.wants_delta) return jump.delta(place.epsilon);
    return jump.epsilon(question.given, found.lower.value, found.upper.value)
        .value_or(question.trivial_upper());
}

std::int64_t blocks_of(Effort effort) {
    if (effort == Effort::quick) return 24;
    return effort == Effort::normal ? 64 : 256;
}

/// The lower side by pairs turned round where that pays.
double turned_side(const Cuts& cuts, const Place& place, const Question& question) {
    const RepeatedLossPair pair = cuts.one_sided();
    const TurnedPairs turned(pair, cuts.others(), Adjacency::replace_one,
                             std::min(pair.steps, blocks_of(question.goal.effort)),
                             place.least_epsilon, place.delta, precision_of(question.goal));
    return question.wants_delta ? turned.delta(place.epsilon) : turned.epsilon(question.given);
}

}  // namespace

bool improve_replace_one(Bracket& found, std::span<const Phase> phases, const Question& question) {
    if (question.goal.standing == StandingFilter::published) return false;
    const std::optional<Steps> steps = sorted(phases);
    if (!steps) return false;
    // Where the symmetric pair's losses leave every grid, those of the jump do as well.
    constexpr double hopeless = 1e-9;
    if (!(found.lower.value >= hopeless * found.upper.value)) return false;
    Place place;
    if (question.wants_delta) {
        if (!(found.upper.value > question.negligible)) return false;
        place = {question.given, question.given,
                 std::max({found.lower.value, 1e-3 * found.upper.value, 1e-290})};
    } else {
        place.least_epsilon = found.lower.value;
        place.epsilon = std::min({found.upper.value, 1.2 * found.lower.value + 1.0,
                                  0.5 * (found.lower.value + found.upper.value)});
        place.delta = question.given;
    }
    if (place.epsilon > largest_pld_epsilon) return false;
    std::optional<Cuts> cuts;
    if (!within_part(0.3, [&] { cuts.emplace(*steps); })) return false;
    const auto improve_upper = [&](double value, const Theorem& theorem) {
        found.improve(found.lower, {value, Direction::upper, theorem, Status::certified},
                      question.goal.standing);
    };
    const auto is_enough = [&] {
        return found.gap() <= question.goal.relative_gap ||
               question.is_decided_by(found.lower.value, found.upper.value);
    };
    within_part(0.5, [&] {
        improve_upper(jump_side(*cuts, steps->count, place, question, found), cite::one_jump);
    });
    if (is_enough()) return true;
    within_part(question.goal.effort == Effort::thorough ? 0.5 : 1.0, [&] {
        const double lower = turned_side(*cuts, place, question);
        found.improve({lower, Direction::lower, cite::turned_pairs, Status::certified}, found.upper,
                      question.goal.standing);
    });
    if (question.goal.effort != Effort::thorough || is_enough()) return true;
    within_part(
        1.0, [&] { improve_upper(chain_side(*cuts, place, question, found), cite::jump_chain); });
    return true;
}

}  // namespace assay
