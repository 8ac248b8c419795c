#include "assay/dpsgd/epoch_bracket.hpp"

#include <fmt/format.h>

#include <limits>

#include "assay/balls_and_bins/lower_bounds.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/privacy/citations.hpp"
#include "assay/rdp/epsilon_bracket.hpp"

namespace assay {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// What is asked: delta at this epsilon, or epsilon at this delta.
struct Question {
    bool wants_delta;
    double given;
    std::int64_t epochs;
    const GapGoal& goal;
    StandingFilter filter;
    EpochLaws* kept = nullptr;  // of balls-and-bins, from earlier questions

    [[nodiscard]] double trivial_upper() const { return wants_delta ? 1.0 : infinity; }
};

EpochBracket sides(const Question& question, const Enclosure& x, Theorem theorem) {
    EpochBracket found;
    found.lower = x.lower > 0.0 ? Bound{x.lower, Direction::lower, theorem}
                                : vacuous(Direction::lower, theorem);
    found.upper = Bound{x.upper, Direction::upper, theorem,
                        x.upper < question.trivial_upper() ? Status::certified : Status::vacuous};
    return found;
}

/// A number whose delta still exceeds `target`; 0 where there is none.
template <class Sampler>
double largest_epsilon_above(const Sampler& m, double target) {
    const auto exceeds = [&](double epsilon) {
        return largest_coordinate_delta(m, epsilon).lower > target;
    };
    if (!exceeds(0.0)) return 0.0;
    double low = 0.0;
    double high = 1.0;
    while (high < 1e6 && exceeds(high)) high *= 2.0;
    while (high - low > 1e-10 * high) {
        const double middle = 0.5 * (low + high);
        (exceeds(middle) ? low : high) = middle;
    }
    return low;
}

/// What the largest coordinate of one epoch tells.
template <class Sampler>
double largest_coordinate(const Sampler& m, const Question& question) {
    return question.wants_delta ? largest_coordinate_delta(m, question.given).lower
                                : largest_epsilon_above(m, question.given);
}

EpochBracket answer(const Shuffled& m, const Question& question) {
    if (question.epochs != 1)
        throw DomainError("epochs", fmt::format("{}", question.epochs),
                          "1 with sampling = shuffle");
    EpochBracket found =
        sides(question, {largest_coordinate(m, question), question.trivial_upper()},
              cite::chua2024_shuffle);
    found.note =
        "a lower bound only: no upper bound of shuffling's own is known (that of deterministic "
        "batches holds for it as well)";
    return found;
}

EpochBracket answer(const DeterministicBatches& m, const Question& question) {
    const Phase phase{Gaussian{m.noise_multiplier}, question.epochs};
    const PrivacyBracket bracket =
        question.wants_delta ? delta_bracket({&phase, 1}, Adjacency::zero_out, question.given)
                             : epsilon_bracket({&phase, 1}, Adjacency::zero_out, question.given);
    return {bracket.lower, bracket.upper, 0.0,
            "a record is in one batch of the epoch: one Gaussian step an epoch"};
}

Enclosure convex_order(const BallsAndBins& m, const Question& question) {
    const auto& [wants_delta, given, epochs, goal, filter, kept] = question;
    if (wants_delta)
        return epochs > 1 ? composed_delta(EpochSequence::of(m, epochs), given, goal)
                          : delta_within(m, given, goal);
    return epochs > 1 ? composed_epsilon(EpochSequence::of(m, epochs), given, goal, kept)
                      : EpochCurve(m, Adjacency::zero_out, goal).epsilon(given);
}

EpochBracket answer(const BallsAndBins& m, const Question& question) {
    // The pair is a mixture of those of deterministic batches, and the divergence is convex: theirs
    // bounds it. That is all there is where the rounding of the sums exceeds what is asked, and all
    // that is needed where epsilon is 0.
    EpochBracket plain = answer(DeterministicBatches{m.noise_multiplier, m.steps}, question);
    plain.upper.theorem = cite::chua2025_prop_3_2;
    plain.note = "upper side: that of deterministic batches, which is no smaller (convexity)";
    if (plain.upper.value == 0.0) return plain;
    // More epochs release more than one.
    EpochBracket found = sides(
        question, {largest_coordinate(m, question), question.trivial_upper()}, cite::chua2025_eq_6);
    if (question.filter != StandingFilter::published) {
        const Bound one_coordinate = found.lower;
        found = sides(question, convex_order(m, question), cite::convex_order);
        if (one_coordinate.value > found.lower.value) found.lower = one_coordinate;
    }
    if (plain.upper.value < found.upper.value) {
        found.upper = plain.upper;
        found.note = plain.note;
    }
    if (found.note.empty() &&
        (found.lower.status == Status::vacuous || found.upper.status == Status::vacuous))
        found.note =
            "vacuous: beyond what the grid of sums reaches (epsilon 600) or below what rounding "
            "leaves of it";
    const double upper = found.upper.value;
    found.gap = upper < infinity && upper > 0.0 ? (upper - found.lower.value) / upper : 0.0;
    return found;
}

EpochBracket answered(const EpochMechanism& mechanism, const Question& question) {
    validate(mechanism);
    if (question.epochs < 1 || question.epochs > 100'000)
        throw DomainError("epochs", fmt::format("{}", question.epochs), "1 .. 100000");
    const EpochBracket found =
        std::visit([&](const auto& m) { return answer(m, question); }, mechanism);
    require_ordered(found.lower.value, found.upper.value, [&] {
        return fmt::format("{} = {} of {}, {} epochs",
                           question.wants_delta ? "delta at epsilon" : "epsilon at delta",
                           question.given, describe(mechanism), question.epochs);
    });
    return found;
}

}  // namespace

EpochBracket epoch_epsilon(const EpochMechanism& mechanism, std::int64_t epochs, double delta,
                           const GapGoal& goal, StandingFilter filter, EpochLaws* kept) {
    require(delta > 0.0 && delta < 1.0, "delta", delta, "0 < delta < 1");
    return answered(mechanism, {false, delta, epochs, goal, filter, kept});
}

EpochBracket epoch_delta(const EpochMechanism& mechanism, std::int64_t epochs, double epsilon,
                         const GapGoal& goal, StandingFilter filter) {
    require(epsilon >= 0.0, "epsilon", epsilon, "epsilon >= 0");
    return answered(mechanism, {true, epsilon, epochs, goal, filter, nullptr});
}

}  // namespace assay
