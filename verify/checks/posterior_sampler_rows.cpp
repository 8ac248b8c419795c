#include <algorithm>
#include <cmath>
#include <vector>

#include "assay/ldp/gibbs.hpp"
#include "assay/ldp/langevin.hpp"
#include "verify/checks/deviance.hpp"
#include "verify/checks/langevin_fixture.hpp"
#include "verify/checks/local_rows.hpp"
#include "verify/checks/routes.hpp"
#include "verify/langevin_bias.hpp"
#include "verify/rows.hpp"

// What the samplers of the posterior draw, against exact moments.

namespace assay::verify {

namespace {

RestrictedResponse mechanism_of(const LocalAnswers& answers) {
    return {.categories = answers.categories,
            .epsilon = answers.epsilon,
            .budget_share = answers.budget_share};
}

ResponseHistory history_of(const LocalAnswers& answers) {
    ResponseHistory history(mechanism_of(answers));
    for (std::size_t t = 0; t < answers.responses.size(); ++t)
        history.add(CategorySubset(answers.categories, answers.subsets[t]), answers.responses[t]);
    return history;
}

// ---- Gibbs ---------------------------------------------------------------------------------

constexpr int chains = 200;
constexpr int burned = 500;
constexpr int sweeps = 500;

/// Mean of theta_i^power and 6 standard errors, from the means of independent chains.
Enclosure gibbs_moment(const Point& p, int power) {
    const LocalAnswers answers = answers_at(p);
    const std::vector<double> rho = positive_numbers(p, "rho", answers.categories);
    const ResponseHistory history = history_of(answers);
    const auto K = static_cast<std::size_t>(answers.categories);
    std::vector<double> trace(K * sweeps);
    double sum = 0.0;
    double squares = 0.0;
    for (std::uint64_t chain = 0; chain < chains; ++chain) {
        GibbsSampler sampler({}, mechanism_of(answers), rho);
        RandomStream stream(static_cast<std::uint64_t>(p.integer("seed")), Purpose::gibbs, chain);
        sampler.advance(history, stream, burned);
        sampler.advance(history, stream, sweeps, trace);
        double mean = 0.0;
        for (std::size_t at = static_cast<std::size_t>(p.integer("i")); at < trace.size(); at += K)
            mean += std::pow(trace[at], power) / sweeps;
        sum += mean;
        squares += mean * mean;
    }
    const double mean = sum / chains;
    const double variance = std::max(squares / chains - mean * mean, 0.0);
    const double room = 6.0 * std::sqrt(variance / (chains - 1));
    return {mean - room, mean + room};
}

std::vector<Check> gibbs_rows() {
    const Space space{{categories_dimension(2.0, 3.0),
                       local_epsilon_dimension(10.0),
                       share_dimension(0.05, 0.95),
                       {"n", Scale::linear, 0.0, 8.0, true, {1.0, 8.0}},
                       {"i", Scale::linear, 0.0, 2.0, true, {0.0, 1.0}},
                       seed_dimension()},
                      // A chain that moves on within its burnt part.
                      [](const Point& p) {
                          const auto K = static_cast<int>(p.integer("K"));
                          double shapes = 0.0;
                          for (const double rho : positive_numbers(p, "rho", K)) shapes += rho;
                          return p["i"] < K && shapes >= 0.3;
                      }};
    std::vector<Check> rows;
    for (const int power : {1, 2}) {
        Check row = library_row(
            power == 1 ? "posterior.gibbs.mean" : "posterior.gibbs.second_moment",
            "the Gibbs sampler draws from the posterior, but for 6 standard errors of 200 chains: "
            "chance exceeds them once in 2e8 times",
            Relation::overlaps, space, 8, 120);
        row.oracle = "the likelihood as a polynomial, its monomials' Dirichlet moments";
        row.evaluate = [power](const Point& p) { return gibbs_moment(p, power); };
        row.truth = [power](const Point& p, long bits) {
            const LocalAnswers answers = answers_at(p);
            const LocalMoments moments =
                local_moments(answers, positive_numbers(p, "rho", answers.categories), bits);
            const auto i = static_cast<std::size_t>(p.integer("i"));
            const Interval& mean = moments.mean[i];
            return power == 1 ? mean : moments.variance[i] + square(mean);
        };
        rows.push_back(std::move(row));
    }
    return rows;
}

// ---- Langevin dynamics -----------------------------------------------------------------------

TraceMoments small_steps(const Point& p) {
    const LocalAnswers answers = langevin_answers(p);
    LangevinSampler sampler({.updates = 1, .subsample = 50, .step = {.first = langevin_step}},
                            mechanism_of(answers),
                            {langevin_shapes.begin(), langevin_shapes.end()});
    const ResponseHistory history = history_of(answers);
    RandomStream stream(static_cast<std::uint64_t>(p.integer("seed")), Purpose::langevin, 0);
    sampler.advance(history, stream, langevin_burned);
    constexpr int block = 10'000;
    std::vector<double> trace(std::size_t{3} * block);
    TraceMoments moments;
    for (int update = 0; update < langevin_updates; update += block) {
        sampler.advance(history, stream, block, trace);
        for (std::size_t at = 0; at < trace.size(); at += 3)
            moments.add({trace[at], trace[at + 1], trace[at + 2]});
    }
    return moments;
}

/// Mean over the three categories of the standard deviation over the exact one.
Enclosure inflation(const Point& p) {
    const double epsilon = p["eps"];
    const KnownPosterior posterior = known_posterior(epsilon);
    const RestrictedResponse mechanism{.categories = 3, .epsilon = epsilon, .budget_share = 0.9};
    ResponseHistory history(mechanism);
    for (int y = 0; y < 3; ++y)
        for (double i = 0.0; i < posterior.counts[static_cast<std::size_t>(y)]; i += 1.0)
            history.add(CategorySubset(3), y);
    LangevinSampler sampler({.updates = 1, .subsample = 50, .step = paper_step(1500)}, mechanism,
                            std::vector<double>(3, 1.0));
    constexpr int updates = 1'000'000;
    RandomStream stream(static_cast<std::uint64_t>(p.integer("seed")), Purpose::langevin, 0);
    std::vector<double> trace(std::size_t{3} * updates);
    sampler.advance(history, stream, updates, trace);
    TraceMoments moments;
    for (std::size_t at = trace.size() / 30 * 3; at < trace.size(); at += 3)
        moments.add({trace[at], trace[at + 1], trace[at + 2]});
    double ratio = 0.0;
    for (std::size_t i = 0; i < 3; ++i)
        ratio += moments.deviation(i) / posterior.deviation[i] / 3.0;
    return {ratio - 0.03, ratio + 0.03};
}

std::vector<Check> langevin_rows() {
    Check stationary = limit_row(
        "posterior.langevin.small_steps",
        "at a small step SGLD's means are within 0.15 standard deviations of the exact ones, and "
        "its deviations within 12 %; 1: the larger of both, as a share of what is allowed",
        "the likelihood as a polynomial, its monomials' Dirichlet moments", langevin_space(), 4, 60,
        1.0, [](const Point& p) { return langevin_distance(small_steps(p), p); });
    Check bias = library_row(
        "posterior.langevin.inflation",
        "at the paper's step SGLD's standard deviations exceed the exact ones by as much as those "
        "of a program that shares nothing with it, to 0.05",
        Relation::overlaps,
        {{{"eps", Scale::linear, 0.5, 4.0, false, {1.0, 3.0}}, seed_dimension()}, {}}, 1, 6);
    bias.oracle = "langevin_bias over the posterior on a grid of the simplex, 0.02";
    bias.evaluate = inflation;
    bias.truth = [](const Point& p, long bits) {
        const LangevinBias found = langevin_bias(p["eps"]);
        const double ratio = (found.ratio[0] + found.ratio[1] + found.ratio[2]) / 3.0;
        return Interval(ratio, bits) + hull(Interval(-0.02, bits), Interval(0.02, bits));
    };
    return {stationary, bias};
}

}  // namespace

std::vector<Check> posterior_sampler_rows() {
    return joined({gibbs_rows, langevin_rows});
}

}  // namespace assay::verify
