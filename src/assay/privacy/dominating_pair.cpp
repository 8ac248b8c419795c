#include "assay/privacy/dominating_pair.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "assay/numeric/errors.hpp"
#include "assay/privacy/citations.hpp"

namespace assay {

namespace {

struct Pairs {
    std::optional<WorstRenyiPair> renyi;
    std::optional<DominatingPair> dominating;
};

using Shape = DominatingPair::Shape;

Pairs gaussian_pairs(real shift) {
    return {WorstRenyiPair{TwoPointMixtures{1.0L, shift, 0.0L}, cite::mironov2017_gaussian, shift},
            DominatingPair{Shape::removal, 1.0L, shift, true, cite::balle2018_gaussian}};
}

/// An upper bound of P(Bin(n, p) >= most), from its first term and the falling quotients of the
/// following ones; 1 where they do not fall.
real crowded_probability(std::int64_t n, real p, std::int64_t most) {
    if (most > n) return 0.0L;
    const auto records = static_cast<real>(n);
    const auto first = static_cast<real>(most);
    const real quotient = (records - first) * p / ((first + 1.0L) * (1.0L - p));
    if (!(quotient < 1.0L)) return 1.0L;
    const real parts[] = {std::lgamma(records + 1.0L), std::lgamma(first + 1.0L),
                          std::lgamma(records - first + 1.0L), first * std::log(p),
                          (records - first) * std::log1p(-p)};
    real size = 0.0L;
    for (const real part : parts) size += std::fabs(part);
    const real log_term = parts[0] - parts[1] - parts[2] + parts[3] + parts[4];
    return std::min(1.0L, std::exp(log_term + 64.0L * unit_roundoff * (size + 1.0L)) /
                              (1.0L - quotient) * 1.0001L);
}

struct PairsOf {
    Adjacency adjacency;

    [[nodiscard]] bool is_replacement() const { return adjacency == Adjacency::replace_one; }

    Pairs operator()(const Gaussian& m) const {
        // A record that appears or is nulled moves the sum by one clip norm, an exchanged one by 2.
        return gaussian_pairs((is_replacement() ? 2.0L : 1.0L) /
                              static_cast<real>(m.noise_multiplier));
    }
    Pairs operator()(const SampledGaussian& m) const {
        const real q = m.sampling_probability;
        const real c = 1.0L / static_cast<real>(m.noise_multiplier);
        if (is_replacement())  // present in both data sets, antiparallel (docs/proofs.md D)
            return {WorstRenyiPair{TwoPointMixtures{q, c, -c}, cite::poisson_replace_one, 2.0L * c},
                    DominatingPair{Shape::antipodal, q, c, true, cite::poisson_replace_one}};
        return {WorstRenyiPair{TwoPointMixtures{q, c, 0.0L}, cite::mironov2019_theorems_4_5, c},
                DominatingPair{Shape::removal, q, c, true, cite::koskela2020_composition}};
    }
    Pairs operator()(const TruncatedPoissonGaussian& m) const {
        const real c = 1.0L / static_cast<real>(m.noise_multiplier);
        const real q = m.sampling_probability();
        // The other records that are drawn fill the batch: then it is a batch of fixed size.
        const bool is_added = adjacency == Adjacency::add_remove;
        const DominatingPair::Cut cut{
            crowded_probability(m.dataset_size - (is_added ? 0 : 1), q, m.maximum_batch_size),
            is_added           ? Shape::removal
            : is_replacement() ? Shape::symmetric
                               : Shape::null_record,
            2.0L * c};
        return {std::nullopt, DominatingPair{is_replacement() ? Shape::antipodal : Shape::removal,
                                             q, c, cut.probability == 0.0L, cite::truncated_poisson,
                                             std::nullopt, 1, cut}};
    }
    Pairs operator()(const FixedSizeGaussian& m) const {
        // A fixed-size batch exchanges one record for another under any adjacency.
        const real q = m.sampling_probability;
        const real c = 2.0L / static_cast<real>(m.noise_multiplier);
        const WorstRenyiPair renyi{TwoPointMixtures{q, c, 0.0L}, cite::fixed_size_replace_one, c};
        if (is_replacement())
            return {renyi,
                    DominatingPair{Shape::symmetric, q, c, false, cite::symmetric_dominating_pair}};
        if (adjacency == Adjacency::zero_out)
            return {std::nullopt,
                    DominatingPair{Shape::null_record, q, c, false, cite::null_record_pair}};
        return {WorstRenyiPair{TwoPointMixtures{q, c, 0.0L}, cite::birrell2024_thm_3_1, c},
                DominatingPair{Shape::removal, q, c, true, cite::birrell2024_thm_3_1}};
    }
    Pairs operator()(const FixedSizeWithReplacementGaussian& m) const {
        const real noise = m.noise_multiplier;
        const real c = 2.0L / noise;
        // The probability of any hit.
        const real q = -std::expm1(static_cast<real>(m.batch_size) *
                                   std::log1p(-1.0L / static_cast<real>(m.dataset_size)));
        DominatingPair pair{Shape::removal,
                            q,
                            c,
                            true,
                            cite::with_replacement,
                            DominatingPair::Draws{m.batch_size, m.dataset_size}};
        if (adjacency == Adjacency::add_remove)
            return {WorstRenyiPair{BinomialMixture{m.batch_size, m.dataset_size, c},
                                   cite::with_replacement,
                                   2.0L * static_cast<real>(m.batch_size) / noise},
                    pair};
        pair.shape = is_replacement() ? Shape::symmetric : Shape::null_record;
        pair.attained = false;
        pair.theorem = cite::with_replacement_told;
        return {std::nullopt, pair};
    }
    Pairs operator()(const DeterministicBatches& m) const {  // a record is in one batch an epoch
        return gaussian_pairs(1.0L / static_cast<real>(m.noise_multiplier));
    }
    Pairs operator()(const BallsAndBins&) const { return {}; }
    Pairs operator()(const RandomAllocation&) const { return {}; }
    Pairs operator()(const Shuffled&) const { return {}; }
};

Pairs pairs_of(const Mechanism& mechanism, Adjacency adjacency) {
    validate(mechanism);
    require_theorem(mechanism, adjacency);
    return std::visit(PairsOf{adjacency}, mechanism);
}

template <class Pair>
Pair existing(const std::optional<Pair>& pair, const Mechanism& mechanism, const char* kind) {
    if (!pair)
        throw UnsupportedMechanism(fmt::format("sampling = {} has no {} under this adjacency",
                                               sampling_name(mechanism), kind));
    return *pair;
}

}  // namespace

bool WorstRenyiPair::is_gaussian() const {
    const auto* two = std::get_if<TwoPointMixtures>(&mixtures);
    return two != nullptr && two->q == 1.0L;
}

std::vector<DominatingPair> DominatingPair::attained_pairs() const {
    if (attained) return {*this};
    DominatingPair pair = *this;
    pair.attained = true;
    if (is_cut()) {
        // All others null: the record is drawn and stays with this probability at least.
        pair.q = q * (1.0L - cut.probability);
        pair.cut = {};
        if (pair.q == 0.0L) pair.c = 0.0L;
        return {pair};
    }
    pair.shape = Shape::removal;
    // The record against its antipode, all others equal to the latter.
    if (shape != Shape::null_record) return {pair};
    // The record against a null one: all others null as well, or opposite to the record.
    pair.c = 0.5L * c;
    if (draws) return {pair};
    DominatingPair opposite = *this;
    opposite.attained = true;
    opposite.shape = Shape::halved;
    return {pair, opposite};
}

bool has_dominating_pair(const Mechanism& mechanism, Adjacency adjacency) {
    if (std::holds_alternative<DeterministicBatches>(mechanism))
        return adjacency == Adjacency::zero_out;
    return std::visit(PairsOf{adjacency}, mechanism).dominating.has_value();
}

DominatingPair dominating_pair(const Mechanism& mechanism, Adjacency adjacency) {
    DominatingPair pair =
        existing(pairs_of(mechanism, adjacency).dominating, mechanism, "dominating pair");
    if (pair.q == 0.0L) pair.c = 0.0L;
    return pair;
}

DominatingPair largest_coordinate_pair(const Shuffled& mechanism) {
    DominatingPair pair;
    pair.shape = Shape::largest;
    pair.c = 2.0L / static_cast<real>(mechanism.noise_multiplier);
    pair.theorem = cite::chua2024_shuffle;
    pair.batches = mechanism.batches_per_epoch;
    return pair;
}

bool has_worst_renyi_pair(const Mechanism& mechanism, Adjacency adjacency) {
    return std::visit(PairsOf{adjacency}, mechanism).renyi.has_value();
}

WorstRenyiPair worst_renyi_pair(const Mechanism& mechanism, Adjacency adjacency) {
    return existing(pairs_of(mechanism, adjacency).renyi, mechanism, "bound of Renyi divergences");
}

}  // namespace assay
