#include "assay/rdp/truncated_lower_bound.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "assay/numeric/errors.hpp"
#include "assay/numeric/interruption.hpp"
#include "assay/rdp/binomial_weights.hpp"

namespace assay {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr real minus_infinity = -std::numeric_limits<real>::infinity();
constexpr Enclosure whole_line{-infinity, infinity};
constexpr std::int64_t most_updates = 2'000'000;
constexpr std::int64_t most_final_terms = 4'000'000;

/// log P and log D of all index choices with one value of n_alpha + ... + n_k, and a bound on the
/// error of both.
struct State {
    real weight = minus_infinity;
    real excess = minus_infinity;
    real error = 0.0L;
};
using Table = std::map<std::int64_t, State>;

/// log a_n for n = 0..batch and bounds on their absolute errors.
struct LogWeights {
    std::vector<real> log;
    std::vector<real> error;
};

LogWeights log_weights(std::int64_t batch, std::int64_t dataset) {
    LogWeights result;
    result.log.reserve(static_cast<std::size_t>(batch) + 1);
    result.error.reserve(static_cast<std::size_t>(batch) + 1);
    BinomialWeights weights(batch, dataset);
    while (true) {
        const real log = weights.weight().log();
        result.log.push_back(log);
        result.error.push_back(weights.log_error() + 2.0L * libm_error +
                               2.0L * std::fabs(log) * unit_roundoff);
        if (weights.n() == batch) return result;
        weights.advance();
    }
}

/// log(F_2(c, c s) - 1), F_2 - 1 = sum_n a_n expm1(c s n + B log(1 - p + p e^{c n + c s})).
LogSum innermost_excess(real c, real s, real p, const LogWeights& weights) {
    LogSum sum;
    const auto size = static_cast<real>(weights.log.size() - 1);
    const real log_p = std::log(p);
    for (std::size_t n = 0; n < weights.log.size(); ++n) {
        const auto count = static_cast<real>(n);
        const real x = c * (count + s);
        if (x == 0.0L) continue;
        // log(1 - p + p e^x) = log1p(p expm1(x)) = x + log p + log1p((1-p)/p e^-x).
        const bool moderate = x < 100.0L;
        const real z = moderate ? p * std::expm1(x) : 1.0L;
        const real log_mixture =
            moderate ? std::log1p(z) : x + log_p + std::log1p((1.0L - p) / p * std::exp(-x));
        const real y = c * s * count + size * log_mixture;
        // x carries 3 roundings, so z = p expm1(x) carries 3x + 21, log1p(z) min(1, z) times that
        // (z / (1 + z) <= min(1, z)) and its own 16; for x >= 100, x + log p carries
        // 3x + 16 |log p| <= 3x + 720. Relative to y >= B log1p(z) >= B min(1, z)/2 they are below
        // 8 min(x, 100) + 128: log(e^y - 1) takes both (its slope in y is at most 1 + 1/y).
        const real absolute =
            8.0L * c * s * count + 20.0L * y + size * std::min(1.0L, z) * (12.0L * x + 64.0L);
        const real relative = 8.0L * std::min(x, 100.0L) + 128.0L;
        const real sizes = 2.0L * (std::fabs(weights.log[n]) + y);
        sum.add(weights.log[n] + log_expm1(y),
                (absolute + relative + sizes) * unit_roundoff + weights.error[n]);
    }
    return sum;
}

/// One choice of n at a level: P' += a_n P;  D' += a_n (D e^{c s n} + P (e^{c s n} - 1)).
void choose(const State& from, real exponent, real log_a, real error_a, State& target) {
    const real weight = log_a + from.weight;
    const real excess = log_a + log_add(from.excess + exponent, from.weight + log_expm1(exponent));
    target.weight = log_add(target.weight, weight);
    target.excess = log_add(target.excess, excess);
    real size = std::max({std::fabs(target.weight), std::fabs(weight), exponent, std::fabs(log_a)});
    if (excess != minus_infinity)
        size = std::max({size, std::fabs(target.excess), std::fabs(excess)});
    // The exponent has 4 roundings (its size + 1 times through log_expm1); the additions are of
    // numbers below 3 size; log_add once inside and once on the way into the target.
    const real error =
        from.error + error_a + (20.0L * size + 16.0L) * unit_roundoff + 4.0L * libm_error;
    target.error = std::max(target.error, error) + 2.0L * libm_error + 2.0L * size * unit_roundoff;
}

/// log of the mass of T, and of 1 - mass^power.
struct Mass {
    real log_kept = 0.0L;       // power log(mass)
    real missing = 0.0L;        // 1 - mass^power
    real kept_error = 0.0L;     // absolute, of log_kept
    real missing_error = 0.0L;  // absolute
};

Mass mass_of(const std::vector<std::int64_t>& terms, const LogWeights& weights, real power) {
    LogSum kept;
    LogSum left_out;
    std::size_t next = 0;
    for (std::size_t n = 0; n < weights.log.size(); ++n) {
        const bool chosen = next < terms.size() && terms[next] == static_cast<std::int64_t>(n);
        if (chosen) ++next;
        (chosen ? kept : left_out).add(weights.log[n], weights.error[n]);
    }
    Mass result;
    if (left_out.log() == minus_infinity || power == 0.0L) return result;
    const real outside = std::exp(left_out.log());
    // 1 - m is accurate from the terms left out, m itself from those kept.
    real log_mass = kept.log();
    real log_error = kept.log_error();
    if (outside < 0.5L) {
        log_mass = std::log1p(-outside);
        log_error =
            std::fabs(log_mass) * 2.0L *
            (left_out.log_error() + 2.0L * libm_error + std::fabs(left_out.log()) * unit_roundoff);
    }
    result.log_kept = power * log_mass;
    result.missing = -std::expm1(result.log_kept);
    result.kept_error = power * log_error + 2.0L * std::fabs(result.log_kept) * unit_roundoff;
    // |d(1 - e^l)| = e^l |dl|, and 1 - e^l is at least |l| e^l.
    result.missing_error = 1.01L * std::min(1.0L, std::exp(result.log_kept)) * result.kept_error +
                           libm_error * result.missing;
    return result;
}

}  // namespace

Enclosure theorem_3_7_truncated_rdp(int order, double sigma, std::int64_t batch,
                                    std::int64_t dataset, std::vector<std::int64_t> terms) {
    require(order >= 2, "alpha", order, "an integer >= 2");
    require(sigma > 0.0 && std::isfinite(sigma), "sigma", sigma, "sigma > 0 and finite");
    require(batch >= 1, "B", static_cast<double>(batch), "an integer >= 1");
    require(dataset >= 2, "D", static_cast<double>(dataset), "an integer >= 2");
    require(!terms.empty(), "T", 0.0, "at least one index");
    for (const std::int64_t n : terms)
        require(n >= 0 && n <= batch, "T", static_cast<double>(n), "indices 0..B");
    std::sort(terms.begin(), terms.end());
    terms.erase(std::unique(terms.begin(), terms.end()), terms.end());
    if (batch >= most_final_terms) return whole_line;

    const real c = 4.0L / (static_cast<real>(sigma) * sigma);
    const LogWeights weights = log_weights(batch, dataset);
    Table table{{0, State{0.0L, minus_infinity, 0.0L}}};
    std::int64_t updates = 0;
    for (int k = order; k > 2; --k) {
        Table next;
        for (const auto& [s, state] : table) {
            allow_interruption(100 * terms.size());
            updates += static_cast<std::int64_t>(terms.size());
            if (updates > most_updates) return whole_line;
            for (const std::int64_t n : terms)
                choose(state, c * static_cast<real>(s) * static_cast<real>(n),
                       weights.log[static_cast<std::size_t>(n)],
                       weights.error[static_cast<std::size_t>(n)], next[s + n]);
        }
        table = std::move(next);
    }
    if (static_cast<std::int64_t>(table.size()) * (batch + 1) > most_final_terms) return whole_line;

    // F_T - 1 = sum_s [(P + D)(F_2(c, c s) - 1) + D] - (1 - mass^{alpha-2}).
    LogSum sum;
    const real p = 1.0L / static_cast<real>(dataset);
    for (const auto& [s, state] : table) {
        allow_interruption(100 * weights.log.size());
        const LogSum inner = innermost_excess(c, static_cast<real>(s), p, weights);
        const real both = log_add(state.weight, state.excess);
        sum.add(both + inner.log(),
                state.error + inner.log_error() + 2.0L * libm_error +
                    2.0L * (std::fabs(both) + std::fabs(inner.log())) * unit_roundoff);
        sum.add(state.excess, state.error);
    }
    const real log_sum = sum.log();
    const real log_error = sum.log_error();
    const Mass mass = mass_of(terms, weights, static_cast<real>(order - 2));
    const real divisor = static_cast<real>(order - 1);
    if (mass.missing == 0.0L) return log1p_exp_over(log_sum, log_error, divisor);
    // Near F_T = 1 the difference carries the information, elsewhere the sum F_T itself.
    const real positive = log_sum < 1.0L ? std::exp(log_sum) : 3.0L;
    const real excess = positive - mass.missing;
    if (std::fabs(excess) < 0.5L) {
        const real absolute = 1.01L * (log_error + 2.0L * libm_error) * positive +
                              mass.missing_error + unit_roundoff * std::fabs(excess);
        if (absolute < 0.125L) {
            const real value = std::log1p(excess);
            // The slope of log1p is at most 1 / (1 - 1/2 - 1/8) < 3.
            return enclose(value / divisor,
                           (3.0L * absolute + libm_error * std::fabs(value)) / divisor);
        }
    }
    const real value = log_add(log_sum, mass.log_kept);
    return enclose(value / divisor, (std::max(log_error, mass.kept_error) + 2.0L * libm_error +
                                     4.0L * std::fabs(value) * unit_roundoff) /
                                        divisor);
}

Enclosure equation_120_rdp(double order, double sigma, std::int64_t batch, std::int64_t dataset) {
    require(order > 1.0 && std::isfinite(order), "alpha", order, "alpha > 1 and finite");
    require(sigma > 0.0 && std::isfinite(sigma), "sigma", sigma, "sigma > 0 and finite");
    require(batch >= 1, "B", static_cast<double>(batch), "an integer >= 1");
    require(dataset >= 1, "D", static_cast<double>(dataset), "an integer >= 1");
    const real alpha = order;
    const auto size = static_cast<real>(batch);
    const real gain = 2.0L * size * (alpha - 1.0L) / (static_cast<real>(sigma) * sigma);
    // log B + log(1/q) = log D.
    const real loss = std::log(static_cast<real>(dataset));
    const real factor = alpha * size / (alpha - 1.0L);
    const real value = factor * (gain - loss);
    return enclose(value, factor * (8.0L * unit_roundoff * gain + 2.0L * libm_error * loss) +
                              4.0L * unit_roundoff * std::fabs(value));
}

}  // namespace assay
