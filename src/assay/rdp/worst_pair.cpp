#include "assay/rdp/worst_pair.hpp"

#include <fmt/format.h>

#include "assay/numeric/errors.hpp"
#include "assay/rdp/binomial_pair.hpp"
#include "assay/rdp/collinear_pair.hpp"

namespace assay {

namespace {

/// Distance between the two query sums that neighbours can differ by, in clip norms, when the
/// record is in the batch: 1 for a record that appears or is nulled, 2 for one that is exchanged.
real exchange(Adjacency adjacency) {
    return adjacency == Adjacency::replace_one ? 2.0L : 1.0L;
}

struct Pair {
    Adjacency adjacency;

    std::unique_ptr<LikelihoodRatio> operator()(const Gaussian& m) const {
        return std::make_unique<CollinearPair>(
            1.0L, exchange(adjacency) / static_cast<real>(m.noise_multiplier), 0.0L);
    }
    std::unique_ptr<LikelihoodRatio> operator()(const SampledGaussian& m) const {
        if (m.sampling_probability == 0.0) return nullptr;
        const real shift = 1.0L / static_cast<real>(m.noise_multiplier);
        // Replace-one: present in both data sets, antiparallel (docs/proofs.md D).
        const real other = adjacency == Adjacency::replace_one ? -shift : 0.0L;
        return std::make_unique<CollinearPair>(m.sampling_probability, shift, other);
    }
    std::unique_ptr<LikelihoodRatio> operator()(const FixedSizeGaussian& m) const {
        if (m.sampling_probability == 0.0) return nullptr;
        // A fixed-size batch exchanges one record for another under either adjacency.
        return std::make_unique<CollinearPair>(m.sampling_probability,
                                               2.0L / static_cast<real>(m.noise_multiplier), 0.0L);
    }
    std::unique_ptr<LikelihoodRatio> operator()(const FixedSizeWithReplacementGaussian& m) const {
        return std::make_unique<BinomialPair>(m.batch_size, m.dataset_size,
                                              2.0L / static_cast<real>(m.noise_multiplier), true);
    }
};

struct UnsampledShift {
    Adjacency adjacency;

    real operator()(const Gaussian& m) const {
        return exchange(adjacency) / static_cast<real>(m.noise_multiplier);
    }
    real operator()(const SampledGaussian& m) const {
        return exchange(adjacency) / static_cast<real>(m.noise_multiplier);
    }
    real operator()(const FixedSizeGaussian& m) const {
        return 2.0L / static_cast<real>(m.noise_multiplier);
    }
    real operator()(const FixedSizeWithReplacementGaussian& m) const {
        return 2.0L * static_cast<real>(m.batch_size) / static_cast<real>(m.noise_multiplier);
    }
};

bool covered(const Mechanism& mechanism, Adjacency adjacency) {
    if (std::holds_alternative<FixedSizeGaussian>(mechanism))
        return adjacency != Adjacency::zero_out;
    if (std::holds_alternative<FixedSizeWithReplacementGaussian>(mechanism))
        return adjacency == Adjacency::add_remove;
    return true;
}

}  // namespace

void require_theorem(const Mechanism& mechanism, Adjacency adjacency) {
    if (!covered(mechanism, adjacency))
        throw UnsupportedMechanism(
            fmt::format("adjacency = {} is not admitted: no theorem covers sampling = {} under it",
                        to_string(adjacency), sampling_name(mechanism)));
}

std::unique_ptr<LikelihoodRatio> worst_pair(const Mechanism& mechanism, Adjacency adjacency) {
    validate(mechanism);
    require_theorem(mechanism, adjacency);
    return std::visit(Pair{adjacency}, mechanism);
}

real unsampled_shift(const Mechanism& mechanism, Adjacency adjacency) {
    return std::visit(UnsampledShift{adjacency}, mechanism);
}

}  // namespace assay
