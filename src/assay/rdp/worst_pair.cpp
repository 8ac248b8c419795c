#include "assay/rdp/worst_pair.hpp"

#include "assay/numeric/errors.hpp"
#include "assay/rdp/binomial_pair.hpp"
#include "assay/rdp/collinear_pair.hpp"

namespace assay {

namespace {

struct Ratio {
    std::unique_ptr<LikelihoodRatio> operator()(const TwoPointMixtures& m) const {
        if (m.q == 0.0L) return nullptr;
        return std::make_unique<CollinearPair>(m.q, m.shift, m.other);
    }
    std::unique_ptr<LikelihoodRatio> operator()(const BinomialMixture& m) const {
        return std::make_unique<BinomialPair>(m.batch_size, m.dataset_size, m.shift, true);
    }
};

}  // namespace

std::unique_ptr<LikelihoodRatio> likelihood_ratio(const WorstRenyiPair& pair) {
    return std::visit(Ratio{}, pair.mixtures);
}

std::unique_ptr<LikelihoodRatio> likelihood_ratio(const DominatingPair& attained) {
    using Shape = DominatingPair::Shape;
    const bool is_antipodal = attained.shape == Shape::antipodal;
    const real c = attained.c;
    if (c == 0.0L) return nullptr;
    const bool is_known = attained.shape == Shape::removal || (is_antipodal && !attained.draws);
    if (!is_known || attained.is_cut())
        throw DomainError("shape", "another", "removal or antipodal, not cut");
    if (attained.draws)
        return Ratio{}(
            BinomialMixture{attained.draws->batch_size, attained.draws->dataset_size, c});
    return Ratio{}(TwoPointMixtures{attained.q, c, is_antipodal ? -c : 0.0L});
}

std::unique_ptr<LikelihoodRatio> worst_pair(const Mechanism& mechanism, Adjacency adjacency) {
    return likelihood_ratio(worst_renyi_pair(mechanism, adjacency));
}

}  // namespace assay
