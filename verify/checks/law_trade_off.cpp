#include <algorithm>
#include <array>
#include <cmath>

#include "assay/account/account.hpp"
#include "assay/account/trade_off.hpp"
#include "assay/epochs/epoch_composition.hpp"
#include "verify/checks/gaussian_steps.hpp"
#include "verify/checks/law_parts.hpp"
#include "verify/checks/spaces.hpp"

// Curves, their mu and the front door's deltas are three ways to the same release: none may be
// outside what another one says.

namespace assay::verify {

namespace {

constexpr double negligible_delta = 1e-9;

constexpr int releases = 11;

/// With little work, and every sampler under an adjacency where its largest shift matters.
Release release_of(const Point& p) {
    const double noise = p["sigma"];
    const auto steps = [&](Adjacency adjacency, Mechanism mechanism) {
        return Release{adjacency, {{mechanism, p.integer("T")}}};
    };
    switch (p.integer("release")) {
        case 0: return steps(Adjacency::zero_out, BallsAndBins{noise, 4});
        case 1: return steps(Adjacency::zero_out, RandomAllocation{noise, 6, 5});
        case 2: return steps(Adjacency::replace_one, TruncatedPoissonGaussian{noise, 4, 5, 5});
        case 3: return steps(Adjacency::add_remove, FixedSizeWithReplacementGaussian{noise, 3, 5});
        case 4: return steps(Adjacency::replace_one, SampledGaussian{noise, 0.2});
        case 5: return steps(Adjacency::zero_out, FixedSizeGaussian{noise, 0.3});
        case 6: return steps(Adjacency::add_remove, FixedSizeGaussian{noise, 0.3});
        case 7: return steps(Adjacency::replace_one, FixedSizeGaussian{noise, 0.3});
        case 8: return steps(Adjacency::zero_out, Shuffled{noise, 5});
        case 9:
            return {Adjacency::zero_out,
                    {{BallsAndBins{4.0 * noise, 4}, 1}, {Shuffled{noise, 2}, p.integer("T")}}};
        default:
            return {Adjacency::replace_one,
                    {{FixedSizeGaussian{2.0, 0.3}, 30 + 10 * p.integer("T")}}};
    }
}

Space releases_space(double largest_epsilon) {
    std::vector<double> all;
    for (int i = 0; i < releases; ++i) all.push_back(i);
    return {{{"release", Scale::linear, 0, releases - 1, true, all},
             noise_dimension("sigma", 0.7, 3.0),
             {"T", Scale::linear, 1, 3, true, {1, 2}},
             {"eps", Scale::linear, 0.0, largest_epsilon, false, {0.0, 1.0, largest_epsilon}}},
            {}};
}

Space some_releases(double first, double last, double largest_epsilon) {
    Space space = releases_space(largest_epsilon);
    space.dimensions[0] = {"release", Scale::linear, first, last, true, {first, last}};
    return space;
}

Interval point(double x) {
    return interval_of({x, x});
}
Bracket front_door(const Point& p) {
    return delta(release_of(p), p["eps"], goal_of(Effort::quick), negligible_delta);
}
Bracket mu_of(const Point& p) {
    return smallest_mu(release_of(p), goal_of(Effort::quick));
}
Interval delta_at_mu(double mu, const Point& p) {
    if (!std::isfinite(mu)) return point(1.0);
    if (mu == 0.0) return point(0.0);
    return gaussian_delta(Interval(mu, 256), p["eps"]);
}

Check mu_law() {
    return at_most_law(
        "law.mu.above_delta",
        "delta is at most that of the Gaussian of the smallest mu's upper side",
        some_releases(1, 3, 8.0), 30, 200,
        [](const Point& p) { return point(front_door(p).lower.value); },
        [](const Point& p) { return delta_at_mu(mu_of(p).upper.value, p); });
}

/// Less than the smallest mu is not enough at some epsilon: where delta is the largest beside that
/// of the Gaussian, as far out as a shift that is a fifth too large would show.
struct Place {
    Interval gaussian;
    Interval delta;
};
Place place_of(const Point& p) {
    const double mu = 0.8 * mu_of(p).lower.value;
    Place best{point(1.0), point(0.0)};
    double most = 0.0;
    for (double eps = 0.0; eps <= 60.0; eps += 6.0) {
        Point at = p;
        at.set("eps", eps);
        const Interval gaussian = delta_at_mu(mu, at);
        const double found = delta(release_of(p), eps, goal_of(Effort::quick)).upper.value;
        const double quotient = found / std::max(gaussian.upper_double(), 1e-300);
        if (quotient < most || found < 1e-250) continue;
        most = quotient;
        best = {gaussian, point(found)};
    }
    return best;
}

Check mu_reached_law() {
    Space space = releases_space(8.0);
    space.dimensions.resize(3);
    space.dimensions[0] = {"release", Scale::linear, 3, 6, true, {3, 4, 6}};
    space.dimensions[2] = {"T", Scale::linear, 1, 1, true, {1}};
    space.admits = [](const Point& p) { return p["release"] != 5.0; };
    return at_most_law(
        "law.mu.reached",
        "four fifths of the smallest mu's lower side are not enough at some epsilon", space, 3, 60,
        [](const Point& p) { return place_of(p).gaussian; },
        [](const Point& p) { return place_of(p).delta; });
}

Check curve_law() {
    Space space = some_releases(9, 10, 4.0);
    return equality_law(
        "law.trade_off.delta_meets_front_door",
        "delta of the trade-off curve and that of the front door", space, 2, 120,
        [](const Point& p) {
            const Bracket found =
                trade_off_at(release_of(p), 0.01, goal_of(Effort::quick)).delta(p["eps"]);
            return interval_of({found.lower.value, found.upper.value});
        },
        [](const Point& p) {
            const Bracket found = front_door(p);
            return interval_of({found.lower.value, found.upper.value});
        });
}

/// No test has more power than delta + e^eps level, delta that of its own direction.
Check addition_law() {
    return at_most_law(
        "law.trade_off.addition_of_epochs",
        "two epochs of balls-and-bins: the curve of the addition is below every one of its "
        "divergences",
        {{noise_dimension("sigma", 0.7, 2.0),
          {"level", Scale::logarithmic, 1e-4, 0.5, false, {0.01, 0.1}}},
         {}},
        2, 40,
        [](const Point& p) {
            const Release release{Adjacency::zero_out, {{BallsAndBins{p["sigma"], 2}, 2}}};
            return point(trade_off(release, goal_of(Effort::quick))
                             .true_positive_rate(p["level"], TestDirection::addition)
                             .lower.value);
        },
        [](const Point& p) {
            const auto sequence = EpochSequence::of(BallsAndBins{p["sigma"], 2}, 2);
            GapGoal goal;
            goal.tolerance = 1e-2;
            EpochComposition composition =
                composition_within(sequence, LossDirection::addition, 0.5, goal);
            double least = 1.0;
            for (double eps = 0.0; eps < 4.0; eps += 0.1)
                least = std::min(least, composition.delta(eps).upper + std::exp(eps) * p["level"]);
            return point(least * (1.0 + 1e-12));
        });
}

/// What peer-reviewed theorems alone give does not depend on whether others were asked for.
Check published_law() {
    return equality_law(
        "law.published.same_under_both_standings",
        "the best published upper side is that of an answer from published theorems alone",
        releases_space(2.0), 6, 120,
        [](const Point& p) {
            const double found = front_door(p).best_published.value;
            return interval_of(
                {found * (1.0 - 1e-2) - negligible_delta, found * (1.0 + 1e-2) + negligible_delta});
        },
        [](const Point& p) {
            Goal goal = goal_of(Effort::quick);
            goal.standing = StandingFilter::published;
            return point(delta(release_of(p), p["eps"], goal, negligible_delta).upper.value);
        });
}

/// Epochs of one sampler with little noise and with much: neither stands for the other.
Check noises_law() {
    const auto epochs = [](double noise) { return Phase{BallsAndBins{noise, 4}, 2}; };
    const auto answered = [](std::vector<Phase> phases, const Point& p) {
        return delta({Adjacency::zero_out, std::move(phases)}, p["eps"], goal_of(Effort::quick),
                     1e-7);
    };
    return at_most_law(
        "law.sequence.two_noises",
        "epochs of balls-and-bins tell no less where others of more noise come before or after",
        {{noise_dimension("sigma", 0.8, 1.5),
          {"after", Scale::linear, 0, 1, true, {0, 1}},
          {"eps", Scale::linear, 0.0, 1.0, false, {0.5}}},
         {}},
        3, 60, [=](const Point& p) { return point(answered({epochs(p["sigma"])}, p).lower.value); },
        [=](const Point& p) {
            std::vector<Phase> phases{epochs(p["sigma"]), epochs(5.0 * p["sigma"])};
            if (p["after"] == 1.0) std::swap(phases[0], phases[1]);
            return point(answered(phases, p).upper.value + 1e-7);
        });
}

/// Two samplers beside each other under replace-one: neither may be left out of one jump.
Check replacement_law() {
    const auto phase = [](const Point& p, bool first) {
        return first ? Phase{FixedSizeGaussian{1.5, p["q"]}, p.integer("T")}
                     : Phase{FixedSizeGaussian{1.5, 0.02}, 4};
    };
    const auto other = [](const Point& p) { return Phase{SampledGaussian{1.5, p["q"]}, 3}; };
    const auto answered = [](std::vector<Phase> phases, const Point& p) {
        return delta({Adjacency::replace_one, std::move(phases)}, p["eps"], goal_of(Effort::quick),
                     1e-7);
    };
    return at_most_law(
        "law.replace_one.part_below_whole",
        "under replace-one, what one of two samplers tells at least is at most what both may tell",
        {{{"q", Scale::linear, 0.2, 0.6, false, {0.3}},
          {"T", Scale::linear, 2, 8, true, {4}},
          {"beside", Scale::linear, 0, 1, true, {0, 1}},
          {"eps", Scale::linear, 0.0, 2.0, false, {0.5}}},
         {}},
        4, 60,
        [=](const Point& p) {
            return point(answered({p["beside"] == 0.0 ? phase(p, true) : other(p)}, p).lower.value);
        },
        [=](const Point& p) {
            const Phase more = p["beside"] == 0.0 ? phase(p, true) : other(p);
            return point(answered({more, phase(p, false)}, p).upper.value + 1e-7);
        });
}

}  // namespace

std::vector<Check> trade_off_laws() {
    std::vector<Check> rows;
    for (Check (*row)() : {mu_law, mu_reached_law, curve_law, addition_law, published_law,
                           noises_law, replacement_law})
        rows.push_back(row());
    return rows;
}

}  // namespace assay::verify
