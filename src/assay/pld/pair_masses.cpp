#include "assay/pld/pair_masses.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "assay/numeric/bisect.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/numeric/interruption.hpp"
#include "assay/pld/hit_mixture.hpp"
#include "assay/pld/largest_pair.hpp"
#include "assay/pld/normal_mass.hpp"

namespace assay {

namespace {

constexpr real infinity = std::numeric_limits<real>::infinity();

/// asinh(e^x); beyond 40 it is x + log 2 to 2^-115.
real asinh_exp(real x) {
    return x > 40.0L ? x + std::numbers::ln2_v<real> : std::asinh(std::exp(x));
}

/// The normal quantile at which log W = loss >= 0 of the antipodal pair. With y = e^{cz} that is
/// s' y^2 + (1-q)(1-e^l) y - e^l s' = 0, s' = q e^{-c^2/2}, whose positive root is
/// e^{l/2 + asinh(h/s)}, h = (1-q)(e^l - 1)/2 and s = q e^{l/2 - c^2/2}. h/s stays a logarithm,
/// since e^{-c^2/2} leaves the range of numbers where there is little noise.
real antipodal_quantile(real q, real c, real loss) {
    if (loss == 0.0L) return 0.0L;
    const real log_excess = loss + std::log(-std::expm1(-loss));  // log(e^l - 1)
    const real log_ratio = std::log1p(-q) + log_excess - std::numbers::ln2_v<real> - std::log(q) -
                           0.5L * loss + 0.5L * c * c;
    return (0.5L * loss + asinh_exp(log_ratio)) / c;
}

/// The normal quantile at which log W = loss, of a removal or antipodal pair without draws; W
/// increases with it.
real quantile(const DominatingPair& pair, real loss) {
    if (std::isinf(loss)) return loss;
    const real q = pair.q;
    const real c = pair.c;
    if (pair.shape == DominatingPair::Shape::antipodal)
        return std::copysign(antipodal_quantile(q, c, std::fabs(loss)), loss);
    if (q == 1.0L) return loss / c + 0.5L * c;
    if (loss < -1.0L) {  // e^l - 1 has lost the digits of e^l
        const real part = (std::exp(loss) - (1.0L - q)) / q;
        return part > 0.0L ? std::log(part) / c + 0.5L * c : -infinity;
    }
    const real excess = std::expm1(loss) / q;
    // Where e^loss / q leaves the range of numbers, 1 does not count beside it.
    if (std::isinf(excess)) return (loss - std::log(q)) / c + 0.5L * c;
    return excess > -1.0L ? std::log1p(excess) / c + 0.5L * c : -infinity;
}

bool is_folded(const DominatingPair& pair) {
    return pair.shape == DominatingPair::Shape::symmetric ||
           pair.shape == DominatingPair::Shape::null_record;
}

/// The two halves of a folded pair without draws: the ratio above 1, from a quantile on, and the
/// one whose mirror image lies below 1.
struct Halves {
    DominatingPair above;
    DominatingPair below;
    real cut = -infinity;
};

/// The quantile at which N(c) is as far above N(0) as N(c/2) is in all: P(-z < Z < c-z) there is
/// P(-c/4 < Z < c/4).
real cut_of_null_record(real c) {
    allow_interruption(16'000);
    const real whole = normal_mass(-0.25L * c, 0.25L * c);
    real high = 0.5L * c + 2.0L + 0.5L * c;
    while (normal_mass(-high, c - high) > whole) high += 0.5L * c + 1.0L;
    return bisect(
               0.5L * c, high, 0.0L, [&](real at) { return !(normal_mass(-at, c - at) > whole); },
               80)
        .low;
}

Halves halves_of(const DominatingPair& pair) {
    Halves halves{pair, pair, -infinity};
    halves.above.shape = halves.below.shape = DominatingPair::Shape::removal;
    if (pair.shape == DominatingPair::Shape::null_record) {
        halves.below.c = 0.5L * pair.c;
        halves.cut = cut_of_null_record(pair.c);
    }
    return halves;
}

/// What a shift of the density by c (antipodal: from -c to c) brings in at the boundary x. The
/// width is not formed from two places.
real mass_passed(bool antipodal, real c, real x) {
    if (std::isinf(x)) return 0.0L;
    return antipodal ? normal_mass(-c, c, -x) : normal_mass(-0.5L * c, 0.5L * c, 0.5L * c - x);
}

PairMass base_mass(const DominatingPair& pair, real from, real to) {
    const real unshifted = normal_mass(from, to);
    const real shifted = normal_mass(from, to, pair.c);
    const real p = (1.0L - pair.q) * unshifted + pair.q * shifted;
    const bool antipodal = pair.shape == DominatingPair::Shape::antipodal;
    const real other = antipodal ? normal_mass(from, to, -pair.c) : unshifted;
    const real q = antipodal ? (1.0L - pair.q) * unshifted + pair.q * other : unshifted;
    // The difference of both masses would keep few digits of a shift far below the cell.
    if (64.0L * pair.c < to - from) {
        const real in = mass_passed(antipodal, pair.c, from);
        const real out = mass_passed(antipodal, pair.c, to);
        return {q, p, pair.q * (in - out), pair.q * (in + out)};
    }
    return {q, p, pair.q * (shifted - other), pair.q * (shifted + other)};
}

/// Where no better is known: the difference of the masses.
PairMass with_excess(real under_q, real under_p) {
    return {under_q, under_p, under_p - under_q, under_p + under_q};
}

PairMass mirror(const PairMass& mass) {
    return {mass.under_p, mass.under_q, -mass.excess, mass.moved};
}

void add(PairMass& sum, real weight, const PairMass& mass) {
    sum.under_q += weight * mass.under_q;
    sum.under_p += weight * mass.under_p;
    sum.excess += weight * mass.excess;
    sum.moved += weight * mass.moved;
}

/// The masses of a pair that is its own mirror image, Q for P and -loss for loss: where the
/// boundaries are as well, those above 0 and their mirror images.
template <typename Masses>
std::vector<PairMass> mirrored_masses(std::span<const real> boundaries, const Masses& masses) {
    const std::size_t half = boundaries.size() / 2;
    bool symmetric = boundaries.size() % 2 == 1;
    for (std::size_t i = 0; symmetric && i <= half; ++i)
        symmetric = boundaries[i] == -boundaries[boundaries.size() - 1 - i];
    if (!symmetric) return masses(boundaries);
    const std::vector<PairMass> above = masses(boundaries.subspan(half));
    std::vector<PairMass> both;
    both.reserve(2 * half);
    for (std::size_t i = half; i-- > 0;) both.push_back(mirror(above[i]));
    both.insert(both.end(), above.begin(), above.end());
    return both;
}

std::vector<PairMass> monotone_masses(const DominatingPair& pair,
                                      std::span<const real> boundaries) {
    std::vector<PairMass> masses;
    masses.reserve(boundaries.size());
    real from = quantile(pair, boundaries.front());
    for (std::size_t i = 1; i < boundaries.size(); ++i) {
        allow_interruption(500);
        const real to = quantile(pair, boundaries[i]);
        masses.push_back(base_mass(pair, from, to));
        from = to;
    }
    return masses;
}

/// Where the ratio of a halved pair equals e^loss, on the branch where it falls with z and on the
/// one where it rises. With y = e^{cz/2}, t = e^loss it is the larger or smaller root of
/// q e^{-c^2/2} y^2 - t q e^{-c^2/8} y + (1-q)(1-t) = 0.
class HalvedQuantiles {
public:
    HalvedQuantiles(real q, real c)
        : c_(c), log_share_(std::log(4.0L) + std::log1p(-q) - std::log(q) - 0.25L * c * c) {
        // The least ratio t has h(t) = 1: t^2 = e^share (1 - t).
        const real least = 2.0L / (1.0L + std::sqrt(1.0L + 4.0L * std::exp(-log_share_)));
        lowest_ = place(std::log(least), 1.0L);
    }
    [[nodiscard]] real falling(real loss) const {
        if (loss >= 0.0L) return -infinity;
        const real share = share_of(loss);
        return share >= 1.0L
                   ? lowest_
                   : std::min(lowest_, place(loss, share / (1.0L + std::sqrt(1.0L - share))));
    }
    [[nodiscard]] real rising(real loss) const {
        if (loss == infinity) return infinity;
        const real share = share_of(loss);
        return share >= 1.0L ? lowest_
                             : std::max(lowest_, place(loss, 1.0L + std::sqrt(1.0L - share)));
    }

private:
    /// h(t) = 4 (1-q) (1-t) e^{-c^2/4} / (q t^2).
    [[nodiscard]] real share_of(real loss) const {
        if (loss == -infinity) return infinity;
        const real part = std::exp(log_share_ - 2.0L * loss + std::max(loss, 0.0L));
        return loss > 0.0L ? part * std::expm1(-loss) : -part * std::expm1(loss);
    }
    /// y = t e^{3c^2/8} root / 2.
    [[nodiscard]] real place(real loss, real root) const {
        return (2.0L * (loss - std::numbers::ln2_v<real> + std::log(root)) + 0.75L * c_ * c_) / c_;
    }

    real c_;
    real log_share_;
    real lowest_ = 0.0L;
};

std::vector<PairMass> halved_masses(const DominatingPair& pair, std::span<const real> boundaries) {
    const HalvedQuantiles quantiles(pair.q, pair.c);
    const auto mass = [&](real from, real to, real mean) {
        return (1.0L - pair.q) * normal_mass(from, to) + pair.q * normal_mass(from, to, mean);
    };
    std::vector<PairMass> masses;
    masses.reserve(boundaries.size());
    real rising = quantiles.rising(boundaries.front());
    real falling = quantiles.falling(boundaries.front());
    for (std::size_t i = 1; i < boundaries.size(); ++i) {
        allow_interruption(800);
        const real up = quantiles.rising(boundaries[i]);
        const real down = quantiles.falling(boundaries[i]);
        const auto of = [&](real mean) {
            return mass(rising, up, mean) + mass(down, falling, mean);
        };
        masses.push_back(with_excess(of(0.5L * pair.c), of(pair.c)));
        rising = up;
        falling = down;
    }
    return masses;
}

std::vector<PairMass> largest_masses(const LargestPair& pair, std::span<const real> boundaries) {
    std::vector<PairMass> masses;
    masses.reserve(boundaries.size());
    real from = pair.quantile(boundaries.front());
    for (std::size_t i = 1; i < boundaries.size(); ++i) {
        allow_interruption(4000);
        const real to = std::max(from, pair.quantile(boundaries[i]));
        const PairMass mass = pair.mass(from, to);
        masses.push_back(with_excess(mass.under_q, mass.under_p));
        from = to;
    }
    return masses;
}

std::vector<PairMass> hit_masses(const HitMixture& mixture, std::span<const real> boundaries) {
    std::vector<PairMass> masses;
    masses.reserve(boundaries.size());
    real from = mixture.quantile(boundaries.front(), infinity);
    for (std::size_t i = 1; i < boundaries.size(); ++i) {
        allow_interruption(static_cast<std::uint64_t>(80 * mixture.weights().size()));
        const real to = std::max(from, mixture.quantile(boundaries[i], from));
        masses.push_back(with_excess(normal_mass(from, to), mixture.mass(from, to)));
        from = to;
    }
    return masses;
}

std::vector<PairMass> folded_masses(const DominatingPair& pair, std::span<const real> boundaries) {
    const Halves halves = halves_of(pair);
    std::vector<PairMass> masses;
    masses.reserve(boundaries.size());
    const auto place = [&](real boundary) {
        return boundary < 0.0L ? quantile(halves.below, -boundary)
                               : std::max(quantile(halves.above, boundary), halves.cut);
    };
    real from = place(boundaries.front());
    for (std::size_t i = 1; i < boundaries.size(); ++i) {
        allow_interruption(800);
        if (boundaries[i - 1] < 0.0L && boundaries[i] > 0.0L)
            throw Error("an interval of a folded pair contains ratio 1");
        real to = place(boundaries[i]);
        if (boundaries[i - 1] < 0.0L) {
            const real end = boundaries[i] == 0.0L ? quantile(halves.below, 0.0L) : to;
            masses.push_back(mirror(base_mass(halves.below, end, from)));
        } else {
            masses.push_back(base_mass(halves.above, from, to));
        }
        from = to;
    }
    return masses;
}

/// The pairs that a folded pair with draws tells apart, with their probabilities, and the
/// probability of the rest.
struct Told {
    std::vector<DominatingPair> pairs;
    std::vector<real> weights;
    real beyond = 0.0L;
};

Told told_pairs(const DominatingPair& pair) {
    const HitMixture mixture(*pair.draws, pair.c);
    Told told;
    told.beyond = mixture.beyond() / mixture.hit_probability();
    DominatingPair one = pair;
    one.draws.reset();
    one.q = mixture.hit_probability();
    for (std::size_t i = 0; i < mixture.weights().size(); ++i) {
        one.c = static_cast<real>(i + 1) * pair.c;
        told.pairs.push_back(one);
        told.weights.push_back(mixture.weights()[i] / mixture.hit_probability());
    }
    return told;
}

/// What a pair is when its batch is cut, and when it is not.
struct Branches {
    DominatingPair uncut;
    DominatingPair cut;
};

Branches branches_of(const DominatingPair& pair) {
    Branches branches{pair, pair};
    branches.uncut.cut = {};
    branches.cut.cut = {};
    branches.cut.shape = pair.cut.shape;
    branches.cut.c = pair.cut.c;
    return branches;
}

/// log(1 + q (e^x - 1))
real log_mixture(real q, real x) {
    if (q == 1.0L) return x;
    return x > 11000.0L ? x + std::log(q) : std::log1p(q * std::expm1(x));
}

}  // namespace

std::vector<PairMass> interval_masses(const DominatingPair& pair,
                                      std::span<const real> boundaries) {
    if (pair.is_cut()) {
        const Branches branches = branches_of(pair);
        std::vector<PairMass> masses = interval_masses(branches.uncut, boundaries);
        const std::vector<PairMass> cut = interval_masses(branches.cut, boundaries);
        const real p = pair.cut.probability;
        for (std::size_t i = 0; i < masses.size(); ++i) {
            PairMass both;
            add(both, 1.0L - p, masses[i]);
            add(both, p, cut[i]);
            masses[i] = both;
        }
        return masses;
    }
    if (pair.shape == DominatingPair::Shape::largest)
        return largest_masses(LargestPair(pair.c, pair.batches), boundaries);
    if (pair.shape == DominatingPair::Shape::halved) return halved_masses(pair, boundaries);
    if (!pair.draws) {
        const auto masses = [&](std::span<const real> part) {
            return is_folded(pair) ? folded_masses(pair, part) : monotone_masses(pair, part);
        };
        const bool own_mirror_image = pair.shape == DominatingPair::Shape::symmetric ||
                                      pair.shape == DominatingPair::Shape::antipodal;
        return own_mirror_image ? mirrored_masses(boundaries, masses) : masses(boundaries);
    }
    if (!is_folded(pair)) return hit_masses(HitMixture(*pair.draws, pair.c), boundaries);
    const Told told = told_pairs(pair);
    std::vector<PairMass> masses(boundaries.size() - 1);
    for (std::size_t k = 0; k < told.pairs.size(); ++k) {
        const std::vector<PairMass> part = interval_masses(told.pairs[k], boundaries);
        for (std::size_t i = 0; i < masses.size(); ++i) add(masses[i], told.weights[k], part[i]);
    }
    return masses;
}

double summed_pairs(const DominatingPair& pair) {
    if (pair.is_cut()) return 2.0;
    if (pair.shape == DominatingPair::Shape::largest) return 10.0;  // quadratures and searches
    if (!pair.draws) return 1.0;
    const auto hits = static_cast<double>(HitMixture(*pair.draws, pair.c).weights().size());
    // One quantile serves all hits that are not told.
    return is_folded(pair) ? hits : std::max(1.0, hits / 8.0);
}

real mass_at_one(const DominatingPair& pair) {
    if (pair.is_cut()) return pair.cut.probability * mass_at_one(branches_of(pair).cut);
    if (!is_folded(pair)) return 0.0L;
    if (pair.draws) {
        const Told told = told_pairs(pair);
        real mass = 0.0L;
        for (std::size_t k = 0; k < told.pairs.size(); ++k)
            mass += told.weights[k] * mass_at_one(told.pairs[k]);
        return mass;
    }
    const Halves halves = halves_of(pair);
    const real end = 0.5L * halves.below.c;
    const real start = std::max(0.5L * pair.c, halves.cut);
    return (1.0L - pair.q) * normal_mass(-end, start) + pair.q * normal_mass(end, start);
}

PairMass mass_beyond(const DominatingPair& pair) {
    if (pair.shape == DominatingPair::Shape::largest) {
        const real outside = LargestPair(pair.c, pair.batches).outside();
        return {outside, outside};
    }
    if (!pair.draws) return {};
    const HitMixture mixture(*pair.draws, pair.c);
    if (!is_folded(pair)) return {0.0L, mixture.beyond()};
    const real told = 1.01L * mixture.beyond() / mixture.hit_probability();
    return {told, told};
}

PairDivergence pair_divergence(const DominatingPair& pair, double epsilon) {
    require(epsilon >= 0.0 && std::isfinite(epsilon), "epsilon", epsilon, "0 <= epsilon < inf");
    // p - K q >= 0 in both cases; the masses' error dominates that of the difference.
    const auto at = static_cast<real>(epsilon);
    const real threshold = std::exp(at);
    const auto excess = [&](real p, real q, real beyond) {
        const real scaled_q = threshold * q;
        real error = (p + scaled_q) * (static_cast<real>(pair_mass_error) + 0x1p-60L);
        // Subnormal masses have lost digits, and those that underflow are not nothing.
        constexpr real least_normal = std::numeric_limits<real>::min();
        if (q < least_normal) error += 2.0L * threshold * least_normal;
        Enclosure value = enclose(p - scaled_q, error);
        if (beyond > 0.0L) value.upper = enclose(p - scaled_q + beyond, error).upper;
        return Enclosure{std::clamp(value.lower, 0.0, 1.0), std::clamp(value.upper, 0.0, 1.0)};
    };
    const real above[] = {at, infinity};
    const real below[] = {-infinity, -at};
    const PairMass gain = interval_masses(pair, above).front();
    const PairMass cost = interval_masses(pair, below).front();
    const PairMass beyond = mass_beyond(pair);
    if (!std::isfinite(threshold)) return {{0.0, 1.0}, {0.0, 1.0}};
    return {excess(gain.under_p, gain.under_q, beyond.under_p),
            excess(cost.under_q, cost.under_p, beyond.under_q)};
}

LossRange loss_range(const DominatingPair& pair, real deviations) {
    if (pair.is_cut()) {
        const Branches branches = branches_of(pair);
        const LossRange uncut = loss_range(branches.uncut, deviations);
        const real square =
            deviations * deviations + 2.0L * std::log(std::max(pair.cut.probability, 1e-4000L));
        if (square <= 0.0L) return uncut;
        const LossRange cut = loss_range(branches.cut, std::sqrt(square));
        return {std::min(uncut.lowest, cut.lowest), std::max(uncut.highest, cut.highest)};
    }
    const real q = pair.q;
    const real c = pair.c;
    if (pair.shape == DominatingPair::Shape::largest) {
        const LargestPair largest(pair.c, pair.batches);
        return {largest.log_ratio(largest.low(deviations)),
                largest.log_ratio(largest.high(deviations))};
    }
    if (pair.draws && is_folded(pair)) {
        LossRange widest;
        const Told told = told_pairs(pair);
        for (std::size_t k = 0; k < told.pairs.size(); ++k) {
            const real square = deviations * deviations + 2.0L * std::log(told.weights[k]);
            if (k > 0 && square <= 0.0L) break;
            const LossRange one = loss_range(told.pairs[k], std::sqrt(std::max(square, 0.0L)));
            widest = {std::min(widest.lowest, one.lowest), std::max(widest.highest, one.highest)};
        }
        return widest;
    }
    const real ends[] = {-deviations, highest_quantile(pair, deviations)};
    const std::vector<real> loss = log_ratios(pair, ends);
    switch (pair.shape) {
        case DominatingPair::Shape::removal: return {loss[0], loss[1]};
        case DominatingPair::Shape::halved: return {std::log1p(-q), loss[1]};
        case DominatingPair::Shape::symmetric: return {-loss[1], loss[1]};
        case DominatingPair::Shape::null_record:
            return {-log_mixture(q, 0.5L * c * (0.5L * c + deviations) - 0.125L * c * c), loss[1]};
        case DominatingPair::Shape::largest:
        case DominatingPair::Shape::antipodal: break;
    }
    const real top = loss[1] - log_mixture(q, -c * ends[1] - 0.5L * c * c);
    return {-top, top};
}

std::vector<real> log_ratios(const DominatingPair& pair, std::span<const real> quantiles) {
    std::vector<real> losses;
    losses.reserve(quantiles.size());
    if (pair.draws) {
        const HitMixture mixture(*pair.draws, pair.c);
        for (const real z : quantiles) losses.push_back(std::log(mixture.ratio(z)));
    } else {
        for (const real z : quantiles)
            losses.push_back(log_mixture(pair.q, pair.c * z - 0.5L * pair.c * pair.c));
    }
    return losses;
}

real highest_quantile(const DominatingPair& pair, real deviations) {
    return pair.draws ? HitMixture(*pair.draws, pair.c).highest(deviations) : pair.c + deviations;
}

}  // namespace assay
