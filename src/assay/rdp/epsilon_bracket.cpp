#include "assay/rdp/epsilon_bracket.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <cmath>
#include <functional>
#include <optional>

#include "assay/numeric/directed.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/privacy/citations.hpp"
#include "assay/rdp/analytic_gaussian.hpp"
#include "assay/rdp/drawn_steps.hpp"
#include "assay/rdp/epsilon_lower_bound.hpp"
#include "assay/rdp/one_step.hpp"
#include "assay/rdp/rdp_sum.hpp"
#include "assay/rdp/rdp_to_epsilon_delta.hpp"
#include "assay/rdp/worst_pair.hpp"

namespace assay {

namespace {

void check(std::span<const Phase> phases, Adjacency adjacency) {
    if (phases.empty()) throw DomainError("phase", "none", "at least one phase");
    for (const Phase& phase : phases) {
        validate(phase.mechanism);
        require_theorem(phase.mechanism, adjacency);
        if (phase.repetitions < 1)
            throw DomainError("steps", fmt::format("{}", phase.repetitions), "an integer >= 1");
    }
}

using StepBounds = std::vector<std::vector<Bound>>;  // [phase][order]

RdpSum compose(std::span<const Phase> phases, const StepBounds& bounds, std::size_t order) {
    RdpSum sum(Direction::upper);
    for (std::size_t i = 0; i < phases.size(); ++i)
        sum.add(bounds[i][order], phases[i].repetitions);
    return sum;
}

/// The theorem that speaks for a sum: the last of the weakest standing.
Theorem speaker(const RdpSum& sum) {
    Theorem theorem = sum.theorems().front();
    for (const Theorem& other : sum.theorems())
        if (other.standing == Standing::ours) theorem = other;
    return theorem;
}

StepBounds exact_bounds(std::span<const Phase> phases, Adjacency adjacency,
                        std::span<const double> orders) {
    StepBounds bounds;
    for (const Phase& phase : phases) {
        const Theorem theorem = exact_theorem(phase.mechanism, adjacency);
        std::vector<Bound> row;
        for (const Enclosure& value : exact_rdp(phase.mechanism, adjacency, orders))
            row.push_back(Bound{value.upper, Direction::upper, theorem});
        bounds.push_back(std::move(row));
    }
    return bounds;
}

StepBounds published_bounds(std::span<const Phase> phases, Adjacency adjacency,
                            std::span<const double> orders) {
    StepBounds bounds;
    for (const Phase& phase : phases)
        bounds.push_back(published_rdp(phase.mechanism, adjacency, orders));
    return bounds;
}

/// Bounds of every phase at the orders asked.
using BoundsAt = std::function<StepBounds(std::span<const double>)>;
/// What to minimise: the converted value at (order, composed upper bound).
using Convert = std::function<double(double, double)>;

struct Best {
    Bound bound;
    double order = 0.0;
};

void improve(Best& best, std::span<const Phase> phases, const BoundsAt& bounds_at,
             const Convert& convert, std::span<const double> orders) {
    const StepBounds bounds = bounds_at(orders);
    for (std::size_t i = 0; i < orders.size(); ++i) {
        const RdpSum composed = compose(phases, bounds, i);
        const double value = convert(orders[i], composed.value());
        if (value < best.bound.value || best.order == 0.0) {
            best.bound = Bound{value, Direction::upper, speaker(composed),
                               std::isfinite(value) ? Status::certified : Status::vacuous};
            best.order = orders[i];
        }
    }
}

/// Orders 1 + 10^x: a coarse scan, then Brent's method around the best; every order is certified,
/// so only the quality of the minimum depends on the search.
Best minimise(std::span<const Phase> phases, const BoundsAt& bounds_at, const Convert& convert,
              double step) {
    std::vector<double> scan;
    constexpr double first = -3.0;
    constexpr double last = 4.0;
    for (int i = 0; first + step * i <= last; ++i)
        scan.push_back(1.0 + std::pow(10.0, first + step * i));
    Best best;
    improve(best, phases, bounds_at, convert, scan);
    if (!std::isfinite(best.bound.value) || best.bound.value == 0.0) return best;
    const double centre = std::log10(best.order - 1.0);
    const auto objective = [&](double x) {
        const double order = 1.0 + std::pow(10.0, x);
        Best trial;
        improve(trial, phases, bounds_at, convert, std::span(&order, 1));
        if (trial.bound.value < best.bound.value) best = trial;
        return std::log(trial.bound.value);  // delta is nearly an exponential of the order
    };
    std::uintmax_t iterations = 20;
    boost::math::tools::brent_find_minima(objective, centre - step, std::min(4.0, centre + step),
                                          20, iterations);
    return best;
}

std::vector<RepeatedPair> explicit_pairs(std::span<const Phase> phases, Adjacency adjacency) {
    std::vector<RepeatedPair> pairs;
    for (const Phase& phase : phases)
        pairs.push_back({worst_pair(phase.mechanism, adjacency), phase.repetitions});
    return pairs;
}

/// Squared shift of a composition of plain Gaussian mechanisms: the exact sum over the phases lies
/// between the ends, up to the rounding of a single phase, which the closed forms allow for.
struct SquaredShift {
    real lower = 0.0L;
    real upper = 0.0L;

    /// An enclosure of a quantity that grows with the shift, from both ends.
    template <class Quantity>
    [[nodiscard]] Enclosure enclose_by(const Quantity& quantity) const {
        return {quantity(lower).lower, quantity(upper).upper};
    }
};

/// None unless every phase is a plain Gaussian mechanism.
std::optional<SquaredShift> gaussian_square(std::span<const Phase> phases, Adjacency adjacency) {
    real sum = 0.0L;
    for (const Phase& phase : phases) {
        const WorstRenyiPair worst = worst_renyi_pair(phase.mechanism, adjacency);
        if (!worst.is_gaussian()) return std::nullopt;
        const real shift = worst.unsampled_shift;
        sum += static_cast<real>(phase.repetitions) * shift * shift;
    }
    // Every addition errs by at most one rounding of the whole sum.
    const real slack = 2.0L * unit_roundoff * static_cast<real>(phases.size() - 1);
    return SquaredShift{sum * (1.0L - slack), sum * (1.0L + slack)};
}

Bound lower_side(double value, Theorem theorem) {
    return value > 0.0 ? Bound{value, Direction::lower, theorem}
                       : vacuous(Direction::lower, theorem);
}

PrivacyBracket bracket(std::span<const Phase> phases, Adjacency adjacency, const Convert& convert,
                       StandingFilter filter, std::span<const double> grid) {
    const BoundsAt exact = [&](std::span<const double> orders) {
        return exact_bounds(phases, adjacency, orders);
    };
    const BoundsAt published = [&](std::span<const double> orders) {
        return published_bounds(phases, adjacency, orders);
    };
    const auto solve = [&](const BoundsAt& bounds_at, double step) {
        if (grid.empty()) return minimise(phases, bounds_at, convert, step);
        Best best;
        improve(best, phases, bounds_at, convert, grid);
        return best;
    };
    const bool all_published = std::all_of(phases.begin(), phases.end(), [&](const Phase& phase) {
        return exact_theorem(phase.mechanism, adjacency).standing == Standing::published;
    });
    PrivacyBracket result;
    // Published bounds that are not the exact curve cost more per order: a coarser scan.
    const Best best = solve(published, all_published ? 0.25 : 0.5);
    result.published_upper = best.bound;
    result.published_order = best.order;
    result.upper = best.bound;
    result.upper_order = best.order;
    if (filter == StandingFilter::any && !all_published) {
        const Best ours = solve(exact, 0.25);
        if (ours.bound.value < result.upper.value) {
            result.upper = ours.bound;
            result.upper_order = ours.order;
        }
    }
    return result;
}

/// The best lower bound of the explicit pairs, the proofs behind which are ours: of all steps by
/// `of_pairs`, or of one phase by `of_drawn`, since fewer steps tell less.
template <class OfPairs, class OfDrawn>
Bound lower_side_of_pairs(std::span<const Phase> phases, Adjacency adjacency, StandingFilter filter,
                          const OfPairs& of_pairs, const OfDrawn& of_drawn) {
    if (filter != StandingFilter::any) return lower_side(0.0, cite::explicit_pair);
    double best = of_pairs(explicit_pairs(phases, adjacency));
    for (const Phase& phase : phases) {
        const WorstRenyiPair pair = worst_renyi_pair(phase.mechanism, adjacency);
        const auto* two = std::get_if<TwoPointMixtures>(&pair.mixtures);
        if (two == nullptr || two->other != 0.0L || two->q <= 0.0L || two->q >= 1.0L) continue;
        best = std::max(best, of_drawn(DrawnSteps{two->q, two->shift, phase.repetitions}));
    }
    return lower_side(best, cite::explicit_pair);
}

/// Both upper bounds are held against the lower one.
PrivacyBracket consistent(PrivacyBracket result, const char* question, double given,
                          std::span<const Phase> phases, Adjacency adjacency) {
    for (const Bound* upper : {&result.upper, &result.published_upper})
        require_ordered(result.lower.value, upper->value, [&] {
            return fmt::format("{} = {} of {}", question, given, describe(phases, adjacency));
        });
    return result;
}

/// The answer of Gaussian steps, which have a closed form.
PrivacyBracket with_closed_form(PrivacyBracket result, const Enclosure& exact, bool above_too) {
    result.lower = lower_side(exact.lower, cite::balle2018_gaussian);
    if (above_too && exact.upper < result.upper.value) {
        result.upper = Bound{exact.upper, Direction::upper, cite::balle2018_gaussian};
        result.upper_order = 0.0;
        result.published_upper = result.upper;
        result.published_order = 0.0;
    }
    return result;
}

PrivacyBracket epsilon_answer(std::span<const Phase> phases, Adjacency adjacency, double delta,
                              StandingFilter filter, std::span<const double> grid) {
    check(phases, adjacency);
    require(delta > 0.0 && delta < 1.0, "delta", delta, "0 < delta < 1");
    const Convert convert = [delta](double order, double rdp) {
        return canonne2020_epsilon(order, exactly(rdp), delta).upper;
    };
    PrivacyBracket result = bracket(phases, adjacency, convert, filter, grid);
    if (const auto square = gaussian_square(phases, adjacency)) {
        const Enclosure exact =
            square->enclose_by([delta](real shift) { return gaussian_epsilon(shift, delta); });
        return with_closed_form(result, exact, grid.empty());
    }
    result.lower = lower_side_of_pairs(
        phases, adjacency, filter,
        [delta](const auto& pairs) { return epsilon_lower_bound(pairs, delta); },
        [delta](const DrawnSteps& drawn) { return drawn_steps_epsilon(drawn, delta); });
    return result;
}

PrivacyBracket delta_answer(std::span<const Phase> phases, Adjacency adjacency, double epsilon,
                            StandingFilter filter) {
    check(phases, adjacency);
    require(epsilon >= 0.0 && std::isfinite(epsilon), "epsilon", epsilon, "epsilon >= 0, finite");
    const Convert convert = [epsilon](double order, double rdp) {
        return canonne2020_delta(order, exactly(rdp), epsilon).upper;
    };
    PrivacyBracket result = bracket(phases, adjacency, convert, filter, {});
    for (Bound* upper : {&result.upper, &result.published_upper})
        upper->value = std::min(upper->value, 1.0);
    if (const auto square = gaussian_square(phases, adjacency)) {
        const Enclosure exact =
            square->enclose_by([epsilon](real shift) { return gaussian_delta(shift, epsilon); });
        return with_closed_form(result, exact, true);
    }
    result.lower = lower_side_of_pairs(
        phases, adjacency, filter,
        [epsilon](const auto& pairs) { return delta_lower_bound(pairs, epsilon); },
        [epsilon](const DrawnSteps& drawn) { return drawn_steps_delta(drawn, epsilon); });
    return result;
}

}  // namespace

PrivacyBracket epsilon_bracket(std::span<const Phase> phases, Adjacency adjacency, double delta,
                               StandingFilter filter) {
    return consistent(epsilon_answer(phases, adjacency, delta, filter, {}), "epsilon at delta",
                      delta, phases, adjacency);
}

PrivacyBracket epsilon_bracket_on_grid(std::span<const Phase> phases, Adjacency adjacency,
                                       double delta, std::span<const double> orders,
                                       StandingFilter filter) {
    if (orders.empty()) throw DomainError("orders", "none", "at least one order > 1");
    return consistent(epsilon_answer(phases, adjacency, delta, filter, orders), "epsilon at delta",
                      delta, phases, adjacency);
}

PrivacyBracket delta_bracket(std::span<const Phase> phases, Adjacency adjacency, double epsilon,
                             StandingFilter filter) {
    return consistent(delta_answer(phases, adjacency, epsilon, filter), "delta at epsilon", epsilon,
                      phases, adjacency);
}

}  // namespace assay
