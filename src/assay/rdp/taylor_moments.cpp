#include "assay/rdp/taylor_moments.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "assay/numeric/errors.hpp"

namespace assay {

namespace {

constexpr int most_moments = 500000;
constexpr real infinity = std::numeric_limits<real>::infinity();
constexpr Enclosure whole_line{-std::numeric_limits<double>::infinity(),
                               std::numeric_limits<double>::infinity()};

std::size_t index(int k) {
    return static_cast<std::size_t>(k);
}

// The recurrence runs in either number type: `real` where nothing can leave its range.
real exp_as(real, real x) {
    return std::exp(x);
}
ScaledReal exp_as(const ScaledReal&, real x) {
    return ScaledReal::exp_of(x);
}
real expm1_as(real, real x) {
    return std::expm1(x);
}
ScaledReal expm1_as(const ScaledReal&, real x) {
    return scaled_expm1(x);
}
real log_of(real x) {
    return std::log(x);
}
real log_of(const ScaledReal& x) {
    return x.log();
}

/// m_k = M_k / k! for k <= last, by
///   k m_k = (u^{k-1} - 1) m_{k-1} + sum_{i>=1} (t^i / i!) (u^j m_j),  j = k-1-i.
template <class Number>
struct Recurrence {
    std::vector<Number> reduced{Number(1.0L), Number(0.0L)};   // m_k
    std::vector<Number> weighted{Number(1.0L), Number(0.0L)};  // u^j m_j
    std::vector<Number> powers{Number(1.0L)};                  // t^i / i!
    std::vector<real> decline{infinity, infinity};             // >= M_j^{-1/j} for even j
    real roundings = 0.0L;                                     // log error / unit_roundoff

    void run(real shift_squared, int last) {
        const real u = std::exp(shift_squared);
        const real t = std::expm1(shift_squared);
        // t: relative error 2u of c^2, amplified by at most 1 + c^2, and one libm call.
        const real t_roundings = 4.0L * (1.0L + shift_squared) + 16.0L;
        Number factorial(1.0L);
        reduced.reserve(index(last) + 1);
        weighted.reserve(index(last) + 1);
        decline.reserve(index(last) + 1);
        for (int k = 2; k <= last; ++k) {
            Number sum = expm1_as(Number(), static_cast<real>(k - 1) * shift_squared) *
                         reduced[index(k - 1)];
            real additions = 1.0L;
            for (int i = 1; i < k; ++i) {
                const int j = k - 1 - i;
                if (index(i) == powers.size())
                    powers.push_back(powers.back() * (t / static_cast<real>(i)));
                if (j == 1) continue;  // M_1 = 0
                const Number term = powers[index(i)] * weighted[index(j)];
                sum += term;
                additions += 1.0L;
                // B_x = E|Y-1|^x is log-convex with B_0 = 1, so B_{j-s} <= B_j B_j^{-s/j}: the next
                // terms fall at least as fast as ratio^s, and what is left out is below `term`.
                if (j < 2 || (j & 1) != 0 || !(term < sum * 0x1p-70L)) continue;
                const real ratio =
                    t * static_cast<real>(j) * decline[index(j)] / (u * static_cast<real>(i + 1));
                if (ratio < 0.5L) break;
            }
            const real j_shift = static_cast<real>(k) * shift_squared;
            reduced.push_back(sum * (1.0L / static_cast<real>(k)));
            weighted.push_back(reduced.back() * exp_as(Number(), j_shift));
            factorial = factorial * static_cast<real>(k);
            decline.push_back(decline.back());
            // M_j^{-1/j} falls with j (the chords of log B from 0 rise), so an older one will do.
            if ((k & 1) == 0 && (k < 8 || (k & 7) == 0))
                decline.back() =
                    std::exp(-log_of(reduced.back() * factorial) / static_cast<real>(k)) *
                    1.000001L;
            // Along any term the error grows by i (t_roundings + 3) from m_{k-1-i}, or by
            // 4 x + 20 for the exponential e^x, then by the additions, a division and two products.
            roundings +=
                std::max(t_roundings + 3.0L, 4.0L * j_shift + 20.0L + additions + 8.0L) + 4.0L;
        }
    }
};

/// Largest k <= highest that the recurrence has to supply.
int last_by_recurrence(real shift_squared, int highest) {
    int k = highest;
    if (shift_squared <= 0.0L) return k;
    // (k-1) c^2 - log k has one sign change on k >= 2 here: it only grows once c^2 > 1/k.
    const real reach = (50.0L + std::log(static_cast<real>(most_moments))) / shift_squared + 2.0L;
    if (reach < static_cast<real>(k)) k = static_cast<int>(reach);
    while (k >= 2 &&
           static_cast<real>(k - 1) * shift_squared > 50.0L + std::log(static_cast<real>(k)))
        --k;
    return std::max(k, std::min(highest, 1));
}

}  // namespace

real TaylorMoments::shift_squared(double noise_multiplier) {
    const real sigma = noise_multiplier;
    return 4.0L / (sigma * sigma);
}

bool TaylorMoments::is_supported(real shift_squared, int highest) {
    const auto k = static_cast<real>(highest) + 2.0L;
    return highest <= most_moments && shift_squared > 0.0L && shift_squared * k * k < 4e17L;
}

TaylorMoments::TaylorMoments(double noise_multiplier, int highest) {
    require(noise_multiplier > 0.0 && std::isfinite(noise_multiplier), "sigma", noise_multiplier,
            "sigma > 0 and finite");
    *this = of_shift_squared(shift_squared(noise_multiplier), highest);
}

TaylorMoments TaylorMoments::of_shift_squared(real shift_squared, int highest) {
    require(highest >= 0, "k", highest, "k >= 0");
    if (!is_supported(shift_squared, highest))
        throw Error("these Taylor moments lie beyond the range of extended exponents");
    const int last = last_by_recurrence(shift_squared, highest);
    TaylorMoments result;
    result.moments_.reserve(index(highest) + 1);
    real roundings = 0.0L;
    const auto take = [&](auto recurrence) {
        recurrence.run(shift_squared, last);
        ScaledReal factorial(1.0L);
        for (int k = 0; k <= std::min(last, highest); ++k) {
            if (k > 1) factorial *= static_cast<real>(k);
            result.moments_.push_back(ScaledReal(1.0L) * recurrence.reduced[index(k)] * factorial);
        }
        // k! has k roundings.
        roundings = recurrence.roundings + static_cast<real>(last) + 4.0L;
    };
    // t^{k/2} <= M_k <= 2 e^{c^2 k (k-1)/2} (even k), so every number of the recurrence has a
    // logarithm below `reach` in magnitude.
    const auto k = static_cast<real>(last + 1);
    const real reach = shift_squared * k * k + k * std::fabs(std::log(std::expm1(shift_squared))) +
                       2.0L * k * std::log(k);
    if (reach < 10000.0L)
        take(Recurrence<real>());
    else
        take(Recurrence<ScaledReal>());
    for (int order = last + 1; order <= highest; ++order) {
        // (44): terms alternate and fall by the factor l e^{-c^2 (l-1)} / (k-l+1) <= e^-50 first
        // and < 1 for ever (for l <= k/2 the fraction alone is < 1, above it the exponential
        // wins), so M_k = e^{c^2 k(k-1)/2} (1 - theta), 0 <= theta <= e^-50 < unit_roundoff.
        const real exponent =
            shift_squared * (static_cast<real>(order) * static_cast<real>(order - 1) / 2.0L);
        result.moments_.push_back(ScaledReal::exp_of(exponent));
        roundings = std::max(roundings, 6.0L * exponent + 20.0L);
    }
    // First-order counts become bounds on logarithms: |log(1 + x)| <= 1.01 |x| for |x| < 1/64; one
    // square root and one product more for B~.
    result.log_error_ = (1.02L * roundings + 20.0L) * unit_roundoff;
    return result;
}

const ScaledReal& TaylorMoments::moment(int k) const {
    require(k >= 0 && k <= highest(), "k", k, "0 <= k <= highest");
    return moments_[index(k)];
}

ScaledReal TaylorMoments::absolute_moment_bound(int j) const {
    return (j & 1) == 0 ? moment(j) : (moment(j - 1) * moment(j + 1)).sqrt();
}

Enclosure log_taylor_moment(double sigma, int k) {
    require(sigma > 0.0 && std::isfinite(sigma), "sigma", sigma, "sigma > 0 and finite");
    require(k >= 0, "k", k, "k >= 0");
    if (k == 0) return exactly(0.0);
    if (!TaylorMoments::is_supported(TaylorMoments::shift_squared(sigma), k)) return whole_line;
    const TaylorMoments moments(sigma, k);
    return log_enclosure({moments.moment(k), moments.relative_error()});
}

Enclosure log_absolute_moment_bound(double sigma, int j) {
    require(sigma > 0.0 && std::isfinite(sigma), "sigma", sigma, "sigma > 0 and finite");
    require(j >= 0, "j", j, "j >= 0");
    if (j == 0) return exactly(0.0);
    if (!TaylorMoments::is_supported(TaylorMoments::shift_squared(sigma), j)) return whole_line;
    const TaylorMoments moments(sigma, j + (j & 1));
    return log_enclosure({moments.absolute_moment_bound(j), moments.relative_error()});
}

}  // namespace assay
