#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "assay/epochs/epoch_curve.hpp"
#include "assay/monte_carlo/conditional_monte_carlo.hpp"
#include "assay/monte_carlo/confidence.hpp"
#include "assay/monte_carlo/monte_carlo.hpp"
#include "verify/checks/routes.hpp"
#include "verify/checks/spaces.hpp"
#include "verify/rows.hpp"

// Statements about random numbers. Every one leaves room for 6 standard errors, what chance exceeds
// once in 5e8 times; a point's seed decides all of its numbers.

namespace assay::verify {

namespace {

constexpr double deviations = 6.0;
constexpr std::int64_t repetitions = 2000;

Dimension seeds() {
    return {"seed", Scale::logarithmic, 1, 1e9, true, {}};
}

LossDirection direction_at(const Point& p) {
    return p["add"] == 1.0 ? LossDirection::addition : LossDirection::removal;
}

Interval around(double mean, double standard_error, long bits) {
    const Interval room(deviations * standard_error, bits);
    return Interval(mean, bits) + hull(-room, room);
}

// ---- coverage ------------------------------------------------------------------------------

/// Share of the repetitions whose bound misses the true mean.
Enclosure misses(const std::function<bool(std::int64_t repetition)>& missed) {
    std::int64_t count = 0;
    for (std::int64_t i = 0; i < repetitions; ++i) count += missed(i) ? 1 : 0;
    const double share = static_cast<double>(count) / static_cast<double>(repetitions);
    return {share, share};
}

/// beta and what chance adds.
Interval allowed(const Point& p, long bits) {
    const double beta = p["beta"];
    const double error = std::sqrt(beta * (1.0 - beta) / static_cast<double>(repetitions));
    return Interval(beta, bits) + Interval(deviations * error, bits);
}

Check coverage_row(std::string id, std::string claim, Space space, int quick, int full,
                   std::function<Enclosure(const Point&)> evaluate) {
    Check row = library_row(std::move(id), std::move(claim), Relation::at_most, std::move(space),
                            quick, full);
    row.subject = "library: share of 2000 bounds that miss the mean";
    row.oracle = "beta plus 6 standard errors";
    row.evaluate = std::move(evaluate);
    row.truth = allowed;
    return row;
}

Dimension error_probability() {
    return {"beta", Scale::logarithmic, 0.01, 0.5, false, {0.05, 0.1, 0.5}};
}

Enclosure coin_misses(const Point& p, bool upper) {
    const double mean = p["p"];
    const std::int64_t trials = p.integer("m");
    return misses([&](std::int64_t repetition) {
        RandomStream stream(static_cast<std::uint64_t>(p.integer("seed")), Purpose::test,
                            static_cast<std::uint64_t>(repetition));
        std::int64_t heads = 0;
        for (std::int64_t i = 0; i < trials; ++i) heads += stream.uniform() < mean ? 1 : 0;
        const double share = static_cast<double>(heads) / static_cast<double>(trials);
        return upper ? kl_upper_confidence(share, trials, p["beta"]).upper < mean
                     : kl_lower_confidence(share, trials, p["beta"]).lower > mean;
    });
}

/// Either side of the empirical Bernstein bound, whichever misses more often.
Enclosure bernstein_misses(const Point& p) {
    const double mean = p["p"];
    const std::int64_t trials = p.integer("m");
    std::int64_t below = 0;
    std::int64_t above = 0;
    for (std::int64_t repetition = 0; repetition < repetitions; ++repetition) {
        RandomStream stream(static_cast<std::uint64_t>(p.integer("seed")), Purpose::test,
                            static_cast<std::uint64_t>(repetition));
        double heads = 0.0;
        for (std::int64_t i = 0; i < trials; ++i) heads += stream.uniform() < mean ? 1.0 : 0.0;
        const auto m = static_cast<double>(trials);
        const double share = heads / m;
        const Enclosure bound =
            bernstein_confidence(share, share * (1.0 - share) * m / (m - 1.0), trials, p["beta"]);
        below += bound.upper < mean ? 1 : 0;
        above += bound.lower > mean ? 1 : 0;
    }
    const double share = static_cast<double>(std::max(below, above)) / repetitions;
    return {share, share};
}

std::vector<Check> coverage_rows() {
    const Space coins{{linear_dimension("p", 0.001, 0.999, {0.01, 0.5, 0.99}),
                       count_dimension("m", 1, 100, {1, 2, 10}), error_probability(), seeds()},
                      {}};
    Space some = coins;
    some.admits = [](const Point& p) { return p["m"] >= 2.0; };
    return {coverage_row("monte_carlo.kl_upper.coverage",
                         "the upper bound of chua2025 Algorithm 4 misses with probability beta at "
                         "most",
                         coins, 8, 80, [](const Point& p) { return coin_misses(p, true); }),
            coverage_row("monte_carlo.kl_lower.coverage",
                         "the lower bound misses with probability beta at most", coins, 8, 80,
                         [](const Point& p) { return coin_misses(p, false); }),
            coverage_row("monte_carlo.bernstein.coverage",
                         "each side of the empirical Bernstein bound misses with probability beta "
                         "at most",
                         some, 8, 80, bernstein_misses)};
}

// ---- means ---------------------------------------------------------------------------------

Check mean_row(std::string id, std::string claim, Space space, int quick, int full) {
    Check row = library_row(std::move(id), std::move(claim), Relation::overlaps, std::move(space),
                            quick, full);
    row.oracle = "sampled mean, 6 standard errors";
    return row;
}

Check conditional_row() {
    Check row = mean_row(
        "monte_carlo.conditional.meets_bracket",
        "the bracket of an epoch meets the mean of conditional Monte Carlo, which shares no "
        "discretisation with it",
        {{count_dimension("T", 2, 300, {2, 3, 10, 100}),
          noise_dimension("sigma", 0.3, 2.0),
          {"eps", Scale::linear, 0.0, 3.0, false, {0.0, 0.5, 1.0, 3.0}},
          {"add", Scale::linear, 0, 1, true, {0, 1}},
          seeds()},
         [](const Point& p) { return p["eps"] <= 0.5 / (p["sigma"] * p["sigma"]); }},
        6, 80);
    row.evaluate = [](const Point& p) {
        const BallsAndBins mechanism{p["sigma"], p.integer("T")};
        return ConvexOrderBracket(mechanism, direction_at(p), p["eps"],
                                  coarse_resolution(mechanism))
            .delta(p["eps"]);
    };
    row.truth = [](const Point& p, long bits) {
        const ConditionalSampler sampler({{p["sigma"], p.integer("T")},
                                          direction_at(p),
                                          {p["eps"]},
                                          static_cast<std::uint64_t>(p.integer("seed"))});
        const auto blocks = static_cast<std::uint64_t>(20000 / sampler.trials_per_block() + 1);
        std::vector<double> total(sampler.number_of_sums(), 0.0);
        std::vector<double> sums(total.size());
        for (std::uint64_t block = 0; block < blocks; ++block) {
            sampler.run_block(block, sums);
            std::transform(sums.begin(), sums.end(), total.begin(), total.begin(), std::plus<>());
        }
        const MeanEstimate found = conditional_estimate(total, static_cast<std::int64_t>(blocks) *
                                                                   sampler.trials_per_block())
                                       .front();
        return around(found.mean, found.standard_error, bits);
    };
    return row;
}

/// The mean of what `value` makes of the k-th largest of R draws, over the repetitions.
Interval order_mean(const Point& p, long bits, double (RandomStream::*draw)(),
                    double (*value)(double)) {
    const auto R = static_cast<std::size_t>(p.integer("R"));
    const auto k = static_cast<std::size_t>(p.integer("k"));
    std::vector<double> all(R);
    double sum = 0.0;
    double squares = 0.0;
    for (std::int64_t i = 0; i < repetitions; ++i) {
        RandomStream stream(static_cast<std::uint64_t>(p.integer("seed")), Purpose::test,
                            static_cast<std::uint64_t>(i));
        for (double& x : all) x = (stream.*draw)();
        std::nth_element(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(k - 1), all.end(),
                         std::greater<>());
        const double x = value(all[k - 1]);
        sum += x;
        squares += x * x;
    }
    const auto n = static_cast<double>(repetitions);
    const double mean = sum / n;
    return around(mean, std::sqrt(std::max(squares / n - mean * mean, 0.0) / (n - 1.0)), bits);
}

std::vector<Check> order_rows() {
    const Space space{{count_dimension("R", 2, 300, {2, 10, 100}),
                       count_dimension("k", 1, 300, {1, 2, 10}), seeds()},
                      [](const Point& p) { return p["k"] <= p["R"]; }};
    Check normal = mean_row("monte_carlo.order_statistics.mean_normal",
                            "the mean of the k-th largest of R normals", space, 6, 60);
    normal.subject = "library: order_statistics.mean_normal";
    normal.evaluate = library_subject("order_statistics.mean_normal");
    normal.truth = [](const Point& p, long bits) {
        return order_mean(p, bits, &RandomStream::normal, [](double x) { return x; });
    };
    Check uniform = mean_row("monte_carlo.order_statistics.mean_log_uniform",
                             "the mean logarithm of the k-th largest of R uniforms", space, 6, 60);
    uniform.subject = "library: order_statistics.mean_log_uniform";
    uniform.evaluate = library_subject("order_statistics.mean_log_uniform");
    uniform.truth = [](const Point& p, long bits) {
        return order_mean(p, bits, &RandomStream::uniform, [](double x) { return std::log(x); });
    };
    return {normal, uniform};
}

std::vector<Check> bracket_rows() {
    return {conditional_row()};
}

}  // namespace

std::vector<Check> monte_carlo_rows() {
    return joined({coverage_rows, bracket_rows, order_rows});
}

}  // namespace assay::verify
