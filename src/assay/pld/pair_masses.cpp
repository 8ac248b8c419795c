#include "assay/pld/pair_masses.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "assay/numeric/errors.hpp"
#include "assay/numeric/special_functions.hpp"

namespace assay {

namespace {

constexpr real infinity = std::numeric_limits<real>::infinity();

/// P(a < Z < b) > 0. Short intervals by Gauss-Legendre with four nodes, whose remainder is
/// 6e-10 (b-a)^8 max |He_8| <= 6e-10 ((b-a)(|z|+4))^8 relative; long ones by tails of one side.
real normal_mass(real a, real b) {
    if (!(a < b)) return 0.0L;
    const real width = b - a;
    const real far = std::max(std::fabs(a), std::fabs(b));
    if (width * (far + 4.0L) < 0.1L) {
        constexpr real node[] = {0.339981043584856264802665759103244687L,
                                 0.861136311594052575223946488892809505L};
        constexpr real weight[] = {0.652145154862546142626936050778000593L,
                                   0.347854845137453857373063949221999407L};
        const real middle = 0.5L * (a + b);
        const real radius = 0.5L * width;
        real sum = 0.0L;
        for (int i = 0; i < 2; ++i) {
            const real left = middle - radius * node[i];
            const real right = middle + radius * node[i];
            sum += weight[i] * (std::exp(-0.5L * left * left) + std::exp(-0.5L * right * right));
        }
        return sum * radius * 0.398942280401432677939946059934381868L;
    }
    if (a >= 0.0L) return normal_tail(a) - normal_tail(b);
    if (b <= 0.0L) return normal_tail(-b) - normal_tail(-a);
    return 1.0L - normal_tail(-a) - normal_tail(b);
}

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

/// The normal quantile at which log W = loss; W increases with it.
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
    return excess > -1.0L ? std::log1p(excess) / c + 0.5L * c : -infinity;
}

PairMass base_mass(const DominatingPair& pair, real from, real to) {
    const real unshifted = normal_mass(from, to);
    const real shifted = normal_mass(from - pair.c, to - pair.c);
    const real p = (1.0L - pair.q) * unshifted + pair.q * shifted;
    if (pair.shape != DominatingPair::Shape::antipodal) return {unshifted, p};
    return {(1.0L - pair.q) * unshifted + pair.q * normal_mass(from + pair.c, to + pair.c), p};
}

}  // namespace

std::vector<PairMass> interval_masses(const DominatingPair& pair,
                                      std::span<const real> boundaries) {
    const bool folded = pair.shape == DominatingPair::Shape::symmetric;
    std::vector<real> quantiles;
    quantiles.reserve(boundaries.size());
    for (const real boundary : boundaries)
        quantiles.push_back(quantile(pair, folded ? std::fabs(boundary) : boundary));
    std::vector<PairMass> masses;
    masses.reserve(boundaries.size());
    for (std::size_t i = 0; i + 1 < boundaries.size(); ++i) {
        if (folded && boundaries[i] < 0.0L) {
            if (boundaries[i + 1] > 0.0L)
                throw Error("an interval of a symmetric pair contains ratio 1");
            const PairMass mirrored = base_mass(pair, quantiles[i + 1], quantiles[i]);
            masses.push_back({mirrored.under_p, mirrored.under_q});
        } else {
            masses.push_back(base_mass(pair, quantiles[i], quantiles[i + 1]));
        }
    }
    return masses;
}

real mass_at_one(const DominatingPair& pair) {
    if (pair.shape != DominatingPair::Shape::symmetric) return 0.0L;
    return (1.0L - pair.q) * normal_mass(-0.5L * pair.c, 0.5L * pair.c);
}

PairDivergence pair_divergence(const DominatingPair& pair, double epsilon) {
    require(epsilon >= 0.0 && std::isfinite(epsilon), "epsilon", epsilon, "0 <= epsilon < inf");
    // p - K q >= 0 in both cases; the masses' error dominates that of the difference.
    const auto excess = [](real p, real scaled_q) {
        const real error = (p + scaled_q) * (static_cast<real>(pair_mass_error) + 0x1p-60L);
        const Enclosure value = enclose(p - scaled_q, error);
        // Tails that underflow are not nothing.
        const double least = std::numeric_limits<double>::denorm_min();
        return Enclosure{std::clamp(value.lower, 0.0, 1.0), std::clamp(value.upper, least, 1.0)};
    };
    const auto at = static_cast<real>(epsilon);
    const real above[] = {at, infinity};
    const real below[] = {-infinity, -at};
    const PairMass gain = interval_masses(pair, above).front();
    const PairMass cost = interval_masses(pair, below).front();
    const real threshold = std::exp(at);
    if (!std::isfinite(threshold)) return {{0.0, 1.0}, {0.0, 1.0}};
    return {excess(gain.under_p, threshold * gain.under_q),
            excess(cost.under_q, threshold * cost.under_p)};
}

LossRange loss_range(const DominatingPair& pair, real deviations) {
    const real q = pair.q;
    const real c = pair.c;
    // log(1 + q (e^x - 1))
    const auto log_mixture = [&](real x) {
        if (q == 1.0L) return x;
        return x > 11000.0L ? x + std::log(q) : std::log1p(q * std::expm1(x));
    };
    const auto removal = [&](real z) { return log_mixture(c * z - 0.5L * c * c); };
    const real high = c + deviations;
    switch (pair.shape) {
        case DominatingPair::Shape::removal: return {removal(-deviations), removal(high)};
        case DominatingPair::Shape::symmetric: return {-removal(high), removal(high)};
        case DominatingPair::Shape::antipodal: break;
    }
    const real top = removal(high) - log_mixture(-c * high - 0.5L * c * c);
    return {-top, top};
}

}  // namespace assay
