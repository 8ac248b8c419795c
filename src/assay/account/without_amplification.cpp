#include "assay/account/without_amplification.hpp"

#include "assay/numeric/directed.hpp"
#include "assay/privacy/citations.hpp"
#include "assay/rdp/analytic_gaussian.hpp"

namespace assay {

namespace {

/// How far apart the means of one step are, in units of the noise, where both neighbours draw the
/// same batches as far as they can.
real largest_shift(const Mechanism& mechanism, Adjacency adjacency) {
    // A record that is nulled, or that joins a batch whose other records stay, moves the sum by one
    // clip norm; one that is exchanged, by two.
    const bool joins = std::holds_alternative<Gaussian>(mechanism) ||
                       std::holds_alternative<SampledGaussian>(mechanism);
    const bool is_one =
        adjacency == Adjacency::zero_out || (adjacency == Adjacency::add_remove && joins);
    const auto* with_replacement = std::get_if<FixedSizeWithReplacementGaussian>(&mechanism);
    const real hits =
        with_replacement != nullptr ? static_cast<real>(with_replacement->batch_size) : 1.0L;
    return (is_one ? 1.0L : 2.0L) * hits / static_cast<real>(noise_multiplier(mechanism));
}

}  // namespace

Bound without_amplification(std::span<const Phase> phases, Adjacency adjacency,
                            const Question& question) {
    real square = 0.0L;
    for (const Phase& phase : phases) {
        validate(phase.mechanism);
        const real shift = largest_shift(phase.mechanism, adjacency);
        square += static_cast<real>(phase.repetitions) * shift * shift;
    }
    // Five roundings a phase at most.
    square *= 1.0L + (5.0L * static_cast<real>(phases.size()) + 1.0L) * 2.0L * unit_roundoff;
    const Enclosure found = question.wants_delta ? gaussian_delta(square, question.given)
                                                 : gaussian_epsilon(square, question.given);
    return {found.upper, Direction::upper, cite::unsampled_hockey_stick};
}

}  // namespace assay
