#include "experiments/significance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <vector>

#include "assay/numeric/errors.hpp"

namespace assay::experiments {

namespace {

/// Standard errors of a lead that is seen at one-sided p < 0.05 with a power of 80 %: the normal
/// quantiles at 0.95 and 0.8.
constexpr double seen_with_power = 1.6449 + 0.8416;

/// From what is significant for the statement, and for its contrary, in each of the comparisons.
template <class Tests, class Holds, class Fails>
Verdict verdict_of_all(const Tests& tests, const Holds& holds, const Fails& fails) {
    if (tests.empty()) return Verdict::undecidable;
    const double level = significance_level / static_cast<double>(tests.size());
    if (std::ranges::any_of(tests, [&](const auto& test) { return fails(test, level); }))
        return Verdict::differs;
    return std::ranges::all_of(tests, holds) ? Verdict::reproduced : Verdict::undecidable;
}

}  // namespace

Spread spread_of(std::span<const double> values) {
    const auto count = static_cast<double>(values.size());
    Spread spread;
    for (const double x : values) spread.mean += x / count;
    double squares = 0.0;
    for (const double x : values) squares += (x - spread.mean) * (x - spread.mean);
    spread.deviation = values.size() > 1 ? std::sqrt(squares / (count - 1.0)) : 0.0;
    return spread;
}

double welch_p_value(std::span<const double> larger, std::span<const double> smaller) {
    require(larger.size() >= 2 && smaller.size() >= 2, "values",
            static_cast<double>(std::min(larger.size(), smaller.size())), "at least two each");
    const Spread a = spread_of(larger);
    const Spread b = spread_of(smaller);
    const double va = a.deviation * a.deviation / static_cast<double>(larger.size());
    const double vb = b.deviation * b.deviation / static_cast<double>(smaller.size());
    if (va + vb == 0.0) return a.mean == b.mean ? 0.5 : a.mean > b.mean ? 0.0 : 1.0;
    const double t = (a.mean - b.mean) / std::sqrt(va + vb);
    const double freedom = (va + vb) * (va + vb) /
                           (va * va / static_cast<double>(larger.size() - 1) +
                            vb * vb / static_cast<double>(smaller.size() - 1));
    return boost::math::cdf(
        boost::math::complement(boost::math::students_t_distribution<double>(freedom), t));
}

double paired_p_value(std::span<const double> larger, std::span<const double> smaller) {
    require(larger.size() == smaller.size() && larger.size() >= 2, "values",
            static_cast<double>(larger.size()), "two lists of one size, at least two");
    std::vector<double> differences;
    for (std::size_t i = 0; i < larger.size(); ++i) differences.push_back(larger[i] - smaller[i]);
    const Spread spread = spread_of(differences);
    const auto count = static_cast<double>(differences.size());
    if (spread.deviation == 0.0) return spread.mean == 0.0 ? 0.5 : spread.mean > 0.0 ? 0.0 : 1.0;
    const double t = spread.mean / spread.deviation * std::sqrt(count);
    return boost::math::cdf(
        boost::math::complement(boost::math::students_t_distribution<double>(count - 1.0), t));
}

PairedLead paired_lead(std::span<const double> first, std::span<const double> second,
                       double margin) {
    PairedLead lead;
    lead.p_ahead = paired_p_value(first, second);
    std::vector<double> differences;
    std::vector<double> raised;
    std::vector<double> lowered;
    for (std::size_t i = 0; i < first.size(); ++i) {
        differences.push_back(first[i] - second[i]);
        raised.push_back(first[i] + margin);
        lowered.push_back(first[i] - margin);
    }
    lead.p_equivalent = std::max(paired_p_value(raised, second), paired_p_value(second, lowered));
    const Spread spread = spread_of(differences);
    lead.mean = spread.mean;
    lead.standard_error = spread.deviation / std::sqrt(static_cast<double>(first.size()));
    lead.seen = seen_with_power * lead.standard_error;
    return lead;
}

int planned_pairs(const PairedLead& pilot, std::size_t pairs, double margin) {
    const double count = static_cast<double>(pairs) * std::pow(pilot.seen / margin, 2.0);
    return 10 * static_cast<int>(std::ceil(0.1 * count));
}

void SignTest::add(double first, double second) {
    smaller += first < second ? 1 : 0;
    larger += first > second ? 1 : 0;
}

void SignTest::add(std::span<const double> first, std::span<const double> second) {
    for (std::size_t i = 0; i < first.size(); ++i) add(first[i], second[i]);
}

double SignTest::p_value() const {
    if (is_empty()) return 1.0;
    const boost::math::binomial_distribution<> fair(smaller + larger, 0.5);
    return std::min(1.0, 2.0 * boost::math::cdf(fair, std::min(smaller, larger)));
}

std::string SignTest::text() const {
    return fmt::format("{}:{} (p = {:.1g})", smaller, larger, p_value());
}

Verdict all_smaller(std::span<const SignTest> tests) {
    return verdict_of_all(
        tests,
        [](const SignTest& test) {
            return test.smaller > test.larger && test.p_value() < significance_level;
        },
        [](const SignTest& test, double level) {
            return test.is_empty() || (test.larger > test.smaller && test.p_value() < level);
        });
}

RatioTest ratio_test(std::span<const double> ratios, double bound) {
    std::vector<double> logarithms;
    logarithms.reserve(ratios.size());
    for (const double ratio : ratios) logarithms.push_back(std::log(ratio));
    const std::vector<double> bounds(ratios.size(), std::log(bound));
    return {.geometric_mean = std::exp(spread_of(logarithms).mean),
            .p_below = paired_p_value(bounds, logarithms),
            .p_above = paired_p_value(logarithms, bounds)};
}

std::string RatioTest::text() const {
    return fmt::format("{:.2f} (p = {:.1g})", geometric_mean, std::min(p_below, p_above));
}

Verdict all_below(std::span<const RatioTest> tests) {
    return verdict_of_all(
        tests, [](const RatioTest& test) { return test.p_below < significance_level; },
        [](const RatioTest& test, double level) { return test.p_above < level; });
}

std::string TrendTest::text() const {
    return fmt::format("{:.2g} (p = {:.1g})", slope, std::min(p_falls, p_rises));
}

TrendTest trend_test(std::span<const double> points,
                     std::span<const std::vector<double>> repetitions) {
    const Spread spread = spread_of(points);
    const auto count = static_cast<double>(points.size());
    const double squares = spread.deviation * spread.deviation * (count - 1.0);
    require(squares > 0.0, "points", count, "at least two points that differ");
    std::vector<double> slopes;
    for (const std::vector<double>& values : repetitions) {
        if (values.size() != points.size())
            throw DomainError("repetitions", fmt::format("{} values", values.size()),
                              "one value a point");
        double slope = 0.0;
        for (std::size_t i = 0; i < values.size(); ++i)
            slope += (points[i] - spread.mean) * values[i] / squares;
        slopes.push_back(slope);
    }
    const std::vector<double> zeros(slopes.size(), 0.0);
    return {.slope = spread_of(slopes).mean,
            .p_falls = paired_p_value(zeros, slopes),
            .p_rises = paired_p_value(slopes, zeros)};
}

Verdict all_falling(std::span<const TrendTest> tests) {
    return verdict_of_all(
        tests, [](const TrendTest& test) { return test.p_falls < significance_level; },
        [](const TrendTest& test, double level) { return test.p_rises < level; });
}

Verdict all_rising(std::span<const TrendTest> tests) {
    return verdict_of_all(
        tests, [](const TrendTest& test) { return test.p_rises < significance_level; },
        [](const TrendTest& test, double level) { return test.p_falls < level; });
}

}  // namespace assay::experiments
