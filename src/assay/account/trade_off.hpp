#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "assay/account/bracket.hpp"
#include "assay/account/trade_off_curve.hpp"
#include "assay/privacy/release.hpp"

namespace assay {

/// A test of a level and what it can reach at most.
struct TradeOffPoint {
    double false_positive_rate = 0.0;
    Enclosure true_positive_rate;
    Enclosure type_two_error;
};

/// The smallest mu of Gaussian differential privacy, and what reporting it costs.
struct GaussianMu {
    Bracket mu;
    Bracket regret;  // of a release that is reported as that mu
    double smallest_error = 0.0;
};

/// What an attacker who knows all but one record can do with a release: the trade-off function of
/// its outputs, between certified sides on the whole of [0, 1].
///   Maths      the largest true positive rate of any test of a level, over all neighbours; the
///              conjugate of both hockey-stick profiles (docs/proofs.md, trade-off functions).
///              Exact for plain Gaussian mechanisms. Of k records: the curve applied k times, or
///              the mechanism's own bound for k records, whichever is better; below, that of one
///   Direction  lower and upper side of every number, rounding included
///   Units      rates and errors are probabilities
///   Source     dong2019 Proposition 2.12 and its converse
class TradeOff {
public:
    /// Throws  DomainError, UnsupportedMechanism
    explicit TradeOff(const Release& release, const Goal& goal = {}, std::int64_t group = 1);
    ~TradeOff();
    TradeOff(TradeOff&&) noexcept;
    TradeOff& operator=(TradeOff&&) noexcept;

    /// The largest power of any test whose false positive rate is at most this; 0 <= fpr <= 1.
    [[nodiscard]] Bracket true_positive_rate(double fpr,
                                             TestDirection direction = TestDirection::worst) const;
    /// The least type two error of any test of that level.
    [[nodiscard]] Bracket type_two_error(double fpr,
                                         TestDirection direction = TestDirection::worst) const;
    [[nodiscard]] std::vector<TradeOffPoint> points(
        std::span<const double> fprs, TestDirection direction = TestDirection::worst) const;

    /// delta at an epsilon >= 0, of the larger direction: sup over levels of TPR - e^epsilon FPR.
    [[nodiscard]] Bracket delta(double epsilon) const;
    /// The smallest epsilon where that is at most `delta`.
    [[nodiscard]] Bracket epsilon(double delta) const;
    /// The largest true positive rate less false positive rate: delta at 0.
    [[nodiscard]] Bracket advantage() const { return delta(0.0); }

    /// What a positive answer of a test of that level says at most, where the alternative has the
    /// prior probability `prior`, and how far a negative one can rule it out; 0 < prior < 1,
    /// 0 < fpr < 1.
    [[nodiscard]] Bracket positive_predictive_value(
        double fpr, double prior, TestDirection direction = TestDirection::worst) const;
    [[nodiscard]] Bracket negative_predictive_value(
        double fpr, double prior, TestDirection direction = TestDirection::worst) const;
    /// Odds of the alternative after a positive answer: prior odds times TPR / FPR.
    [[nodiscard]] Bracket posterior_odds(double fpr, double prior,
                                         TestDirection direction = TestDirection::worst) const;
    /// The smallest probability of error of any decision, where the alternative has the prior
    /// probability `prior`; 0 < prior < 1.
    [[nodiscard]] Bracket bayes_risk(double prior) const;

    /// The success of any reconstruction attack that succeeds with at most the probability
    /// `baseline` without having seen the release (balle2022, kulynych2025): the power at that
    /// level against the release without the record. No lower side but the baseline.
    [[nodiscard]] Bracket reconstruction(double baseline) const;
    /// The probability of a predicate of at most that weight which singles one of `records` records
    /// out: records times the above, and at most 1.
    [[nodiscard]] Bracket singling_out(double weight, std::int64_t records) const;

    /// The smallest mu with T(N(0,1), N(mu,1)) <= the trade-off function at all levels at which
    /// both errors are at least `smallest_error`; 0: everywhere, which for subsampled mechanisms is
    /// decided by errors far below any that can be observed.
    [[nodiscard]] GaussianMu gaussian_mu(double smallest_error = 0.0) const;
    /// How much the Bayes risk of any prior falls at most when the release is reported as
    /// mu-Gaussian private; of a group from above alone, unless its curve is a normal one.
    [[nodiscard]] Bracket regret(double mu) const;

    /// The largest distance of both sides of the true positive rate.
    [[nodiscard]] double gap() const;
    /// Whether both directions have the same curve by symmetry.
    [[nodiscard]] bool is_symmetric() const;
    [[nodiscard]] const std::string& note() const;

private:
    struct Parts;
    [[nodiscard]] Bracket mu_without_regret(double smallest_error) const;
    friend Bracket smallest_mu(const Release& release, const Goal& goal, double smallest_error,
                               std::int64_t group);
    TradeOff(const Release& release, const Goal& goal, std::int64_t group, double fpr);
    friend TradeOff trade_off_at(const Release& release, double fpr, const Goal& goal,
                                 std::int64_t group);
    std::unique_ptr<Parts> parts_;
};

/// The curve of a release.
///   Cost       about that of delta at an epsilon; several times that where a gap of 1e-6 in the
///              sup norm needs finer grids
[[nodiscard]] TradeOff trade_off(const Release& release, const Goal& goal = {});

/// The same, accurate at one level alone: cheaper, and closer there.
[[nodiscard]] TradeOff trade_off_at(const Release& release, double fpr, const Goal& goal = {},
                                    std::int64_t group = 1);

[[nodiscard]] Bracket true_positive_rate(const Release& release, double fpr, const Goal& goal = {});
[[nodiscard]] Bracket type_two_error(const Release& release, double fpr, const Goal& goal = {});
[[nodiscard]] Bracket advantage(const Release& release, const Goal& goal = {});
[[nodiscard]] GaussianMu gaussian_mu(const Release& release, const Goal& goal = {},
                                     double smallest_error = 0.0);

/// mu alone, without its regret; of most samplers at no cost where `smallest_error` is 0.
[[nodiscard]] Bracket smallest_mu(const Release& release, const Goal& goal = {},
                                  double smallest_error = 0.0, std::int64_t group = 1);

}  // namespace assay
