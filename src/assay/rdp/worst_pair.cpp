#include "assay/rdp/worst_pair.hpp"

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

std::unique_ptr<LikelihoodRatio> worst_pair(const Mechanism& mechanism, Adjacency adjacency) {
    return likelihood_ratio(worst_renyi_pair(mechanism, adjacency));
}

}  // namespace assay
