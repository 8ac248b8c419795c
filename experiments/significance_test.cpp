#include "experiments/significance.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "assay/numeric/errors.hpp"

using namespace assay;
using namespace assay::experiments;

TEST_CASE("means, deviations and Welch's test are those of the textbook", "[experiments]") {
    const std::vector<double> a{27.5, 21.0, 19.0, 23.6, 17.0, 17.9, 16.9, 20.1,
                                21.9, 22.6, 23.1, 19.6, 19.0, 21.7, 21.4};
    const std::vector<double> b{27.1, 22.0, 20.8, 23.4, 23.4, 23.5, 25.8, 22.0,
                                24.8, 20.2, 21.9, 22.1, 22.9, 30.5, 24.4};
    // t = -2.85295, 27.887 degrees of freedom, two-sided p = 0.00807194 (scipy.stats.ttest_ind).
    CHECK(spread_of(a).mean == Approx(20.82));
    CHECK(spread_of(a).deviation == Approx(2.804893).epsilon(1e-6));
    CHECK(welch_p_value(b, a) == Approx(0.00807194 / 2.0).epsilon(1e-6));
    CHECK(welch_p_value(a, b) == Approx(1.0 - 0.00807194 / 2.0).epsilon(1e-4));
    // The same numbers as pairs: t = -3.21921, 14 degrees of freedom (scipy.stats.ttest_rel).
    CHECK(paired_p_value(b, a) == Approx(0.0061798726 / 2.0).epsilon(1e-5));
    const std::vector<double> same{1.0, 1.0};
    CHECK(paired_p_value(same, same) == 0.5);
    CHECK(welch_p_value(same, same) == 0.5);
}

TEST_CASE("a paired lead is told from equivalence, with the power it was seen at",
          "[experiments]") {
    const std::vector<double> a{5.1, 4.9, 5.3, 5.0, 4.8, 5.2};
    const std::vector<double> b{5.0, 5.0, 5.2, 4.9, 4.9, 5.1};
    // Differences +-0.1: mean 0.0333333, standard error 0.0421637, t = 0.790569, and with the
    // margin 0.2: t = (0.2 - 0.0333333) / 0.0421637 = 3.952847 at 5 degrees of freedom.
    const PairedLead lead = paired_lead(a, b, 0.2);
    CHECK(lead.mean == Approx(1.0 / 30.0));
    CHECK(lead.standard_error == Approx(0.0421637).epsilon(1e-5));
    CHECK(lead.p_ahead == Approx(0.232509).epsilon(1e-4));
    CHECK(lead.p_equivalent == Approx(0.00540995).epsilon(1e-3));
    CHECK(lead.is_equivalent());
    CHECK_FALSE(lead.is_ahead());
    CHECK_FALSE(lead.is_behind());
    CHECK_FALSE(paired_lead(a, b, 0.05).is_equivalent());
    CHECK(paired_lead(a, std::vector<double>(6, 4.0), 0.2).is_ahead());
    CHECK(paired_lead(std::vector<double>(6, 4.0), a, 0.2).is_behind());
    // (1.645 + 0.842) standard errors; half that lead takes four times the pairs, in tens.
    CHECK(lead.seen == Approx(2.487 * 0.0421637).epsilon(1e-3));
    CHECK(planned_pairs(lead, 6, 0.5 * lead.seen) == 30);
}

TEST_CASE("the sign test counts pairs and leaves ties out", "[experiments]") {
    SignTest test;
    const std::array<double, 11> low{0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 1};
    const std::array<double, 11> high{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    test.add(low, high);
    CHECK(test.smaller == 9);
    CHECK(test.larger == 1);
    CHECK(test.p_value() == Approx(22.0 / 1024.0));  // 2 (C(10,0) + C(10,1)) / 2^10
    SignTest even;
    even.add(std::array{0.0, 1.0}, std::array{1.0, 0.0});
    CHECK(even.p_value() == 1.0);
}

TEST_CASE("a claim about every comparison needs each of them, and one can refute it",
          "[experiments]") {
    const SignTest clear{.smaller = 20, .larger = 2};
    const SignTest weak{.smaller = 12, .larger = 10};
    const SignTest contrary{.smaller = 2, .larger = 20};
    const SignTest empty{};
    CHECK(clear.text() == "20:2 (p = 0.0001)");
    CHECK(all_smaller(std::array{clear, clear}) == Verdict::reproduced);
    CHECK(all_smaller(std::array{clear, weak}) == Verdict::undecidable);
    CHECK(all_smaller(std::array{clear, contrary}) == Verdict::differs);
    CHECK(all_smaller(std::array{clear, empty}) == Verdict::differs);
    CHECK(all_smaller({}) == Verdict::undecidable);
    // 3:15 has p = 0.0075: enough alone, not as the worst of two.
    const SignTest lone{.smaller = 3, .larger = 15};
    CHECK(all_smaller(std::array{lone}) == Verdict::differs);
    CHECK(all_smaller(std::array{lone, clear}) == Verdict::undecidable);
}

TEST_CASE("ratios are held against a bound by their logarithms", "[experiments]") {
    // Logarithms 0.1, 0.2, 0.3, 0.4 against log 1.5: t = -2.408455, 3 degrees of freedom,
    // one-sided p = 0.0475744450 (scipy.stats.ttest_1samp).
    const std::vector<double> ratios{std::exp(0.1), std::exp(0.2), std::exp(0.3), std::exp(0.4)};
    const RatioTest test = ratio_test(ratios, 1.5);
    CHECK(test.geometric_mean == Approx(std::exp(0.25)));
    CHECK(test.p_below == Approx(0.0475744450).epsilon(1e-6));
    CHECK(test.p_above == Approx(1.0 - test.p_below));
    const RatioTest far_below = ratio_test(ratios, 3.0);
    const RatioTest far_above = ratio_test(ratios, 0.5);
    CHECK(all_below(std::array{far_below}) == Verdict::reproduced);
    CHECK(all_below(std::array{far_below, test}) == Verdict::undecidable);
    CHECK(all_below(std::array{far_below, far_above}) == Verdict::differs);
}

TEST_CASE("a trend is the slope of every repetition against none", "[experiments]") {
    // Slopes -1, -1, -1/4, -3/2: t = -3.638034, and Student's distribution of 3 degrees of freedom
    // has a closed form.
    const std::array<double, 3> points{10.0, 11.0, 12.0};
    const std::vector<std::vector<double>> rows{
        {3.0, 2.0, 1.0}, {3.0, 3.0, 1.0}, {2.0, 2.5, 1.5}, {4.0, 1.0, 1.0}};
    const TrendTest test = trend_test(points, rows);
    CHECK(test.slope == Approx(-0.9375));
    CHECK(test.p_falls == Approx(0.0178955266).epsilon(1e-6));
    CHECK(test.p_rises == Approx(1.0 - test.p_falls));
    CHECK(test.text() == "-0.94 (p = 0.02)");
    const TrendTest falls{.slope = -1.0, .p_falls = 1e-4, .p_rises = 1.0 - 1e-4};
    const TrendTest rises{.slope = 1.0, .p_falls = 1.0 - 1e-4, .p_rises = 1e-4};
    CHECK(all_falling(std::array{falls, falls}) == Verdict::reproduced);
    CHECK(all_falling(std::array{falls, test}) == Verdict::undecidable);
    CHECK(all_falling(std::array{falls, rises}) == Verdict::differs);
    CHECK(all_rising(std::array{rises}) == Verdict::reproduced);
    CHECK(all_rising(std::array{rises, falls}) == Verdict::differs);
    // What never moves has no trend.
    const std::vector<std::vector<double>> still{{1.0, 1.0, 1.0}, {1.0, 1.0, 1.0}};
    CHECK(all_falling(std::array{trend_test(points, still)}) == Verdict::undecidable);
    CHECK_THROWS_AS(trend_test(std::array{1.0, 1.0}, rows), assay::DomainError);
    CHECK_THROWS_AS(trend_test(std::array{1.0, 2.0}, rows), assay::DomainError);
}
