#include "assay/pld/dominating_losses.hpp"

#include <algorithm>
#include <cmath>

#include "assay/numeric/directed.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/pld/discretise.hpp"
#include "assay/privacy/dominating_pair.hpp"

namespace assay {

namespace {

/// Masses of the numerator at rising losses, of a distribution whose masses are to be scaled by e^a
/// and whose losses are to be raised by s.
DominatingLosses raised(double step, std::int64_t first, std::vector<double> masses,
                        double infinity_mass, double a, double s) {
    // (1 - e^epsilon x)_+ is convex in x = e^{-loss}: a share of each mass, one point further on,
    // does as much as the shift. What stays is not lessened.
    const double share = std::expm1(-s) / std::expm1(-step) * 1.000001;
    const double factor = std::exp(a) * (1.0 + 0x1p-48);
    DominatingLosses losses{step, first, std::move(masses), infinity_mass * factor};
    losses.masses.push_back(0.0);
    for (std::size_t i = losses.masses.size(); i-- > 0;) {
        const double before = i > 0 ? losses.masses[i - 1] : 0.0;
        losses.masses[i] = round_up((static_cast<real>(losses.masses[i]) +
                                     static_cast<real>(before) * static_cast<real>(share)) *
                                    static_cast<real>(factor));
    }
    return losses;
}

}  // namespace

DominatingLossPair dominating_losses(const Mechanism& mechanism, Adjacency adjacency, double step,
                                     double negligible) {
    require(step > 1e-6 && step <= 1.0, "step", step, "1e-6 < step <= 1");
    require(negligible > 0.0 && negligible <= 1e-3, "negligible", negligible,
            "0 < negligible <= 1e-3");
    validate(mechanism);
    const DominatingPair pair = dominating_pair(mechanism, adjacency);
    const double h = short_step(step);
    if (pair.c == 0.0L || pair.q == 0.0L) {  // nothing is released
        const DominatingLosses none{h, 0, {1.0}, 0.0};
        return {none, none, pair.theorem};
    }
    const PrivacyLossPmf pmf =
        discretise(pair, adjacency, Direction::upper, {.step = h, .negligible = negligible});
    if (pmf.offset != 0.0) throw InternalError("a pair was discretised beside its grid");
    // Under Q as stored; under P times e^loss, upwards.
    std::vector<double> under_p(pmf.masses.size());
    for (std::size_t i = 0; i < under_p.size(); ++i) {
        const double loss = pmf.loss(i);
        under_p[i] = round_up(static_cast<real>(pmf.masses[i]) * std::exp(static_cast<real>(loss)) *
                              (1.0L + 0x1p-58L));
    }
    std::vector<double> mirrored(pmf.masses.rbegin(), pmf.masses.rend());
    const std::int64_t last = pmf.first + static_cast<std::int64_t>(pmf.masses.size()) - 1;
    // removal: e^{a+s} sum p (1 - e^{epsilon - s - loss})_+; addition: the losses change their
    // sign.
    return {raised(h, pmf.first, std::move(under_p), pmf.infinity_mass * std::exp(pmf.loss_error),
                   pmf.mass_error + pmf.loss_error, pmf.loss_error),
            raised(h, -last, std::move(mirrored), pmf.null_mass, pmf.mass_error, pmf.loss_error),
            pair.theorem};
}

}  // namespace assay
