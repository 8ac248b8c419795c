#include "assay/account/calibrate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <utility>

#include "assay/account/search_work.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/numeric/threshold_search.hpp"
#include "assay/numeric/work_limit.hpp"

namespace assay {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double least_noise = 1e-8;
constexpr double most_noise = 1e12;
constexpr double coarse = 0.1;
constexpr double fine = 1e-2;
constexpr double most_undecided = 1.0 / 64.0;  // by halving the noise

Release with_noise(Release release, double noise) {
    for (Phase& phase : release.phases)
        if (noise_multiplier(phase.mechanism) == 0.0) set_noise_multiplier(phase.mechanism, noise);
    return release;
}

/// The risk of the release at each noise, no closer than it takes to compare it with the target.
class RiskOfNoise {
public:
    RiskOfNoise(const Release& release, const RiskTarget& target, const Goal& goal)
        : release_(release), target_(target), goal_(goal) {}

    /// [0, inf] where the work does not suffice.
    Enclosure operator()(double noise, double tolerance) {
        const auto [place, is_new] =
            known_.try_emplace({noise, tolerance}, Enclosure{0.0, infinity});
        if (is_new)
            work_.compare([&, &known = place->second] {
                Goal goal = goal_;
                goal.relative_gap = tolerance;
                const Bracket found = risk(with_noise(release_, noise), target_, goal, true);
                known = {found.lower.value, found.upper.value};
            });
        return place->second;
    }
    [[nodiscard]] bool has_work() const { return work_.is_left(); }
    /// Where the risk was seen to exceed the limit; 0: nowhere.
    [[nodiscard]] double largest_insufficient(double limit) const {
        double largest = 0.0;
        for (const auto& [place, value] : known_)
            if (value.lower > limit) largest = std::max(largest, place.first);
        return largest;
    }

private:
    const Release& release_;
    const RiskTarget& target_;
    Goal goal_;
    SearchWork work_;
    std::map<std::pair<double, double>, Enclosure> known_;
};

/// Where to begin: far below what is needed losses leave every grid, and nothing is decided.
double low_end(RiskOfNoise& risk_at, const SufficientPlace& high, double target) {
    double low = high.x;
    double undecided = 1.0;
    Enclosure there = high.value;
    while (low > least_noise && undecided > most_undecided && there.lower <= target) {
        low = std::max(0.5 * low, least_noise);
        there = risk_at(low, coarse);
        if (there.upper > target) undecided *= 0.5;
    }
    return low;
}

/// Where no noise is seen to be enough: the largest that is seen not to be, or 0. It lies between
/// two of the noises that `risk_at` knows, or below noise 1, where low_end() asks it.
double find_insufficient(RiskOfNoise& risk_at, double target, double precision) {
    low_end(risk_at, {1.0, risk_at(1.0, coarse)}, target);
    double low = risk_at.largest_insufficient(target);
    double high = std::min(2.0 * low, most_noise);
    while (high - low > precision * high && risk_at.has_work()) {
        const double middle = 0.5 * (low + high);
        (risk_at(middle, fine).lower > target ? low : high) = middle;
    }
    return low;
}

Threshold search(const Release& release, const RiskTarget& target, double precision,
                 const Goal& goal) {
    RiskOfNoise risk_at(release, target, goal);
    const double limit = limit_of(target);
    const auto high = first_sufficient(std::ref(risk_at), limit, most_noise);
    if (!high) {
        if (risk_at(most_noise, coarse).lower > limit)
            throw DomainError(risk_name(target), limit,
                              "a risk that some noise below 1e12 reaches");
        return {find_insufficient(risk_at, limit, precision), infinity, {}};
    }
    const auto while_work_lasts = [&](double noise, double tolerance) {
        if (!risk_at.has_work()) throw WorkEnded();
        return risk_at(noise, tolerance);
    };
    Threshold found =
        find_threshold(while_work_lasts, limit, low_end(risk_at, *high, limit), *high, precision);
    found.insufficient = std::max(found.insufficient, risk_at.largest_insufficient(limit));
    return found;
}

std::string note_of(const Calibration& found, const RiskTarget& target, double precision) {
    if (found.sufficient == infinity)
        return fmt::format(
            "no noise below 1e12 is seen to be enough: the upper side of {} exceeds the target at "
            "each",
            risk_name(target));
    if (found.precision() <= precision) return "";
    if (found.sufficient <= least_noise)
        return fmt::format("noise {} is enough, and none below is looked at", least_noise);
    if (found.insufficient == 0.0) return "no smaller noise was seen to be insufficient";
    return fmt::format("the brackets of {} that the effort allows hide what is between",
                       risk_name(target));
}

}  // namespace

NoSufficientNoise::NoSufficientNoise(const RiskTarget& target, Calibration seen)
    : DomainError(
          risk_name(target), limit_of(target),
          fmt::format("a risk that some noise below 1e12 is seen to reach{}",
                      seen.insufficient > 0.0
                          ? fmt::format(" (noise {} is certainly too little)", seen.insufficient)
                          : "")),
      seen_(std::move(seen)) {}

Calibration calibrate(const Release& release, const PrivacyTarget& target, double precision,
                      const Goal& goal) {
    return calibrate(release, RiskTarget(target), precision, goal);
}

Calibration calibrate(const Release& release, const RiskTarget& target, double precision,
                      const Goal& goal) {
    validate(target);
    require(precision >= 1e-9 && precision < 1.0, "precision", precision, "1e-9 <= precision < 1");
    if (std::none_of(release.phases.begin(), release.phases.end(),
                     [](const Phase& phase) { return noise_multiplier(phase.mechanism) == 0.0; }))
        throw DomainError("phases", "all with a noise multiplier",
                          "at least one without it, which is looked for");
    const WorkLimit limit(most_work(goal.effort));
    const Threshold found = search(release, target, precision, goal);
    Calibration result{found.sufficient, found.insufficient, {}, {}};
    result.note = note_of(result, target, precision);
    if (result.sufficient == infinity) {
        const double noise = result.insufficient > 0.0 ? result.insufficient : 1.0;
        result.delta = risk(with_noise(release, noise), target, goal);
        throw NoSufficientNoise(target, result);
    }
    result.delta = risk(with_noise(release, found.sufficient), target, goal);
    // The search may have seen it from a coarser, and here better, grid.
    result.delta.lower.value = std::max(result.delta.lower.value, found.value.lower);
    result.delta.upper.value = std::min(result.delta.upper.value, found.value.upper);
    return result;
}

double published_noise(const Release& release, const RiskTarget& target, const Calibration& found,
                       const Goal& goal) {
    if (goal.standing == StandingFilter::published ||
        found.delta.best_published.value <= limit_of(target))
        return found.sufficient;
    Goal published = goal_of(Effort::quick);
    published.standing = StandingFilter::published;
    const auto is_enough = [&](double noise) {
        return risk(with_noise(release, noise), target, published, true).upper.value <=
               limit_of(target);
    };
    const WorkLimit limit(most_work(Effort::quick));
    double low = found.sufficient;  // no published bound is below the best one
    double enough = infinity;
    try {
        for (double noise = 2.0 * low; enough == infinity && noise <= most_noise; noise *= 2.0)
            (is_enough(noise) ? enough : low) = noise;
        while (enough < infinity && enough > 1.01 * low) {
            const double middle = std::sqrt(low * enough);
            (is_enough(middle) ? enough : low) = middle;
        }
    } catch (const WorkEnded&) {
    }
    return enough;
}

}  // namespace assay
