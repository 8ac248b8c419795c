#include <algorithm>
#include <cmath>

#include "assay/account/account.hpp"
#include "verify/checks/law_parts.hpp"
#include "verify/checks/spaces.hpp"
#include "verify/oracles/binomial_tail.hpp"
#include "verify/rows.hpp"

// Sequences of phases of any samplers, as the front door answers them; and Poisson batches that are
// cut, which it accounts for by a pair of their own.

namespace assay::verify {

namespace {

constexpr int samplers = 9;

/// The sampler of that number, with little work: all of them have a theorem under zero-out.
Mechanism sampler_of(long number, double noise) {
    switch (number) {
        case 0: return Gaussian{noise};
        case 1: return SampledGaussian{noise, 0.2};
        case 2: return FixedSizeGaussian{noise, 0.1};
        case 3: return FixedSizeWithReplacementGaussian{noise, 3, 20};
        case 4: return TruncatedPoissonGaussian{noise, 5, 50, 12};
        case 5: return BallsAndBins{noise, 4};
        case 6: return RandomAllocation{noise, 6, 2};
        case 7: return Shuffled{noise, 5};
        default: return DeterministicBatches{noise, 3};
    }
}

Space two_phases() {
    std::vector<double> all;
    for (int i = 0; i < samplers; ++i) all.push_back(i);
    return {{{"first", Scale::linear, 0, samplers - 1, true, all},
             {"second", Scale::linear, 0, samplers - 1, true, all},
             noise_dimension("sigma", 0.8, 4.0),
             noise_dimension("sigma_2", 0.8, 4.0),
             {"T", Scale::linear, 1, 6, true, {1, 2}},
             {"T_2", Scale::linear, 1, 6, true, {1, 3}},
             {"eps", Scale::linear, 0.0, 2.0, false, {0.0, 0.5, 1.0}}},
            {}};
}

Phase first_of(const Point& p) {
    return {sampler_of(p.integer("first"), p["sigma"]), p.integer("T")};
}
Phase second_of(const Point& p) {
    return {sampler_of(p.integer("second"), p["sigma_2"]), p.integer("T_2")};
}

constexpr double negligible = 1e-8;

Bracket answered(std::vector<Phase> phases, const Point& p) {
    return delta({Adjacency::zero_out, std::move(phases)}, p["eps"], goal_of(Effort::quick),
                 negligible);
}

/// A side, with what quick answers may differ by.
Interval side(double value, double room) {
    return interval_of(
        {value * (1.0 - room) - 2.0 * negligible, value * (1.0 + room) + 2.0 * negligible});
}
Side lower_of(std::vector<Phase> (*phases)(const Point&), double room) {
    return [=](const Point& p) { return side(answered(phases(p), p).lower.value, room); };
}
Side upper_of(std::vector<Phase> (*phases)(const Point&), double room) {
    return [=](const Point& p) { return side(answered(phases(p), p).upper.value, room); };
}

std::vector<Phase> alone(const Point& p) {
    return {first_of(p)};
}
std::vector<Phase> both(const Point& p) {
    return {first_of(p), second_of(p)};
}
std::vector<Phase> turned(const Point& p) {
    return {second_of(p), first_of(p)};
}
std::vector<Phase> longer(const Point& p) {
    Phase phase = first_of(p);
    phase.repetitions += p.integer("T_2");
    return {phase};
}
std::vector<Phase> split(const Point& p) {
    Phase rest = first_of(p);
    rest.repetitions = p.integer("T_2");
    return {first_of(p), rest};
}

std::vector<Check> phase_laws() {
    constexpr double gap = 0.012;  // of quick answers, 1 %
    constexpr double same = 1e-4;
    const Space two = two_phases();
    return {at_most_law("law.sequence.more_phases_upper",
                        "a further phase of any sampler lowers no upper side", two, 6, 120,
                        upper_of(alone, gap), upper_of(both, 0.0)),
            at_most_law("law.sequence.more_phases_lower",
                        "nor a lower side: a part of what was released tells no more than all", two,
                        6, 120, lower_of(alone, gap), lower_of(both, 0.0)),
            at_most_law("law.sequence.part_below_whole",
                        "what a phase tells at least is at most what all may tell", two, 40, 120,
                        lower_of(alone, 0.0), upper_of(both, 0.0)),
            equality_law("law.sequence.order_upper", "the order of phases does not matter above",
                         two, 5, 100, upper_of(both, same), upper_of(turned, same)),
            equality_law("law.sequence.order_lower", "nor below", two, 5, 100, lower_of(both, same),
                         lower_of(turned, same)),
            equality_law("law.sequence.split_upper",
                         "T + T_2 repetitions are two phases of one sampler, within the gap", two,
                         5, 100, upper_of(split, gap), upper_of(longer, gap)),
            equality_law("law.sequence.split_lower", "the same below", two, 5, 100,
                         lower_of(split, gap), lower_of(longer, gap))};
}

// ---- Poisson batches that are cut --------------------------------------------------------------

Space truncated_space() {
    return {{noise_dimension("sigma", 0.7, 4.0),
             count_dimension("n", 20, 2000, {50, 500}),
             {"b", Scale::linear, 1, 50, true, {5, 20}},
             {"z", Scale::linear, 1.0, 6.0, false, {2.0, 4.0}},
             count_dimension("T", 1, 200, {1, 20}),
             {"adjacency", Scale::linear, 0, 2, true, {0, 1, 2}},
             {"eps", Scale::linear, 0.0, 4.0, false, {0.0, 0.5, 1.0}}},
            [](const Point& p) { return p["b"] * 4.0 <= p["n"]; }};
}

Bracket cut_answer(const Point& p, bool is_cut) {
    const auto adjacency = static_cast<Adjacency>(p.integer("adjacency"));
    const auto most = static_cast<std::int64_t>(p["b"] + p["z"] * std::sqrt(p["b"])) + 1;
    const Mechanism mechanism =
        is_cut ? Mechanism(TruncatedPoissonGaussian{p["sigma"], p.integer("b"), p.integer("n"),
                                                    std::min(most, p.integer("n"))})
               : Mechanism(SampledGaussian{p["sigma"], p["b"] / p["n"]});
    return delta({adjacency, {{mechanism, p.integer("T")}}}, p["eps"], goal_of(Effort::quick),
                 negligible);
}

Check truncated_law() {
    return at_most_law(
        "law.truncated_poisson.below_delta_prime",
        "the pair of cut batches is never looser than an uncut run and (1 + e^eps) T P(|B| > "
        "maximum) beside it (chua2025 Appendix C)",
        truncated_space(), 8, 160,
        [](const Point& p) { return side(cut_answer(p, true).upper.value, 0.012); },
        [](const Point& p) {
            const auto most = static_cast<long>(p["b"] + p["z"] * std::sqrt(p["b"])) + 1;
            const long larger = p.integer("n") + (p.integer("adjacency") == 0 ? 1 : 0);
            const Interval more =
                cut_batches_delta({larger, p["b"], p["n"]}, p.integer("T"), p["eps"], most, 96);
            // Where the tail's terms fall slowly a geometric sum is no close bound of it.
            const double q = p["b"] / p["n"];
            const double quotient = (static_cast<double>(larger - most) - 1.0) * q /
                                    ((static_cast<double>(most) + 2.0) * (1.0 - q));
            const double loose = 1.0 / std::max(1e-9, 1.0 - quotient);
            const double upper =
                cut_answer(p, false).upper.value + more.upper_double() * std::max(loose, 1.0);
            return interval_of({upper, upper + 2.0 * negligible});
        });
}

}  // namespace

std::vector<Check> sequence_laws() {
    std::vector<Check> rows = phase_laws();
    rows.push_back(truncated_law());
    return rows;
}

}  // namespace assay::verify
