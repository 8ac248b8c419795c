#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

#include "assay/privacy/citations.hpp"
#include "experiments/aydin2024/adaptive_stream.hpp"
#include "experiments/aydin2024/aydin2024.hpp"
#include "experiments/aydin2024/statistics.hpp"
#include "experiments/significance.hpp"

namespace assay::experiments::aydin2024 {
namespace {

struct Case {
    AdaptiveSettings settings;
    std::vector<double> theta;
    std::vector<std::int64_t> users;
    std::vector<double> powers;
    double radius = 0.0;
    int draws = 0;
    int discarded = 0;
};

/// Share of the posterior's draws outside each ball, the history being that of `users` answers.
std::vector<double> outside(const Case& now, const ResponseHistory& history, std::uint64_t stream) {
    const std::size_t categories = now.theta.size();
    const std::vector<double> prior(categories, 1.0);
    GibbsSampler sampler(GibbsSettings{}, now.settings.mechanism, prior);
    RandomStream random(now.settings.seed, Purpose::posterior_mass, stream);
    std::vector<double> trace(categories * static_cast<std::size_t>(now.draws));
    sampler.advance(history, random, now.discarded);
    sampler.advance(history, random, now.draws, trace);
    std::vector<double> share(now.powers.size(), 0.0);
    for (std::size_t draw = 0; draw < trace.size(); draw += categories) {
        double squares = 0.0;
        for (std::size_t i = 0; i < categories; ++i)
            squares += (trace[draw + i] - now.theta[i]) * (trace[draw + i] - now.theta[i]);
        for (std::size_t p = 0; p < share.size(); ++p) {
            const double bound =
                now.radius * std::pow(static_cast<double>(history.size()), -now.powers[p]);
            if (squares > bound) share[p] += 1.0 / now.draws;
        }
    }
    return share;
}

/// By power, then stream, then number of users.
std::vector<std::vector<std::vector<double>>> masses(const Case& now, std::int64_t streams) {
    const auto count = static_cast<std::size_t>(streams);
    std::vector<std::vector<std::vector<double>>> all(
        now.powers.size(),
        std::vector<std::vector<double>>(count, std::vector<double>(now.users.size())));
    tbb::parallel_for(std::size_t{0}, count, [&](std::size_t i) {
        AdaptiveStream stream(now.settings, now.theta, i);
        for (std::size_t n = 0; n < now.users.size(); ++n) {
            while (stream.estimator().responses() < now.users[n]) stream.advance();
            const std::vector<double> share =
                outside(now, stream.estimator().history(), i * 1000 + n);
            for (std::size_t p = 0; p < share.size(); ++p) all[p][i][n] = share[p];
        }
    });
    return all;
}

Case read(const Params& params) {
    Case now;
    const int categories = static_cast<int>(params.integer("categories"));
    now.settings.mechanism = {categories, params.number("epsilon"), params.number("budget_share"),
                              ResponseVariant::theorem};
    now.settings.rule = subset_rule_from_string(params.text("rule"));
    now.settings.seed = static_cast<std::uint64_t>(params.integer("seed"));
    now.theta = geometric_distribution(categories, params.number("ratio"));
    now.users = params.integers("users");
    now.powers = params.numbers("powers");
    now.radius = params.number("radius");
    now.draws = static_cast<int>(params.integer("draws"));
    now.discarded = static_cast<int>(params.integer("discarded"));
    return now;
}

}  // namespace

FigureResult run_theorem03_posterior_mass(const Params& params) {
    Case now = read(params);
    const std::int64_t streams = params.integer("streams");
    const std::vector<double> log_users = logarithms(now.users);
    Table table({{.name = "users", .unit = "1", .golden_tolerance = 0.0},
                 {.name = "power", .unit = "1", .golden_tolerance = 0.0},
                 {.name = "outside", .unit = "probability", .golden_tolerance = 1e-9},
                 {.name = "standard_error", .unit = "probability", .golden_tolerance = 1e-9}});
    std::vector<Claim> claims;
    const std::vector<std::pair<std::string, PosteriorSampler>> samplers{
        {"gibbs", GibbsSettings{.updates = 1}},
        {"langevin", LangevinSettings{.step = paper_step(now.users.back())}}};
    for (const auto& [name, sampler] : samplers) {
        table.add_series({name,
                          name == "gibbs" ? "stream sampled by Gibbs" : "stream sampled by SGLD",
                          Direction::estimate, cite::aydin2024_theorem_3});
        now.settings.sampler = sampler;
        const auto all = masses(now, streams);
        std::vector<TrendTest> tests;
        std::vector<std::string> details;
        double least_sure = 0.0;
        int falling = 0;
        for (std::size_t p = 0; p < now.powers.size(); ++p) {
            const std::vector<Spread> at = spreads(all[p]);
            for (std::size_t n = 0; n < now.users.size(); ++n)
                table.add(name,
                          {static_cast<double>(now.users[n]), now.powers[p], at[n].mean,
                           at[n].deviation / std::sqrt(static_cast<double>(streams))},
                          "statistical");
            tests.push_back(trend_test(log_users, all[p]));
            least_sure = std::max(least_sure, tests.back().p_falls);
            falling += tests.back().p_falls < significance_level ? 1 : 0;
            details.push_back(
                fmt::format("a = {}: {:.3f} at n = {}, {:.4f} at n = {}, mean slope against log n "
                            "{}",
                            now.powers[p], at.front().mean, now.users.front(), at.back().mean,
                            now.users.back(), tests.back().text()));
        }
        const Verdict verdict = all_falling(tests);
        claims.push_back(claim(
            "theorem-3-" + name, "Theorem 3",
            "The posterior probability outside |θ - θ*|² <= c n^-a tends to 0 for every a < 1, "
            "however θ is sampled.",
            fmt::format("With a {} stream, c = {} and n from {} to {} that probability falls "
                        "significantly for {} of {} powers a (t tests of its slope against log n "
                        "over {} streams; the least sure, p = {:.1g}).",
                        name == "gibbs" ? "Gibbs" : "Langevin", now.radius, now.users.front(),
                        now.users.back(), falling, tests.size(), streams, least_sure),
            verdict,
            {.criterion = fmt::format(
                 "Reproduced if every mean slope is below 0 at p < {0}; differs if one is above 0 "
                 "at p < {0} over their number. Here |S*| = {1}.",
                 significance_level, best_subset_size(now.settings, now.theta)),
             .details = details,
             .would_decide =
                 verdict == Verdict::undecidable
                     ? fmt::format("{} streams (about a minute on two cores).", 4 * streams)
                     : std::string()}));
    }
    return {std::move(table), std::move(claims)};
}

}  // namespace assay::experiments::aydin2024
