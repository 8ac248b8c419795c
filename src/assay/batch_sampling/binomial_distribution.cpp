#include "assay/batch_sampling/binomial_distribution.hpp"

#include <algorithm>
#include <array>
#include <boost/math/special_functions/gamma.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <cstddef>

#include "assay/numeric/directed.hpp"
#include "assay/numeric/errors.hpp"

namespace assay {

namespace {

using Precise = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<100>,
                                              boost::multiprecision::et_off>;

/// Outcomes in the order m, m+1, m-1, m+2, .., and their probabilities by the ratio of neighbours.
template <class Real>
class Outward {
public:
    Outward(std::int64_t trials, std::int64_t mode, const Real& odds, const Real& at_mode)
        : trials_(trials),
          above_(mode),
          below_(mode),
          outcome_(mode),
          odds_(odds),
          up_(at_mode),
          down_(at_mode) {}

    [[nodiscard]] bool is_at_end() const { return above_ == trials_ && below_ == 0; }
    [[nodiscard]] std::int64_t outcome() const { return outcome_; }
    /// Goes to the next outcome; its probability.
    const Real& next() {
        const bool goes_up = (is_up_next_ && above_ < trials_) || below_ == 0;
        is_up_next_ = !is_up_next_;
        if (goes_up) {
            up_ *= odds_ * Real(trials_ - above_) / Real(above_ + 1);
            outcome_ = ++above_;
            return up_;
        }
        down_ *= Real(below_) / (odds_ * Real(trials_ - below_ + 1));
        outcome_ = --below_;
        return down_;
    }

private:
    std::int64_t trials_;
    std::int64_t above_;
    std::int64_t below_;
    std::int64_t outcome_;
    bool is_up_next_ = true;
    Real odds_;
    Real up_;
    Real down_;
};

}  // namespace

BinomialDistribution::BinomialDistribution(std::int64_t trials, double numerator,
                                           double denominator)
    : trials_(trials), numerator_(numerator), denominator_(denominator), mode_(0) {
    require(trials >= 0 && trials < (std::int64_t{1} << 32U), "trials", static_cast<double>(trials),
            "0 <= trials < 2^32");
    require(denominator > 0.0 && std::isfinite(denominator) && numerator >= 0.0 &&
                numerator <= denominator,
            "probability", numerator / denominator, "0 <= p <= 1");
    if (numerator == 0.0 || trials == 0) return;
    if (numerator == denominator) {
        mode_ = trials;
        return;
    }
    const real p = static_cast<real>(numerator) / denominator;
    const real complement = static_cast<real>(denominator) - numerator;
    const real q = complement / denominator;
    const auto n = static_cast<real>(trials);
    mode_ = std::min(trials, static_cast<std::int64_t>(std::floor((n + 1) * p)));
    const auto m = static_cast<real>(mode_);
    const std::array<real, 5> parts{lgammal(n + 1), -lgammal(m + 1), -lgammal(n - m + 1),
                                    m * std::log(p), (n - m) * std::log(q)};
    real log_probability = 0.0L;
    real magnitude = 1.0L;
    for (const real part : parts) {
        log_probability += part;
        magnitude += std::fabs(part);
    }
    mode_probability_ = std::exp(log_probability);
    odds_ = numerator / complement;
    // lgamma, log: 16u of each part; rounding of p, q: 2u times m, n - m; sums 4u; exp 16u + |x| u.
    relative_error_ = 32 * unit_roundoff * (magnitude + n + 1);
}

std::optional<std::int64_t> BinomialDistribution::quick_outcome(std::uint64_t word) const {
    const auto u = static_cast<real>(word) * 0x1p-64L;
    Outward<real> terms(trials_, mode_, odds_, mode_probability_);
    real cumulated = mode_probability_;
    real error = relative_error_ + 8 * unit_roundoff;
    // All of [u, u + 2^-64] on one side of the boundary, wherever that is within its error.
    while (u + 0x1p-64L >= cumulated - cumulated * error) {
        if (u <= cumulated + cumulated * error || terms.is_at_end()) return std::nullopt;
        cumulated += terms.next();
        error += 8 * unit_roundoff;  // at most six roundings a term and one of the sum
    }
    return terms.outcome();
}

std::int64_t BinomialDistribution::precise_outcome(
    const std::array<std::uint64_t, 3>& words) const {
    const Precise n = trials_;
    const Precise m = mode_;
    const Precise p = Precise(numerator_) / Precise(denominator_);
    const Precise q = (Precise(denominator_) - Precise(numerator_)) / Precise(denominator_);
    using boost::math::lgamma;
    Precise u = 0;
    for (std::size_t i = words.size(); i-- > 0;) u = (u + Precise(words[i])) * Precise(0x1p-64);
    Precise cumulated = exp(lgamma(Precise(n + 1)) - lgamma(Precise(m + 1)) -
                            lgamma(Precise(n - m + 1)) + m * log(p) + (n - m) * log(q));
    Outward<Precise> terms(trials_, mode_, p / q, cumulated);
    // Outcomes beyond the resolution of U share what is left.
    Precise before = cumulated;  // the last terms of the two sides
    Precise term = cumulated;
    while (u >= cumulated && !terms.is_at_end() && before + term > 0x1p-300) {
        before = term;
        term = terms.next();
        cumulated += term;
    }
    return terms.outcome();
}

std::int64_t BinomialDistribution::draw(RandomStream& stream) const {
    if (mode_probability_ == 0.0L) return mode_;  // p is 0 or 1, or there are no trials
    const std::uint64_t word = stream.bits();
    const std::optional<std::int64_t> outcome = quick_outcome(word);
    if (outcome) return *outcome;
    const std::uint64_t second = stream.bits();
    const std::uint64_t third = stream.bits();
    return precise_outcome({word, second, third});
}

}  // namespace assay
