#include "assay/pld/composition_plan.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "assay/pld/discretise.hpp"
#include "assay/pld/geometric_loss_distribution.hpp"
#include "assay/pld/hit_mixture.hpp"
#include "assay/pld/largest_pair.hpp"

namespace assay {

namespace {

/// Copies of the largest block that the uniform grid convolves at least and at most: fewer would
/// not be worth their doubling, more would cost digits to the transform's rounding.
constexpr double fewest_blocks = 24.0;
constexpr double most_blocks = 4096.0;

/// About E_Q[W^{1/2} log^2 W] of one step: the scale of the losses that matter. Only grid sizes
/// depend on it.
double loss_variance(const DominatingPair& pair) {
    if (pair.shape == DominatingPair::Shape::largest) {
        const LargestPair largest(std::min(pair.c, 1e3L), pair.batches);
        constexpr int cells = 200;
        const real low = largest.low(9.0L);
        const real width = (largest.high(9.0L) - low) / cells;
        double sum = 0.0;
        for (int i = 0; i < cells; ++i) {
            const real at = low + width * static_cast<real>(i);
            const PairMass mass = largest.mass(at, at + width);
            const real loss = largest.log_ratio(at + 0.5L * width);
            sum += static_cast<double>(std::sqrt(mass.under_p * mass.under_q) * loss * loss);
        }
        return sum;
    }
    // No grid tells larger shifts apart, and their squares overflow.
    DominatingPair plain = pair;
    plain.c = std::min(pair.c, 1e3L);
    constexpr int nodes = 400;
    const real low = -9.0L;
    const real width = (highest_quantile(plain, 9.0L) - low) / nodes;
    std::vector<real> z;
    for (int i = 0; i <= nodes; ++i) z.push_back(low + width * static_cast<real>(i));
    const std::vector<real> losses = log_ratios(plain, z);
    double sum = 0.0;
    for (std::size_t i = 0; i < z.size(); ++i)
        sum +=
            static_cast<double>(std::exp(0.5L * (losses[i] - z[i] * z[i])) * losses[i] * losses[i]);
    const double variance = sum * static_cast<double>(width) * 0.3989422804014327;
    return pair.shape == DominatingPair::Shape::antipodal ? 4.0 * variance : variance;
}

/// chi^2 of P and Q of a removal pair, 1e-12 of it left to rounding, and a bound of what is left
/// out besides as a total variation distance; infinite where it is too large to serve.
struct ChiSquare {
    double value = 0.0;
    double beyond = 0.0;
};

ChiSquare chi_square(const DominatingPair& pair) {
    const real square = pair.c * pair.c;
    if (!pair.draws) return {static_cast<double>(pair.q * pair.q * std::expm1(square)), 0.0};
    const HitMixture mixture(*pair.draws, pair.c);
    const std::vector<real>& weights = mixture.weights();
    const auto most = static_cast<real>(weights.size());
    if (most * most * square > 25.0L) return {std::numeric_limits<double>::infinity(), 0.0};
    real sum = 0.0L;
    for (std::size_t k = 0; k < weights.size(); ++k)
        for (std::size_t l = 0; l < weights.size(); ++l)
            sum +=
                weights[k] * weights[l] * std::expm1(static_cast<real>((k + 1) * (l + 1)) * square);
    return {static_cast<double>(sum), static_cast<double>(mixture.beyond())};
}

/// Upper bound of the total variation distance of one pair's repetitions.
double total_variation_of(const RepeatedLossPair& repeated) {
    const DominatingPair& pair = repeated.pair;
    const auto q = static_cast<double>(pair.q);
    const auto c = static_cast<double>(pair.is_cut() ? std::max(pair.c, pair.cut.c) : pair.c);
    const auto steps = static_cast<double>(repeated.steps);
    // One step: q TV(N(-c), N(c)) = q (2 Phi(c) - 1) for the widest shape; k hits are k shifts.
    const double hits = pair.draws ? static_cast<double>(pair.draws->batch_size) /
                                         static_cast<double>(pair.draws->dataset_size)
                                   : q;
    const double sum = 1.001 * steps * std::min(hits * c, q) + 1e-300;    // q c may underflow
    const bool one_sided = pair.shape == DominatingPair::Shape::removal;  // Q = N(0)
    const bool both = pair.shape == DominatingPair::Shape::antipodal;
    if (!(one_sided || both) || pair.is_cut() || c > 1.0) return sum;
    // Pinsker's inequality, KL <= chi^2; twice, through N(0), when both shift.
    const auto [chi, beyond] = chi_square(pair);
    const double root = 1.001 * std::sqrt(0.5 * steps * chi) + 1e-150 + 1.001 * steps * beyond;
    return std::min(sum, both ? 2.0 * root : root);
}

/// About how many windows of other losses a loss of a geometric grid meets in a doubling.
double windows_at(double spacing) {
    return 1.35 / spacing;
}

/// The number of doublings that makes both stages together cheapest for a relative error `rho` of
/// the variance of the whole composition's loss, of which this pair has the part `share`. Only the
/// cost depends on it.
int cheapest_doublings(const DominatingPair& pair, double steps, double variance, double share,
                       double rho) {
    const double scale = std::sqrt(steps * variance / share);
    const double top = std::min(widest_loss, static_cast<double>(loss_range(pair, 9.0L).highest));
    const double sides = pair.shape == DominatingPair::Shape::removal ? 1.0 : 2.0;
    const double own_rho = std::min(rho / share, 0.02);
    int best = 0;
    double least = 1e300;
    for (int doublings = 0; doublings < 50; ++doublings) {
        const double blocks = std::floor(std::ldexp(steps, -doublings));
        if (doublings > 0 && blocks < std::max(1.0, fewest_blocks * share)) break;
        if (blocks > most_blocks) continue;
        // Each block adds step^2/2 between the sides; each level spacing^2/4 of the variance.
        const double step = scale * std::sqrt(2.0 * rho / blocks);
        const double points = (15.0 * scale + sides * top) / step;
        double cost = points * (60.0 + 45.0 * (0.5 * doublings + 1.0));
        if (doublings > 0) {
            const double spacing = 2.0 * std::sqrt(own_rho / (doublings + 1.0));
            const double octaves =
                std::log(std::max(3.0, 5.0 * top / (spacing * std::sqrt(variance))));
            cost += doublings * 2.0 * sides * octaves / spacing * windows_at(spacing);
        }
        if (cost < least) {
            least = cost;
            best = doublings;
        }
    }
    return best;
}

}  // namespace

std::vector<RepeatedLoss> LossBlocks::parts() const {
    std::vector<RepeatedLoss> result;
    for (std::size_t i = 0; i < distributions.size(); ++i)
        result.push_back({&distributions[i], counts[i]});
    return result;
}

CompositionPlan::CompositionPlan(std::span<const RepeatedLossPair> pairs, Adjacency adjacency,
                                 double relative_gap)
    : adjacency_(adjacency) {
    real unsampled = 0.0L;
    for (const RepeatedLossPair& repeated : pairs) {
        const DominatingPair& pair = repeated.pair;
        if (pair.c == 0.0L) continue;
        total_variation_ += total_variation_of(repeated);
        if (pair.q == 1.0L && pair.shape == DominatingPair::Shape::removal) {
            // Gaussians compose to one Gaussian: squared shifts add.
            unsampled += static_cast<real>(repeated.steps) * pair.c * pair.c;
            continue;
        }
        entries_.push_back({pair, repeated.steps, 0, loss_variance(pair), summed_pairs(pair)});
    }
    if (unsampled > 0.0L) {
        DominatingPair gaussian;
        gaussian.c = std::sqrt(unsampled) * (1.0L + 8.0L * unit_roundoff);
        entries_.push_back({gaussian, 1, 0, static_cast<double>(unsampled), 1.0});
    }
    double square = 0.0;
    for (const Entry& entry : entries_) square += static_cast<double>(entry.steps) * entry.variance;
    scale_ = std::sqrt(square);
    for (Entry& entry : entries_) {
        // The grid serves the sum: a pair that hardly shows in it may be doubled to a single block.
        const auto steps = static_cast<double>(entry.steps);
        const double share = std::max(steps * entry.variance / square, 1e-12);
        if (entry.steps > 1)
            entry.doublings =
                cheapest_doublings(entry.pair, steps, entry.variance, share, relative_gap / 8.0);
        const auto count = static_cast<std::uint64_t>(entry.steps);
        factors_ += static_cast<double>((count >> entry.doublings) +
                                        static_cast<std::uint64_t>(std::popcount(
                                            count & ((std::uint64_t{1} << entry.doublings) - 1))));
    }
}

void CompositionPlan::neglect(double mass) {
    neglected_ = mass;
}

const DominatingPair* CompositionPlan::single() const {
    return entries_.size() == 1 && entries_.front().steps == 1 ? &entries_.front().pair : nullptr;
}

bool CompositionPlan::geometric() const {
    return std::any_of(entries_.begin(), entries_.end(),
                       [](const Entry& entry) { return entry.doublings > 0; });
}

bool CompositionPlan::symmetric() const {
    return std::all_of(entries_.begin(), entries_.end(), [](const Entry& entry) {
        const DominatingPair::Shape shape = entry.pair.shape;
        if (entry.pair.is_cut() && entry.pair.cut.shape != DominatingPair::Shape::symmetric)
            return false;
        return shape == DominatingPair::Shape::antipodal ||
               shape == DominatingPair::Shape::symmetric ||
               (shape == DominatingPair::Shape::removal && entry.pair.q == 1.0L);
    });
}

LossGrid CompositionPlan::grid_of(double step) const {
    return {.step = step, .negligible = neglected_ / factors_, .widest = widest_loss};
}

double CompositionPlan::points_of(const Entry& entry, const PldResolution& resolution) const {
    const LossRange range =
        loss_range(entry.pair, static_cast<real>(grid_of(resolution.step).deviations()));
    const double length = std::min(static_cast<double>(range.highest), widest_loss) -
                          std::max(static_cast<double>(range.lowest), -widest_loss);
    return length / resolution.step * (1.0 + 0.5 * entry.doublings);
}

double CompositionPlan::points(const PldResolution& resolution) const {
    double sum = 0.0;
    for (const Entry& entry : entries_) sum += points_of(entry, resolution);
    return sum;
}

double CompositionPlan::products_of_cells(const PldResolution& resolution) const {
    // The masses of cells are differences of normal tails; doubled blocks are merged from atoms.
    double sum = 0.0;
    for (const Entry& entry : entries_)
        sum +=
            (entry.doublings == 0 ? 1500.0 * entry.summed : 150.0) * points_of(entry, resolution);
    return sum;
}

CompositionPlan::Ends CompositionPlan::geometric_ends(const Entry& entry, double spacing) {
    // Room for some large losses, the more the more steps, on top of the spread of all the others.
    const double variance = std::ldexp(entry.variance, entry.doublings);
    // Neighbouring points must differ in their exponentials.
    const double finest = 0x1p-46 / spacing;
    const double large = 1.5 + 0.5 * entry.doublings;
    const double reach = large * static_cast<double>(loss_range(entry.pair, 12.0L).highest) +
                         20.0 * std::sqrt(variance) + variance;
    const double top = std::clamp(reach, 10.0 * finest, widest_loss);
    return {std::clamp(0.2 * spacing * std::sqrt(entry.variance), finest, 0.1 * top), top};
}

double CompositionPlan::products(const PldResolution& resolution) const {
    double sum = 0.0;
    for (const Entry& entry : entries_) {
        if (entry.doublings == 0) continue;
        const auto [floor, top] = geometric_ends(entry, resolution.spacing);
        const double places = std::log(top / floor) / resolution.spacing;
        sum += entry.doublings * 4.0 * places * windows_at(resolution.spacing);
    }
    return sum;
}

LossBlocks CompositionPlan::blocks(Direction direction, const PldResolution& resolution) const {
    const std::span<const double> step(&resolution.step, 1);
    return std::move(blocks(direction, resolution.spacing, step, cells(step)).front());
}

std::vector<PairCells> CompositionPlan::cells(std::span<const double> steps) const {
    std::vector<PairCells> cells;
    for (const Entry& entry : entries_)
        if (entry.doublings == 0)
            for (const double step : steps) cells.push_back(divide(entry.pair, grid_of(step)));
    return cells;
}

std::vector<LossBlocks> CompositionPlan::blocks(Direction direction, double spacing,
                                                std::span<const double> steps,
                                                const std::vector<PairCells>& cells) const {
    std::vector<LossBlocks> blocks(steps.size());
    const auto add = [&](const auto& losses_on, std::int64_t count) {
        for (std::size_t i = 0; i < steps.size(); ++i) {
            blocks[i].counts.push_back(count);
            blocks[i].distributions.push_back(losses_on(i));
        }
    };
    auto next = cells.begin();
    for (const Entry& entry : entries_) {
        if (entry.doublings == 0) {
            add([&](std::size_t) { return discretise(*next++, adjacency_, direction); },
                entry.steps);
            continue;
        }
        const auto [floor, top] = geometric_ends(entry, spacing);
        GeometricLossDistribution distribution(entry.pair, geometric_grid(floor, top, spacing),
                                               direction);
        const double half_doubling = 0.5 * std::ceil(std::log(2.0) / spacing);
        for (int level = 0;; ++level) {
            const bool last = level == entry.doublings;
            if (last || ((entry.steps >> level) & 1) != 0)
                add([&, atoms = distribution.atoms()](
                        std::size_t i) { return discretise(atoms, adjacency_, grid_of(steps[i])); },
                    last ? entry.steps >> level : 1);
            if (last) break;
            // The scale of the loss grows with the root of the number of steps.
            distribution = distribution.doubled(static_cast<int>(half_doubling * (level + 1)));
        }
    }
    return blocks;
}

}  // namespace assay
