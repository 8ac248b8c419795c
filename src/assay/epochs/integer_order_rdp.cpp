#include "assay/epochs/integer_order_rdp.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "assay/numeric/errors.hpp"
#include "assay/numeric/scaled_real.hpp"

namespace assay {

Enclosure balls_and_bins_integer_order_rdp(const BallsAndBins& mechanism, int order) {
    validate(mechanism);
    require(order >= 2 && order <= 256, "alpha", order, "an integer in 2 .. 256");
    const real s = mechanism.noise_multiplier;
    const auto batches = static_cast<real>(mechanism.batches_per_epoch);
    const real rate = 0.5L / (s * s);
    const auto size = static_cast<std::size_t>(order) + 1;

    // Deterministic batches are no better (convexity), and where sums would leave their range their
    // divergence alone is known.
    if (rate * static_cast<real>(order) * static_cast<real>(order) > 0x1p54L)
        return {0.0, round_up(rate * static_cast<real>(order) * (1.0L + 0x1p-60L))};
    std::vector<ScaledReal> d(size);  // [z^j] D
    ScaledReal inverse(1.0L);
    for (std::size_t j = 2; j < size; ++j) {
        const auto k = static_cast<real>(j);
        inverse /= k;
        d[j] = scaled_expm1(k * (k - 1.0L) * rate) * inverse;
    }

    // sum over m of C(T,m) sum_l a!/(a-l)! T^-l (1-m/T)^(a-l) [z^l] D^m.
    ScaledReal sum;
    ScaledReal choose(1.0L);
    std::vector<ScaledReal> power(size);
    power[0] = ScaledReal(1.0L);
    const std::int64_t most = std::min<std::int64_t>(order / 2, mechanism.batches_per_epoch);
    for (std::int64_t m = 1; m <= most; ++m) {
        const auto count = static_cast<real>(m);
        std::vector<ScaledReal> next(size);
        const auto degree = static_cast<std::size_t>(2 * m);
        for (std::size_t l = degree; l < size; ++l)
            for (std::size_t j = 2; j + degree <= l + 2; ++j) next[l] += d[j] * power[l - j];
        power.swap(next);
        choose *= ScaledReal(batches - count + 1.0L) / count;
        const real rest = 1.0L - count / batches;
        ScaledReal falling(1.0L);  // a!/(a-l)! T^-l
        for (std::size_t l = 0; l < size; ++l) {
            const auto left = static_cast<int>(size - 1 - l);
            if (l >= degree && (rest > 0.0L || left == 0))
                sum += choose * falling * power[l] *
                       (left == 0 ? ScaledReal(1.0L) : ScaledReal::exp_of(left * std::log(rest)));
            falling *= ScaledReal(static_cast<real>(left)) / batches;
        }
    }

    // A term is m factors of D with exponents at most a(a-1)/(2s^2) each, and some 4a products.
    const auto a = static_cast<real>(order);
    const real exponent = a * a * rate;
    const real relative =
        unit_roundoff * (0.5L * a * (6.0L * exponent + 3.0L * a + 40.0L) + 16.0L * a + 64.0L);
    const real low = (sum * std::max(0.0L, 1.0L - relative)).log1p() / (a - 1.0L);
    const real high = (sum * (1.0L + relative)).log1p() / (a - 1.0L);
    const real rounding = 64.0L * unit_roundoff;
    return enclose_between(low * (1.0L - rounding), high * (1.0L + rounding));
}

}  // namespace assay
