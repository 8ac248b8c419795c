#include "assay/pld/jump_chain.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "assay/numeric/errors.hpp"
#include "assay/pld/convolve.hpp"
#include "assay/pld/threshold_density.hpp"

namespace assay {

namespace {

constexpr double u = 0x1p-53;
constexpr std::size_t most_points = std::size_t{1} << 22U;
constexpr std::size_t most_cells = std::size_t{1} << 15U;
constexpr double most_products = 2e7;  // of a group
/// Steps of a group are at most this part of those behind it.
constexpr std::int64_t groups_a_doubling = 48;

PldResolution resolution_for(const CompositionPlan& plan, double precision) {
    PldResolution resolution;
    resolution.spacing = std::clamp(std::sqrt(0.5 * precision), 1e-3, 0.04);
    resolution.step = short_step(
        std::clamp(plan.scale() * std::sqrt(3.0 * precision / plan.factors()), 1e-9, 0.1));
    return resolution;
}

/// The atoms of an upper distribution with all that rounding may have taken.
RatioAtoms atoms_of(const PrivacyLossPmf& distribution) {
    RatioAtoms atoms;
    atoms.direction = Direction::upper;
    double largest = 0.0;
    double lost = distribution.below_p;  // moved up to the first atom that is kept
    for (std::size_t i = 0; i < distribution.masses.size(); ++i) {
        const double loss = distribution.loss(i);
        const double q = (std::max(0.0, distribution.masses[i]) + distribution.rounding) *
                         std::exp(distribution.log_scale - distribution.tilt * loss);
        const double p = q * std::exp(loss);
        if (q < least_mass || p + lost < least_mass) {
            lost += p;
            continue;
        }
        largest = std::max(largest, std::fabs(loss));
        atoms.under_q.push_back(q + lost * std::exp(-loss));
        atoms.under_p.push_back(p + lost);
        lost = 0.0;
    }
    atoms.infinity_mass = (distribution.infinity_mass + lost) * (1.0 + 16.0 * u);
    atoms.mass_error =
        distribution.mass_error +
        (8.0 * (std::fabs(distribution.log_scale) + 2.0 * std::fabs(distribution.tilt) * largest) +
         static_cast<double>(distribution.masses.size()) + 16.0) *
            u;
    atoms.loss_error = distribution.loss_error + (6.0 * largest + 16.0) * u;
    return atoms;
}

/// `steps` of a pair on the points step k.
PrivacyLossPmf distribution_of(const DominatingPair& pair, std::int64_t steps, Adjacency adjacency,
                               const LossGrid& grid, double precision) {
    const std::vector<RepeatedLossPair> pairs{{pair, steps}};
    CompositionPlan plan(pairs, adjacency, precision);
    plan.neglect(grid.negligible);
    PldResolution resolution = resolution_for(plan, precision);
    // Points farther apart than those of the grid would leave gaps on it.
    resolution.step = std::min(resolution.step, short_step(0.25 * grid.step));
    const LossBlocks blocks = plan.blocks(Direction::upper, resolution);
    return discretise_at(atoms_of(convolve(blocks.parts(), 1.0, most_points)), adjacency, grid,
                         0.0);
}

}  // namespace

std::vector<ChainLink> jump_chain(const DominatingPair& one_sided, const DominatingPair& symmetric,
                                  const ChainMoments& moments, Adjacency adjacency,
                                  std::int64_t start, std::int64_t most, double precision) {
    require(start >= 1 && start <= most, "start", static_cast<double>(start), "1 <= start <= most");
    const std::vector<RepeatedLossPair> all{{one_sided, most}};
    const double scale = CompositionPlan(all, adjacency, precision).scale();
    const double doublings =
        std::log2(static_cast<double>(most) / static_cast<double>(start)) + 1.0;
    const double groups = doublings * static_cast<double>(groups_a_doubling);
    LossGrid grid{.step = short_step(scale * std::sqrt(6.0 * precision / groups)),
                  .negligible = 1e-8 * moments.delta / groups};
    const double h = grid.step;
    const PrivacyLossPmf distribution =
        distribution_of(symmetric, start, adjacency, grid, precision);
    // Thresholds move down by gains and up by costs.
    const double low = std::max(-10.0 * scale - distribution.loss(distribution.masses.size() - 1),
                                -(moments.epsilon + 7.0));
    const double high = 10.0 * scale;
    const auto origin = static_cast<std::int64_t>(std::floor(low / h));
    const auto cells =
        static_cast<std::size_t>(std::ceil(high / h)) + static_cast<std::size_t>(-origin);
    std::vector<ChainLink> links;
    if (cells > most_cells) return links;
    const double shift = (0.5 * h + h * h / 24.0) * (1.0 + 64.0 * u) + 1e-14;
    ThresholdDensity chain(moments, h * static_cast<double>(origin) - shift, h, cells);
    chain.start(distribution, start);
    links.push_back(chain.link(start));
    std::map<std::int64_t, LossKernel> kernels;
    std::int64_t done = start;
    for (std::int64_t next_link = 2 * start; done < most;) {
        std::int64_t group = 1;
        while (2 * group * groups_a_doubling <= done) group *= 2;
        group = std::min(group, most - done);
        auto known = kernels.find(group);
        if (known == kernels.end())
            known = kernels
                        .emplace(group, LossKernel(distribution_of(one_sided, group, adjacency,
                                                                   grid, precision)))
                        .first;
        if (static_cast<double>(cells) * static_cast<double>(known->second.masses.size()) >
            most_products)
            break;
        if (!chain.add(known->second, group)) break;
        done += group;
        if (done >= next_link || done == most) {
            links.push_back(chain.link(done));
            next_link = 2 * done;
        }
    }
    return links;
}

}  // namespace assay
