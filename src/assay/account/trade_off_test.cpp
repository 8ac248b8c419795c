#include "assay/account/trade_off.hpp"

#include <boost/math/distributions/normal.hpp>
#include <boost/math/special_functions/beta.hpp>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "assay/account/account.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/numeric/work_limit.hpp"

namespace assay {

namespace {

using Normal = boost::math::normal_distribution<long double>;

long double tail(long double z) {
    return boost::math::cdf(boost::math::complement(Normal(), z));
}
long double upper_quantile(long double a) {
    return boost::math::quantile(boost::math::complement(Normal(), a));
}

void require_around(const Bracket& bracket, long double exact, double relative) {
    const auto x = static_cast<double>(exact);
    INFO(describe(bracket, 12) << " around " << x);
    CHECK(bracket.lower.value <= x * (1.0 + 1e-13));
    CHECK(bracket.upper.value >= x * (1.0 - 1e-13));
    CHECK(bracket.upper.value - bracket.lower.value <= relative * bracket.upper.value);
}

Release poisson_release(double noise, double q, std::int64_t steps,
                        Adjacency adjacency = Adjacency::add_remove) {
    return {adjacency, {{SampledGaussian{noise, q}, steps}}};
}

}  // namespace

TEST_CASE("the Gaussian mechanism has its closed form", "[trade_off]") {
    for (const double noise : {0.5, 1.0, 3.0}) {
        const Release release{Adjacency::add_remove, {{Gaussian{noise}, 4}}};
        const TradeOff curve = trade_off(release);
        for (const double level : {1e-12, 1e-6, 0.01, 0.5, 0.99}) {
            const long double z = upper_quantile(level);
            const long double mu = 2.0L / noise;
            require_around(curve.true_positive_rate(level), tail(z - mu), 1e-11);
            require_around(curve.type_two_error(level), tail(mu - z), 1e-11);
        }
        CHECK(curve.gaussian_mu().mu.lower.value <= 2.0 / noise);
        CHECK(curve.gaussian_mu().mu.upper.value >= 2.0 / noise);
        CHECK(curve.gaussian_mu().mu.gap() < 1e-14);
        CHECK(curve.is_symmetric());
    }
}

TEST_CASE("errors that underflow are not nothing", "[trade_off]") {
    const Bracket miss = type_two_error({Adjacency::add_remove, {{Gaussian{0.005}, 1}}}, 0.5);
    CHECK(miss.lower.value == 0.0);
    CHECK(miss.upper.value > 0.0);
    CHECK(miss.upper.value < 1e-300);
}

// The first grid has to be within the effort as well: a finer one left nothing for a second.
TEST_CASE("rare draws of cut batches have a level that is known", "[trade_off]") {
    const TruncatedPoissonGaussian cut{0.3, 1, 5'693'192, 3};
    const Bracket power = trade_off_at({Adjacency::replace_one, {{cut, 27}}}, 2e-6)
                              .true_positive_rate(2e-6, TestDirection::worst);
    CHECK(power.upper.value <= 1.5 * power.lower.value);
}

// dQ/dP is at most (1-q)^-steps, and nearly that where the record's steps tell nothing.
TEST_CASE("no test gains more than the draws left out allow", "[trade_off]") {
    for (const int steps : {1, 2, 30}) {
        const TradeOff curve =
            trade_off({Adjacency::add_remove, {{FixedSizeGaussian{0.5, 0.01}, steps}}});
        const double most = std::pow(0.99, -steps);
        for (const double level : {1e-9, 1e-5}) {
            const Bracket power = curve.true_positive_rate(level, TestDirection::addition);
            CHECK(power.upper.value <= most * level * (1.0 + 1e-14));
            CHECK(power.upper.value >= 0.999 * most * level);
            CHECK(power.lower.value >= level);
        }
    }
}

TEST_CASE("one Poisson step has a closed form in either direction", "[trade_off]") {
    // A rare record leaves delta far below the level where the curve has it.
    const auto [q, noise] =
        GENERATE(std::pair{0.1, 0.8}, std::pair{0.01, 1.0}, std::pair{1e-6, 5.0});
    const long double c = 1.0L / noise;
    CAPTURE(q, noise);
    const TradeOff curve = trade_off(poisson_release(noise, q, 1));
    for (const double level : {1e-12, 1e-6, 1e-3, 0.1, 0.5, 0.9}) {
        // Reject for large z: under the mixture that has power (1-q) a + q P(Z > z - c).
        const long double removal = (1.0L - q) * level + q * tail(upper_quantile(level) - c);
        require_around(curve.true_positive_rate(level, TestDirection::removal), removal, 2e-3);
        // Reject for small z: the level is taken under the mixture. Its z by bisection.
        long double low = -40.0L;
        long double high = 40.0L;
        for (int i = 0; i < 200; ++i) {
            const long double z = 0.5L * (low + high);
            const long double below = (1.0L - q) * tail(-z) + q * tail(c - z);
            (below < level ? low : high) = z;
        }
        require_around(curve.true_positive_rate(level, TestDirection::addition), tail(-low), 2e-3);
        require_around(true_positive_rate(poisson_release(noise, q, 1), level),
                       removal > tail(-low) ? removal : tail(-low), 1e-3);
    }
    CHECK_FALSE(curve.is_symmetric());
}

TEST_CASE("a curve and answers at single levels agree", "[trade_off]") {
    const Release release = poisson_release(1.1, 0.01, 1000);
    const TradeOff curve = trade_off(release);
    CHECK(curve.gap() < 5e-5);
    for (const double level : {1e-9, 1e-4, 0.05, 0.6}) {
        const Bracket whole = curve.true_positive_rate(level);
        const Bracket single = true_positive_rate(release, level);
        CHECK(whole.lower.value <= single.upper.value);
        CHECK(single.lower.value <= whole.upper.value);
        CHECK(single.gap() <= 1e-3);
        CHECK(whole.gap() <= 2e-3);
        // Rates and errors are the same statement.
        const Bracket miss = curve.type_two_error(level);
        CHECK(miss.lower.value <= 1.0 - whole.lower.value + 1e-15);
        CHECK(miss.upper.value >= 1.0 - whole.upper.value - 1e-15);
    }
    CHECK(curve.advantage().lower.value <= delta(release, 0.0).upper.value);
    CHECK(curve.advantage().upper.value >= delta(release, 0.0).lower.value);
}

TEST_CASE("the curve never lies below delta's line", "[trade_off]") {
    // TPR <= e^epsilon a + delta for every bracketed delta, and near it somewhere.
    const Release release = poisson_release(0.7, 0.02, 300);
    const TradeOff curve = trade_off(release);
    for (const double epsilon : {0.1, 0.5, 1.0}) {
        const Bracket at = delta(release, epsilon);
        for (double level = 1e-8; level < 1.0; level *= 3.0)
            CHECK(curve.true_positive_rate(level).lower.value <=
                  std::exp(epsilon) * level + at.upper.value + 1e-15);
    }
}

TEST_CASE("subsampling keeps mu of the whole curve, not of the levels that count", "[trade_off]") {
    const Release release = poisson_release(9.4, 0.328, 2000);
    const TradeOff curve = trade_off(release);
    const GaussianMu everywhere = curve.gaussian_mu();
    const double own = std::sqrt(2000.0) / 9.4;
    CHECK(everywhere.mu.lower.value <= own);
    CHECK(everywhere.mu.upper.value >= own);
    CHECK(everywhere.mu.gap() < 1e-12);
    const GaussianMu visible = curve.gaussian_mu(1e-10);
    CHECK(visible.mu.upper.value < 1.57);
    CHECK(visible.mu.lower.value > 1.565);
    CHECK(visible.mu.gap() < 1e-3);
    // Published for this run: mu = 1.56856 with regret 0.00102. That mu holds down to errors of
    // about 1e-10, and its regret is a little larger.
    CHECK(curve.gaussian_mu(1e-9).mu.upper.value < 1.56856);
    CHECK(curve.gaussian_mu(1e-11).mu.lower.value > 1.56856);
    const Bracket regret = curve.regret(1.56856);
    CHECK(regret.lower.value > 0.00103);
    CHECK(regret.upper.value < 0.00105);
}

TEST_CASE("mu is shown by levels at which both errors are large enough", "[trade_off]") {
    // Both errors are equal at Phi(-1/2) = 0.3085.
    const TradeOff normal = trade_off({Adjacency::add_remove, {{Gaussian{1.0}, 1}}});
    CHECK(normal.gaussian_mu(0.3).mu.lower.value > 1.0 - 1e-12);
    CHECK(normal.gaussian_mu(0.3).mu.note.empty());
    CHECK(normal.gaussian_mu(0.31).mu.lower.value == 0.0);
    CHECK_THAT(normal.gaussian_mu(0.31).mu.note, Catch::Contains("at least 0.31"));
    // The slope is 1 at errors of 0.048 and 0.5, which would show 1.2: the largest of the levels
    // that count is that of 0.2, with Phi^-1(1 - 0.403) - Phi^-1(0.2).
    const TradeOff sampled = trade_off(poisson_release(0.3, 0.5, 1));
    const long double z = upper_quantile(0.2L);
    const long double power = 0.5L * tail(z) + 0.5L * tail(z - 1.0L / 0.3L);
    const long double mu = z - upper_quantile(power);
    const Bracket found = sampled.gaussian_mu(0.2).mu;
    CHECK(found.lower.value <= mu);
    CHECK(found.lower.value > mu - 1e-3);
    CHECK(found.upper.value >= mu);
    CHECK(found.upper.value < mu + 1e-3);
    // The level at which the slope is 1 is below 0.3.
    CHECK(trade_off(poisson_release(1.1837824811122486, 0.1, 100)).gaussian_mu(0.3).mu.gap() <
          0.01);
    // Of three records no level is known to count, of one record some are.
    const Release group{Adjacency::replace_one, {{SampledGaussian{0.913, 0.4}, 3}}};
    CHECK(trade_off(group).gaussian_mu(0.05).mu.lower.value > 1.3);
    CHECK(TradeOff(group, {}, 3).gaussian_mu(0.05).mu.lower.value == 0.0);
    CHECK_THAT(TradeOff(group, {}, 3).gaussian_mu(0.05).mu.note,
               Catch::StartsWith("of a group: ") && Catch::Contains("at least 0.05"));
}

TEST_CASE("risks follow from the curve", "[trade_off]") {
    const Release release{Adjacency::add_remove, {{Gaussian{1.0}, 1}}};
    const TradeOff curve = trade_off(release);
    const long double power = tail(upper_quantile(0.01L) - 1.0L);
    const double prior = 0.2;
    require_around(curve.positive_predictive_value(0.01, prior),
                   prior * power / (prior * power + 0.8L * 0.01L), 1e-10);
    require_around(curve.negative_predictive_value(0.01, prior),
                   0.8L * 0.99L / (0.8L * 0.99L + prior * (1.0L - power)), 1e-10);
    require_around(curve.posterior_odds(0.01, prior), 0.25L * power / 0.01L, 1e-10);
    // Bayes risk of two normal distributions: the threshold is 1/2 + log((1-prior)/prior).
    const long double z = 0.5L + std::log(4.0L);
    require_around(curve.bayes_risk(prior), prior * tail(1.0L - z) + 0.8L * tail(z), 1e-9);
    CHECK(curve.reconstruction(0.01).upper.value >= static_cast<double>(power) * (1 - 1e-12));
    CHECK(curve.reconstruction(0.01).lower.value == 0.01);
    CHECK(curve.singling_out(1e-6, 10).upper.value < 1.0);
    CHECK(curve.singling_out(1e-3, 1000000).upper.value == 1.0);
}

TEST_CASE("groups of records", "[trade_off]") {
    const Release gaussian{Adjacency::add_remove, {{Gaussian{3.0}, 1}}};
    require_around(TradeOff(gaussian, {}, 3).true_positive_rate(0.01),
                   tail(upper_quantile(0.01L) - 1.0L), 1e-10);
    // One step: the exact pair of two records is the mixture of three normal distributions.
    const double q = 0.1;
    const Release release = poisson_release(2.0, q, 1);
    const TradeOff two(release, {}, 2);
    for (const double level : {1e-3, 0.05}) {
        const long double z = upper_quantile(level);
        const long double exact =
            (1 - q) * (1 - q) * level + 2 * q * (1 - q) * tail(z - 0.5L) + q * q * tail(z - 1.0L);
        const Bracket found = two.true_positive_rate(level);
        CHECK(found.upper.value >= static_cast<double>(exact));
        CHECK(found.upper.value <= 1.2 * static_cast<double>(exact));
        CHECK(found.lower.value <= static_cast<double>(exact));
    }
    // Two of two are drawn with probability 0.998: hardly less than the normal distributions that
    // are reported, and much more than one record.
    const Bracket regret = TradeOff(poisson_release(1.0, 0.999, 1), {}, 2).regret(2.0);
    CHECK(regret.lower.value <= 0.002);
    CHECK(regret.upper.value >= 0.0);
    CHECK_THROWS_AS(TradeOff(release, {}, 0), DomainError);
}

TEST_CASE("simulated likelihood ratio tests lie on the curve", "[trade_off]") {
    const double q = 0.1;
    const double noise = 1.0;
    constexpr int steps = 20;
    constexpr int trials = 40'000;
    const TradeOff curve = trade_off(poisson_release(noise, q, steps));
    std::mt19937_64 words(20261123);
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> uniform;
    // The loss of the pair's outputs: with the record (sampled with probability q) or without it.
    const auto loss = [&](bool with_record) {
        double sum = 0.0;
        for (int i = 0; i < steps; ++i) {
            const double shift = with_record && uniform(words) < q ? 1.0 / noise : 0.0;
            const double z = normal(words) + shift;
            sum += std::log1p(q * std::expm1(z / noise - 0.5 / (noise * noise)));
        }
        return sum;
    };
    const double threshold = 0.8;
    int false_positives = 0;
    int true_positives = 0;
    for (int i = 0; i < trials; ++i) {
        false_positives += loss(false) > threshold ? 1 : 0;
        true_positives += loss(true) > threshold ? 1 : 0;
    }
    // Clopper and Pearson, each side wrong with probability 1e-6.
    const auto low = [&](int hits) {
        return boost::math::ibeta_inv(hits, trials - hits + 1.0, 1e-6);
    };
    const auto high = [&](int hits) {
        return boost::math::ibeta_inv(hits + 1.0, trials - hits, 1.0 - 1e-6);
    };
    REQUIRE(false_positives > 100);
    CHECK(low(true_positives) <=
          curve.true_positive_rate(high(false_positives), TestDirection::removal).upper.value);
    CHECK(high(true_positives) >=
          curve.true_positive_rate(low(false_positives), TestDirection::removal).lower.value);
}

// Losses of more than the epsilons that a curve can hold.
TEST_CASE("curves of very little noise are answered", "[trade_off]") {
    const Bracket found = true_positive_rate(poisson_release(1e-3, 0.3, 5), 0.01,
                                             {.standing = StandingFilter::published});
    CHECK(found.lower.value >= 0.01);
    CHECK(found.upper.value > 0.99);
    // The largest sum of shuffled batches had a grid here, and took hours beside another epoch.
    const Release shuffled{Adjacency::zero_out,
                           {{BallsAndBins{2.0, 4}, 6}, {Shuffled{1.4e-7, 2}, 19}}};
    CHECK(true_positive_rate(shuffled, 0.01).upper.value > 0.99);
}

// The curve has no piece, and the advantage alone gave 0.0117 for a lower side of 1.5e8.
TEST_CASE("mu of a curve without pieces is bounded by that of all records", "[trade_off]") {
    const TradeOff curve(poisson_release(3.6e-8, 8e-5, 29), {}, 2);
    const Bracket mu = curve.gaussian_mu().mu;
    CHECK(mu.lower.value <= mu.upper.value);
    CHECK(mu.upper.value >= 1.0 / 3.6e-8);
}

TEST_CASE("epoch samplers have curves", "[trade_off]") {
    const Release bins{Adjacency::zero_out, {{BallsAndBins{0.8, 100}, 1}}};
    const TradeOff curve = trade_off(bins);
    CHECK(curve.gap() < 1e-3);
    const Release shuffled{Adjacency::zero_out, {{Shuffled{0.8, 100}, 1}}};
    const Release fixed{Adjacency::zero_out, {{DeterministicBatches{0.8, 100}, 1}}};
    for (const double level : {1e-6, 0.01, 0.3}) {
        const Bracket b = curve.true_positive_rate(level);
        const Bracket s = true_positive_rate(shuffled, level);
        const Bracket d = true_positive_rate(fixed, level);
        CHECK(b.upper.value <= d.upper.value);
        CHECK(s.lower.value <= s.upper.value);
        CHECK(s.lower.value > 1.05 * level);  // no more than the level, before
        CHECK(s.upper.value <= d.upper.value * (1.0 + 1e-3));
        CHECK(b.gap() < 0.01);
    }
    CHECK(trade_off(bins).gaussian_mu().mu.upper.value >= 1.25);
}

// It took 49 s, and said [4e-8, 1] without a note.
TEST_CASE("a trade-off of phases that lie on no common grid keeps to its work", "[trade_off]") {
    const Release release{Adjacency::zero_out,
                          {{TruncatedPoissonGaussian{1.2813, 9, 113, 10}, 821},
                           {BallsAndBins{13.36, 118}, 2},
                           {FixedSizeGaussian{0.1146, 0.000244}, 19369}}};
    const WorkLimit limit(2 * most_work(Effort::quick));
    const std::uint64_t before = work_left();
    const Bracket found = true_positive_rate(release, 3.89e-8, goal_of(Effort::quick));
    CHECK(before - work_left() <= most_work(Effort::quick));
    // A batch of the last phase holds the record with probability 0.991 some time, and shows it.
    CHECK(found.lower.value >= 0.8);
    CHECK(found.lower.value <= 1.0);
    CHECK(found.note == more_work);
}

// A grid finer than its window holds cut off the rare losses, and left a tenth between the sides.
TEST_CASE("the curve of many steps is close in the middle and in the corner", "[trade_off]") {
    for (const Effort effort : {Effort::normal, Effort::thorough}) {
        const TradeOff curve(poisson_release(0.4, 1.0 / 36133, 36133), goal_of(effort));
        CHECK(curve.true_positive_rate(1e-12).gap() < 1e-3);
        CHECK(curve.true_positive_rate(1e-6).gap() < 1e-3);
        CHECK(curve.gap() < 1e-6);
    }
}

TEST_CASE("published theorems alone give a wider curve", "[trade_off]") {
    const Release release{Adjacency::add_remove,
                          {{FixedSizeWithReplacementGaussian{8.0, 10, 1000}, 50}}};
    const Bracket published =
        true_positive_rate(release, 0.01, {.standing = StandingFilter::published});
    CHECK(published.lower.value >= 0.01);
    CHECK(published.upper.value < 1.0);
    CHECK(published.upper.theorem.standing == Standing::published);
    CHECK(true_positive_rate(release, 0.01).upper.value <= published.upper.value);
}

TEST_CASE("what was not released cannot be attacked", "[trade_off]") {
    const TradeOff curve = trade_off(poisson_release(1.0, 0.0, 10));
    for (const double level : {1e-9, 0.1, 0.9}) {
        CHECK(curve.true_positive_rate(level).upper.value <= level * (1.0 + 1e-15));
        CHECK(curve.true_positive_rate(level).lower.value == level);
    }
    CHECK(curve.gaussian_mu().mu.upper.value == 0.0);
}

}  // namespace assay
