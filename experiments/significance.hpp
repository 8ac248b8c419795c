#pragma once
#include <span>
#include <string>
#include <vector>

#include "experiments/claims.hpp"

/// Tests of hypotheses, for claims about results that vary from run to run.
namespace assay::experiments {

/// What a claim is held against: its statement has to be significant at this level, and so has its
/// contrary.
inline constexpr double significance_level = 0.01;

/// Mean and standard deviation of a sample (over n - 1; 0 for one value).
struct Spread {
    double mean = 0.0;
    double deviation = 0.0;
};
[[nodiscard]] Spread spread_of(std::span<const double> values);

/// One-sided p-value of "the first has the larger mean" by Welch's t test; 1/2 where neither
/// varies and both are equal.
///   Domain     at least two values each
[[nodiscard]] double welch_p_value(std::span<const double> larger, std::span<const double> smaller);

/// The same for pairs that have something in common (a seed, hence noise): the t test of their
/// differences.
///   Domain     two lists of one size, at least two
[[nodiscard]] double paired_p_value(std::span<const double> larger,
                                    std::span<const double> smaller);

/// How far the first of a pair is ahead of the second in the mean, by paired t tests, and whether
/// both are equivalent: closer to each other than a margin.
struct PairedLead {
    double mean = 0.0;
    double standard_error = 0.0;
    double p_ahead = 0.5;  ///< one-sided, against "not ahead"
    double p_equivalent =
        1.0;            ///< the larger of two one-sided tests, against "margin or more apart"
    double seen = 0.0;  ///< the lead that is seen at p < 0.05 with a power of 80 %

    [[nodiscard]] bool is_ahead() const { return p_ahead < 0.05; }
    [[nodiscard]] bool is_behind() const { return p_ahead > 0.95; }
    [[nodiscard]] bool is_equivalent() const { return p_equivalent < 0.05; }
};
///   Domain     two lists of one size, at least two; margin > 0
[[nodiscard]] PairedLead paired_lead(std::span<const double> first, std::span<const double> second,
                                     double margin);

/// How many pairs see a lead of `margin` at p < 0.05 with a power of 80 %, planned from these by
/// the normal approximation, rounded up to tens.
[[nodiscard]] int planned_pairs(const PairedLead& pilot, std::size_t pairs, double margin);

/// Paired comparison by the sign test: how often the first of a pair is smaller, how often larger.
/// Ties are left out.
struct SignTest {
    int smaller = 0;
    int larger = 0;

    void add(double first, double second);
    void add(std::span<const double> first, std::span<const double> second);

    /// No pair differed.
    [[nodiscard]] bool is_empty() const { return smaller + larger == 0; }
    /// Two-sided: Pr of a split as uneven when both are equally likely the smaller; 1 where empty.
    [[nodiscard]] double p_value() const;
    /// "30:10 (p = 0.002)".
    [[nodiscard]] std::string text() const;
};

/// The verdict on "the first is smaller in every one of these comparisons": `reproduced` where each
/// is so at the significance level, `differs` where one is the other way round at that level over
/// their number, or where no pair of it differed; `undecidable` without comparisons.
[[nodiscard]] Verdict all_smaller(std::span<const SignTest> tests);

/// A geometric mean and whether it is below a bound, by the t test of the logarithms.
struct RatioTest {
    double geometric_mean = 1.0;
    double p_below = 0.5;  ///< one-sided, against "no smaller than the bound"
    double p_above = 0.5;

    /// "1.15 (p = 0.001)", the p-value being that of the side on which it is.
    [[nodiscard]] std::string text() const;
};
/// Domain: at least two ratios > 0, independent of each other.
[[nodiscard]] RatioTest ratio_test(std::span<const double> ratios, double bound);

/// The verdict on "every one is below the bound", as for all_smaller().
[[nodiscard]] Verdict all_below(std::span<const RatioTest> tests);

/// A trend over repetitions: each has its least-squares slope, and the slopes their t test against
/// 0.
struct TrendTest {
    double slope = 0.0;  ///< mean over the repetitions
    double p_falls = 0.5;
    double p_rises = 0.5;

    /// "-0.12 (p = 0.001)", the p-value being that of the side on which it is.
    [[nodiscard]] std::string text() const;
};
/// `repetitions` hold one value a point each.
///   Domain     at least two points that differ, and at least two independent repetitions
[[nodiscard]] TrendTest trend_test(std::span<const double> points,
                                   std::span<const std::vector<double>> repetitions);

/// The verdict on "every one falls" (or "rises"), as for all_smaller().
[[nodiscard]] Verdict all_falling(std::span<const TrendTest> tests);
[[nodiscard]] Verdict all_rising(std::span<const TrendTest> tests);

}  // namespace assay::experiments
