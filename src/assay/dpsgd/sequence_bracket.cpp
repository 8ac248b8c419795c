#include "assay/dpsgd/sequence_bracket.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "assay/balls_and_bins/epoch_composition.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/pld/pld_accountant.hpp"
#include "assay/privacy/citations.hpp"

namespace assay {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

double noise_of(const EpochMechanism& mechanism) {
    return std::visit([](const auto& m) { return m.noise_multiplier; }, mechanism);
}

/// Every epoch of balls-and-bins or of deterministic batches as one Gaussian step.
std::vector<Phase> with_deterministic_batches(const ReleaseSequence& sequence) {
    std::vector<Phase> phases = sequence.steps;
    for (const auto& [mechanism, count] : sequence.epochs) {
        phases.push_back({Gaussian{noise_of(mechanism)}, count});
    }
    return phases;
}

EpochSequence as_laws(const ReleaseSequence& sequence) {
    EpochSequence laws;
    const auto add_step = [&](const Mechanism& mechanism, std::int64_t steps) {
        laws.steps.push_back({dominating_pair(mechanism, Adjacency::zero_out), steps});
    };
    for (const auto& [mechanism, count] : sequence.epochs) {
        const auto* bins = std::get_if<BallsAndBins>(&mechanism);
        if (bins != nullptr && bins->steps > 1)
            laws.epochs.push_back({*bins, count});
        else  // one batch has every record, and so has one of a fixed order
            add_step(Gaussian{noise_of(mechanism)}, count);
    }
    for (const Phase& phase : sequence.steps) add_step(phase.mechanism, phase.steps);
    return laws;
}

void validate(const ReleaseSequence& sequence) {
    require(!sequence.epochs.empty() || !sequence.steps.empty(), "phases", 0.0, "at least one");
    for (const auto& [mechanism, count] : sequence.epochs) {
        assay::validate(mechanism);
        require(count >= 1 && count <= 100'000, "epochs", static_cast<double>(count),
                "1 .. 100000");
        if (std::holds_alternative<Shuffled>(mechanism))
            throw DomainError("sampling", "shuffle",
                              "the only sampler: nothing is known of its composition");
    }
}

EpochBracket merged(Enclosure ours, const Bound& plain, double trivial_upper) {
    EpochBracket found;
    found.lower = ours.lower > 0.0 ? Bound{ours.lower, Direction::lower, cite::convex_order}
                                   : vacuous(Direction::lower, cite::convex_order);
    found.upper = Bound{ours.upper, Direction::upper, cite::convex_order,
                        ours.upper < trivial_upper ? Status::certified : Status::vacuous};
    if (plain.value < ours.upper) {
        found.upper = plain;
        found.note = "upper side: that of deterministic batches, which is no smaller (convexity)";
    }
    return found;
}

std::string describe(const ReleaseSequence& sequence) {
    std::string text;
    for (const auto& [mechanism, count] : sequence.epochs)
        text += fmt::format("{} epochs of {}; ", count, assay::describe(mechanism));
    return text + assay::describe(sequence.steps, Adjacency::zero_out);
}

void complete(EpochBracket& found, const char* question, double given,
              const ReleaseSequence& sequence) {
    const double upper = found.upper.value;
    require_ordered(found.lower.value, upper, [&] {
        return fmt::format("{} = {} of {}", question, given, describe(sequence));
    });
    found.gap = upper < infinity && upper > 0.0 ? (upper - found.lower.value) / upper : 0.0;
}

PldOptions pld_options(const GapGoal& goal) {
    PldOptions options;
    options.relative_gap = goal.tolerance;
    options.smallest_delta = std::max(goal.negligible_delta, 1e-300);
    return options;
}

}  // namespace

EpochBracket sequence_epsilon(const ReleaseSequence& sequence, double delta, const GapGoal& goal) {
    require(delta > 0.0 && delta < 1.0, "delta", delta, "0 < delta < 1");
    validate(sequence);
    const EpsilonBracket plain = pld_epsilon(with_deterministic_batches(sequence),
                                             Adjacency::zero_out, delta, pld_options(goal));
    const EpochSequence laws = as_laws(sequence);
    EpochBracket found = laws.epochs.empty()
                             ? EpochBracket{plain.lower, plain.upper, 0.0, plain.note}
                             : merged(composed_epsilon(laws, delta, goal), plain.upper, infinity);
    complete(found, "epsilon at delta", delta, sequence);
    return found;
}

EpochBracket sequence_delta(const ReleaseSequence& sequence, double epsilon, const GapGoal& goal) {
    require(epsilon >= 0.0, "epsilon", epsilon, "epsilon >= 0");
    validate(sequence);
    const DeltaCurve curve = pld_delta(with_deterministic_batches(sequence), Adjacency::zero_out,
                                       {&epsilon, 1}, pld_options(goal));
    const DeltaBracket& plain = curve.points.front();
    const EpochSequence laws = as_laws(sequence);
    EpochBracket found = laws.epochs.empty()
                             ? EpochBracket{plain.lower, plain.upper, 0.0, curve.note}
                             : merged(composed_delta(laws, epsilon, goal), plain.upper, 1.0);
    complete(found, "delta at epsilon", epsilon, sequence);
    return found;
}

}  // namespace assay
