#include "assay/account/trade_off.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "assay/account/account.hpp"
#include "assay/account/curve_at_level.hpp"
#include "assay/account/divergence_profile.hpp"
#include "assay/account/gaussian_trade_off.hpp"
#include "assay/account/group.hpp"
#include "assay/numeric/bound.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/numeric/work_limit.hpp"
#include "assay/privacy/citations.hpp"
#include "assay/rdp/analytic_gaussian.hpp"

namespace assay {

namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();
constexpr real unbounded = std::numeric_limits<real>::infinity();
constexpr real slack = 0x1p-58L;

Bracket bracket_of(const Enclosure& value, const Theorem& lower, const Theorem& upper,
                   double trivial_upper) {
    Bracket found;
    found.lower = {value.lower, Direction::lower, lower};
    found.upper = {value.upper, Direction::upper, upper};
    found.best_published = upper.standing == Standing::published
                               ? found.upper
                               : Bound{trivial_upper, Direction::upper, upper, Status::vacuous};
    return found;
}

void require_probability(const char* name, double x) {
    require(x > 0.0 && x < 1.0, name, x, "strictly between 0 and 1");
}

}  // namespace

struct TradeOff::Parts {
    DivergenceProfile profile;
    std::optional<TradeOffCurve> curve;  // none for a plain Gaussian mechanism
    GaussianShift unamplified;           // an upper bound for all records of the group
    std::int64_t group = 1;
    double precision = 1e-5;  // relative, of an epsilon
    Adjacency adjacency = Adjacency::add_remove;
    std::unique_ptr<TradeOff> own_pair;  // the mechanism's own bound for the group
    std::string asked;                   // for the message of a contradiction

    /// The sides rest on different theorems: where they cross, one of them is wrong.
    [[nodiscard]] Enclosure ordered(const Enclosure& found, const char* quantity, double at) const {
        require_ordered(found.lower, found.upper, [&] {
            return fmt::format("{} at {}, {} records, of {}", quantity, at, group, asked);
        });
        return found;
    }

    /// A level where the other error decides is looked at from its side.
    [[nodiscard]] Enclosure power(double fpr, TestDirection direction) const {
        if (profile.gaussian) return gaussian_true_positive_rate(unamplified, fpr);
        const double most = gaussian_true_positive_rate(unamplified, fpr).upper;
        Enclosure found = curve->true_positive_rate(fpr, direction);
        if (group > 1) found.upper = curve->power_above(level_of_last(fpr, direction), direction);
        found.upper = std::min(found.upper, most);
        if (own_pair)
            found.upper = std::min(found.upper, own_pair->parts_->power(fpr, direction).upper);
        return ordered(found, "true positive rate", fpr);
    }
    /// The upper side alone.
    [[nodiscard]] double power_above(double fpr) const {
        if (profile.gaussian) return gaussian_true_positive_rate(unamplified, fpr).upper;
        constexpr TestDirection worst = TestDirection::worst;
        double upper = std::min(curve->power_above(level_of_last(fpr, worst), worst),
                                gaussian_true_positive_rate(unamplified, fpr).upper);
        if (own_pair) upper = std::min(upper, own_pair->parts_->power_above(fpr));
        return upper;
    }
    /// The level of the test against the last record of the group, all others having been passed.
    [[nodiscard]] double level_of_last(double fpr, TestDirection direction) const {
        constexpr std::uint64_t work_of_power = 400;
        double level = fpr;
        for (std::int64_t i = 1; i < group && level < 1.0; ++i) {
            count_work(work_of_power);
            level = curve->power_above(level, direction);
        }
        return level;
    }
    [[nodiscard]] Enclosure miss(double fpr, TestDirection direction) const {
        if (profile.gaussian) return gaussian_type_two_error(unamplified, fpr);
        Enclosure found = curve->type_two_error(fpr, direction);
        if (group > 1)
            found.lower = curve->type_two_error(level_of_last(fpr, direction), direction).lower;
        found.lower = std::max(found.lower, gaussian_type_two_error(unamplified, fpr).lower);
        if (own_pair)
            found.lower = std::max(found.lower, own_pair->parts_->miss(fpr, direction).lower);
        return ordered(found, "type II error", fpr);
    }
    [[nodiscard]] Bracket answer(const Enclosure& value, double trivial_upper = 1.0) const {
        Bracket found =
            bracket_of(value, profile.lower_theorem, profile.upper_theorem, trivial_upper);
        found.note = profile.note;
        return found;
    }
    /// Of a quantity whose upper side rests on the release's being less private than shown.
    [[nodiscard]] Bracket reversed(const Enclosure& value) const {
        Bracket found = bracket_of(value, profile.upper_theorem, profile.lower_theorem, 1.0);
        found.note = profile.note;
        return found;
    }
    /// The larger divergence at an epsilon, of one record.
    [[nodiscard]] Enclosure divergence(double epsilon) const {
        const auto [at, removal, addition] = profile.at(epsilon);
        return {std::max(removal.lower, addition.lower), std::max(removal.upper, addition.upper)};
    }
    /// The same of all records of the group, at an epsilon between two doubles. `known` keeps
    /// powers from one epsilon to the next.
    [[nodiscard]] Enclosure of_all_records(double low, double high,
                                           std::map<double, double>& known) const {
        if (profile.gaussian) {
            const auto& [from, to] = unamplified;
            return {gaussian_delta(from * from * (1.0L - slack), high).lower,
                    gaussian_delta(to * to * (1.0L + slack), low).upper};
        }
        const auto power = [&](double fpr) {
            const auto place = known.find(fpr);
            if (place != known.end()) return place->second;
            return known[fpr] = power_above(fpr);
        };
        const double lower = divergence(high).lower;
        const Enclosure found{lower,
                              group == 1 ? divergence(low).upper : group_divergence(power, low)};
        return ordered(found, "delta", low);
    }
};

TradeOff::~TradeOff() = default;
TradeOff::TradeOff(TradeOff&&) noexcept = default;
TradeOff& TradeOff::operator=(TradeOff&&) noexcept = default;

TradeOff::TradeOff(const Release& release, const Goal& goal, std::int64_t group)
    : TradeOff(release, goal, group, 0.0) {}

TradeOff::TradeOff(const Release& release, const Goal& goal, std::int64_t group, double fpr)
    : parts_(std::make_unique<Parts>()) {
    if (group < 1 || group > 1'000'000)
        throw DomainError("group", fmt::format("{}", group), "1 .. 1000000");
    const WorkLimit limit(most_work(goal.effort));
    const bool whole = fpr == 0.0;
    ProfileGoal aim;
    aim.goal = goal;
    aim.goal.relative_gap *= whole ? 0.6 : 0.35;  // the curve between samples takes the rest
    const double corner = std::min(fpr, 1.0 - fpr);
    // With what the curve between samples adds: about 1e-6 in sup norm.
    aim.absolute_gap = whole ? 4e-4 * std::max(goal.relative_gap, 1e-3) : 1.0;
    // Whole curves are accurate down to 1e-12: somewhat farther, as the last tangent is coarse.
    aim.smallest_level = whole || corner <= 0.0 ? 2e-13 : std::clamp(0.5 * corner, 1e-290, 1e-3);
    if (!whole && corner < 1e-3 && group == 1) aim.largest_level = 1e3 * aim.smallest_level;
    parts_->group = group;
    parts_->precision = 1e-2 * goal.relative_gap;
    parts_->adjacency = release.adjacency;
    parts_->asked = describe(release);
    {
        const WorkLimit share = part_of_work(group == 1 ? 0.85 : 0.5);
        parts_->profile = profile_of_group(release, group, aim);
    }
    const auto k = static_cast<real>(group);
    const auto shift = [&] {
        const real u = parts_->profile.unamplified_shift * k * (1.0L + slack);
        return GaussianShift{0.0L, u};
    };
    parts_->unamplified = shift();
    if (parts_->profile.gaussian) {
        const GaussianShift one = *parts_->profile.gaussian;
        parts_->unamplified = {one.lower * k * (1.0L - slack), one.upper * k * (1.0L + slack)};
        return;
    }
    CurveAim sampling;
    sampling.reach = std::min(parts_->profile.reach, largest_sampled_epsilon);
    sampling.corner = parts_->profile.addition_ends;
    sampling.most_samples = parts_->profile.most_samples;
    sampling.smallest_delta = aim.smallest_level;
    sampling.relative = whole ? 0.2 * goal.relative_gap : 0.1;
    sampling.absolute = whole ? aim.absolute_gap : 1.0;
    parts_->curve = sampled_curve(parts_->profile.at, sampling);
    if (!whole)
        parts_->curve =
            curve_at_level(release, goal, fpr, parts_->profile, std::move(*parts_->curve));
    if (work_left() == 0) parts_->profile.note = more_work;
    if (group == 1) return;
    const bool is_published = goal.standing == StandingFilter::published;
    if (const auto own = release_of_group(release, group); own && !is_published) {
        parts_->own_pair = std::unique_ptr<TradeOff>(new TradeOff(*own, goal, 1, fpr));
        parts_->profile.upper_theorem = cite::group_pair;
    }
    parts_->profile.note =
        "of a group: above, the curve of one record applied as often, or the mechanism's own "
        "bound; below, one record";
}

Bracket TradeOff::true_positive_rate(double fpr, TestDirection direction) const {
    return parts_->answer(parts_->power(fpr, direction));
}

Bracket TradeOff::type_two_error(double fpr, TestDirection direction) const {
    return parts_->reversed(parts_->miss(fpr, direction));
}

std::vector<TradeOffPoint> TradeOff::points(std::span<const double> fprs,
                                            TestDirection direction) const {
    std::vector<TradeOffPoint> points;
    for (const double fpr : fprs)
        points.push_back({fpr, parts_->power(fpr, direction), parts_->miss(fpr, direction)});
    return points;
}

Bracket TradeOff::delta(double epsilon) const {
    require(epsilon >= 0.0 && std::isfinite(epsilon), "epsilon", epsilon, "epsilon >= 0, finite");
    std::map<double, double> powers;
    return parts_->answer(parts_->of_all_records(epsilon, epsilon, powers));
}

Bracket TradeOff::epsilon(double delta) const {
    require_probability("delta", delta);
    std::map<double, double> powers;
    const auto first = [&](double Enclosure::*side) {
        const auto is_enough = [&](double at) {
            return parts_->of_all_records(at, at, powers).*side <= delta;
        };
        Enclosure found{0.0, unlimited};
        try {
            if (is_enough(0.0)) found.upper = 0.0;
            for (double next = 1e-3; std::isinf(found.upper) && next <= largest_sampled_epsilon;
                 next *= 2.0)
                (is_enough(next) ? found.upper : found.lower) = next;
            while (found.upper - found.lower > parts_->precision * found.upper) {
                const double middle = 0.5 * (found.lower + found.upper);
                (is_enough(middle) ? found.upper : found.lower) = middle;
            }
        } catch (const WorkEnded&) {
            // What was seen so far is a bracket.
        }
        return found;
    };
    // That of as many records in every step is known in closed form.
    const auto told = [&](real shift, real rounding) {
        return gaussian_epsilon(shift * shift * (1.0L + rounding), delta);
    };
    const double most = told(parts_->unamplified.upper, slack).upper;
    if (parts_->profile.gaussian)
        return parts_->answer({told(parts_->unamplified.lower, -slack).lower, most}, unlimited);
    Bracket found =
        parts_->answer({first(&Enclosure::lower).lower, first(&Enclosure::upper).upper}, unlimited);
    found.improve(found.lower, {most, Direction::upper, cite::group_pair}, StandingFilter::any);
    return found;
}

Bracket TradeOff::positive_predictive_value(double fpr, double prior,
                                            TestDirection direction) const {
    require_probability("false positive rate", fpr);
    require_probability("prior", prior);
    const Enclosure power = parts_->power(fpr, direction);
    const auto value = [&](double tpr, real rounding) {
        const real yes = static_cast<real>(prior) * tpr;
        const real no = (1.0L - static_cast<real>(prior)) * fpr;
        return yes / (yes + no) * (1.0L + rounding);
    };
    return parts_->answer({round_down(value(power.lower, -slack)),
                           std::min(1.0, round_up(value(power.upper, slack)))});
}

Bracket TradeOff::negative_predictive_value(double fpr, double prior,
                                            TestDirection direction) const {
    require_probability("false positive rate", fpr);
    require_probability("prior", prior);
    const Enclosure miss = parts_->miss(fpr, direction);
    const auto value = [&](double fnr, real rounding) {
        const real right = (1.0L - static_cast<real>(prior)) * (1.0L - static_cast<real>(fpr));
        const real wrong = static_cast<real>(prior) * fnr;
        return right / (right + wrong) * (1.0L + rounding);
    };
    return parts_->answer(
        {round_down(value(miss.upper, -slack)), std::min(1.0, round_up(value(miss.lower, slack)))});
}

Bracket TradeOff::posterior_odds(double fpr, double prior, TestDirection direction) const {
    require_probability("false positive rate", fpr);
    require_probability("prior", prior);
    const Enclosure power = parts_->power(fpr, direction);
    const auto odds = [&](double tpr, real rounding) {
        const auto p = static_cast<real>(prior);
        return p / (1.0L - p) * tpr / fpr * (1.0L + rounding);
    };
    return parts_->answer(
        {round_down(odds(power.lower, -slack)), round_up(odds(power.upper, slack))}, unlimited);
}

Bracket TradeOff::bayes_risk(double prior) const {
    require_probability("prior", prior);
    const real smaller = std::min(static_cast<real>(prior), 1.0L - static_cast<real>(prior));
    // The smaller prior probability times 1 - delta at |log of the odds|.
    const real odds = std::log((1.0L - smaller) / smaller);
    const double epsilon_low = std::max(0.0, round_down(odds * (1.0L - slack) - slack));
    const double epsilon_high = std::max(0.0, round_up(odds * (1.0L + slack) + slack));
    std::map<double, double> powers;
    const Enclosure delta = parts_->of_all_records(epsilon_low, epsilon_high, powers);
    return parts_->reversed({round_down(smaller * (1.0L - delta.upper) * (1.0L - slack)),
                             round_up(smaller * (1.0L - delta.lower) * (1.0L + slack))});
}

Bracket TradeOff::reconstruction(double baseline) const {
    require_probability("baseline", baseline);
    const TestDirection direction =
        parts_->adjacency == Adjacency::replace_one ? TestDirection::worst : TestDirection::removal;
    return parts_->answer({baseline, parts_->power(baseline, direction).upper});
}

Bracket TradeOff::singling_out(double weight, std::int64_t records) const {
    require_probability("weight", weight);
    if (records < 1) throw DomainError("records", fmt::format("{}", records), "at least 1");
    const TestDirection direction =
        parts_->adjacency == Adjacency::replace_one ? TestDirection::worst : TestDirection::removal;
    const double power = parts_->power(weight, direction).upper;
    return parts_->answer({0.0, std::min(1.0, widen_up(static_cast<double>(records) * power, 2))});
}

GaussianMu TradeOff::gaussian_mu(double smallest_error) const {
    GaussianMu found;
    found.smallest_error = smallest_error;
    found.mu = mu_without_regret(smallest_error);
    found.regret = parts_->reversed(
        {regret(found.mu.lower.value).lower.value, regret(found.mu.upper.value).upper.value});
    return found;
}

Bracket TradeOff::mu_without_regret(double smallest_error) const {
    require(smallest_error >= 0.0 && smallest_error < 0.5, "smallest error", smallest_error,
            "0 <= error < 0.5");
    const real most = parts_->unamplified.upper;
    // Both errors are as large up to the level that is the type II error of the other direction.
    const bool is_everywhere = smallest_error == 0.0;
    const auto last_after = [&](TestDirection other) {
        return is_everywhere ? Enclosure{1.0, 1.0} : parts_->miss(smallest_error, other);
    };
    const bool are_some = last_after(TestDirection::removal).lower >= smallest_error;
    const auto answer = [&](const Enclosure& mu) {
        Bracket found = parts_->answer(mu, unlimited);
        if (!are_some)
            found.note += fmt::format(
                "{}at no level are both errors certain to be at least {}, so no mu is excluded",
                found.note.empty() ? "" : "; ", smallest_error);
        return found;
    };
    if (parts_->profile.gaussian)
        return answer({are_some ? round_down(parts_->unamplified.lower) : 0.0, round_up(most)});
    real lower = is_everywhere ? parts_->profile.tail_shift : 0.0L;
    real upper = 0.0L;
    const auto chance = [](double rate) {
        return Chance{static_cast<real>(rate), 1.0L - static_cast<real>(rate)};
    };
    const auto include = [&](double a, real power) {
        const real shift =
            a > 0.0 ? gaussian_shift_above(chance(a), {power, 1.0L - power - slack}) : unbounded;
        upper = std::max(upper, shift);
    };
    for (const TestDirection direction : {TestDirection::removal, TestDirection::addition}) {
        const bool removal = direction == TestDirection::removal;
        const Enclosure last =
            last_after(removal ? TestDirection::addition : TestDirection::removal);
        const auto pieces = parts_->curve->outer_pieces(direction);
        if (pieces.empty() || pieces.front().from > smallest_error)
            upper = unbounded;  // levels of which nothing is known
        // The pieces end where the slope is 1, which may be at a smaller level.
        include(smallest_error, parts_->curve->true_positive_rate(smallest_error, direction).upper);
        for (const TradeOffCurve::Piece& piece : pieces) {
            if (piece.to <= smallest_error || piece.from > last.upper) continue;
            const real length = static_cast<real>(piece.to) - piece.from;
            // A normal trade-off function is concave: above a line where it is at both ends.
            for (const double a :
                 {std::max(piece.from, smallest_error), std::min(piece.to, last.upper)}) {
                const real part = (static_cast<real>(a) - piece.from) / length;
                include(a, (piece.power_from + part * (piece.power_to - piece.power_from)) *
                               (1.0L + slack));
            }
            if (upper >= most) break;  // the release's own shift decides
        }
        const std::size_t stride = pieces.size() / 100 + 1;  // any level is a lower bound
        for (std::size_t i = 0; i < pieces.size(); i += i < 100 ? 1 : stride) {
            const double a = std::max(pieces[i].to, smallest_error);
            if (!(a > 0.0) || a > last.lower) continue;
            const Enclosure power = parts_->curve->true_positive_rate(a, direction);
            lower = std::max(lower, gaussian_shift_below(chance(a), chance(power.lower)));
        }
    }
    // By symmetry the slope is 1 where both errors are the same: mu = 2 Phi^-1((1 + delta(0))/2).
    if (is_everywhere || (parts_->profile.symmetric && are_some)) {
        const auto shown = static_cast<real>(parts_->divergence(0.0).lower);
        const Chance half{0.5L * (1.0L - shown), 0.5L * (1.0L + shown)};
        if (shown < 1.0L)
            lower = std::max(lower, gaussian_shift_below(half, {half.is_not, half.is}) - slack);
    }
    upper = std::min(upper, most);
    const auto k = parts_->group;
    if (k > 1) upper = std::min(upper * static_cast<real>(k) * (1.0L + slack), most);
    const Enclosure mu{round_down(std::max(lower, 0.0L)), round_up(upper)};
    Bracket found = answer(parts_->ordered(mu, "Gaussian mu of errors", smallest_error));
    if (is_everywhere) {
        found.lower.theorem = found.upper.theorem = cite::smallest_mu;
        found.best_published = vacuous(Direction::upper, cite::smallest_mu);
    }
    return found;
}

Bracket TradeOff::regret(double mu) const {
    require(mu >= 0.0 && std::isfinite(mu), "mu", mu, "0 <= mu < inf");
    const real square = static_cast<real>(mu) * mu;
    const auto reported = [&](double epsilon) {
        return Enclosure{gaussian_delta(square * (1.0L - slack), epsilon).lower,
                         gaussian_delta(square * (1.0L + slack), epsilon).upper};
    };
    if (!parts_->profile.gaussian) {
        Enclosure excess = parts_->curve->largest_excess(reported);
        if (parts_->group > 1) excess.lower = 0.0;  // a group's divergence is above the curve's
        return parts_->reversed(excess);
    }
    CurveAim aim;
    aim.reach = std::min(parts_->profile.reach, largest_sampled_epsilon);
    const TradeOffCurve curve = sampled_curve(
        [shift = parts_->unamplified](double epsilon) {
            const Enclosure delta{gaussian_delta(shift.lower * shift.lower, epsilon).lower,
                                  gaussian_delta(shift.upper * shift.upper, epsilon).upper};
            return DivergenceSample{epsilon, delta, delta};
        },
        aim);
    return parts_->reversed(curve.largest_excess(reported));
}

double TradeOff::gap() const {
    return parts_->curve ? parts_->curve->gap() : 1e-15;
}

bool TradeOff::is_symmetric() const {
    return parts_->profile.symmetric;
}

const std::string& TradeOff::note() const {
    return parts_->profile.note;
}

TradeOff trade_off(const Release& release, const Goal& goal) {
    return TradeOff(release, goal);
}

TradeOff trade_off_at(const Release& release, double fpr, const Goal& goal, std::int64_t group) {
    require(fpr >= 0.0 && fpr <= 1.0, "false positive rate", fpr, "0 <= rate <= 1");
    return {release, goal, group, std::clamp(fpr, 1e-300, 1.0)};
}

Bracket true_positive_rate(const Release& release, double fpr, const Goal& goal) {
    return trade_off_at(release, fpr, goal).true_positive_rate(fpr);
}

Bracket type_two_error(const Release& release, double fpr, const Goal& goal) {
    return trade_off_at(release, fpr, goal).type_two_error(fpr);
}

Bracket advantage(const Release& release, const Goal& goal) {
    return delta(release, 0.0, goal);
}

GaussianMu gaussian_mu(const Release& release, const Goal& goal, double smallest_error) {
    return trade_off(release, goal).gaussian_mu(smallest_error);
}

Bracket smallest_mu(const Release& release, const Goal& goal, double smallest_error,
                    std::int64_t group) {
    const GaussianShift shifts = shifts_of(release);
    const bool is_published = goal.standing == StandingFilter::published;
    // Both ends are the same where a record that takes part for certain is the limit.
    if (!is_published && group == 1 && smallest_error == 0.0 &&
        shifts.lower >= shifts.upper * (1.0L - 0x1p-50L))
        return bracket_of({round_down(shifts.lower), round_up(shifts.upper)}, cite::smallest_mu,
                          cite::smallest_mu, unlimited);
    Bracket found = TradeOff(release, goal, group).mu_without_regret(smallest_error);
    for (Bound* bound : {&found.lower, &found.upper})
        if (is_published && bound->theorem.standing == Standing::ours)
            *bound = vacuous(bound->direction, bound->theorem);
    return found;
}

}  // namespace assay
