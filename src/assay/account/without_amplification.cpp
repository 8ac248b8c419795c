#include "assay/account/without_amplification.hpp"

#include <cmath>

#include "assay/numeric/directed.hpp"
#include "assay/privacy/citations.hpp"
#include "assay/rdp/analytic_gaussian.hpp"

namespace assay {

namespace {

/// In clip norms: a record that is nulled, or that joins a batch whose other records stay, moves
/// the sum by one; one that is exchanged, also out of a batch of fixed or limited size, by two.
struct NormsMoved {
    Adjacency adjacency;

    [[nodiscard]] real joining() const { return adjacency == Adjacency::replace_one ? 2.0L : 1.0L; }
    [[nodiscard]] real exchanged() const { return adjacency == Adjacency::zero_out ? 1.0L : 2.0L; }

    real operator()(const Gaussian& /*m*/) const { return joining(); }
    real operator()(const SampledGaussian& m) const {
        return m.sampling_probability > 0.0 ? joining() : 0.0L;
    }
    real operator()(const TruncatedPoissonGaussian& /*m*/) const { return exchanged(); }
    real operator()(const FixedSizeGaussian& m) const {
        return m.sampling_probability > 0.0 ? exchanged() : 0.0L;
    }
    real operator()(const FixedSizeWithReplacementGaussian& m) const {
        return exchanged() * static_cast<real>(m.batch_size);
    }
    /// An epoch, in which the record is nulled.
    real operator()(const RandomAllocation& m) const {
        return std::sqrt(static_cast<real>(m.allocations));
    }
    real operator()(const EpochSampler auto& /*m*/) const { return 1.0L; }
};

}  // namespace

real largest_shift(const Mechanism& mechanism, Adjacency adjacency) {
    return std::visit(NormsMoved{adjacency}, mechanism) /
           static_cast<real>(noise_multiplier(mechanism));
}

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
