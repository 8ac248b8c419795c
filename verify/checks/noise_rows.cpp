#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "assay/dpsgd/gradient_noise.hpp"
#include "assay/dpsgd/trainer.hpp"
#include "verify/checks/deviance.hpp"
#include "verify/checks/dpsgd_fixture.hpp"
#include "verify/checks/local_fixture.hpp"
#include "verify/checks/noise_statistics.hpp"
#include "verify/checks/routes.hpp"
#include "verify/checks/spaces.hpp"
#include "verify/rows.hpp"

// The noise of DP-SGD: its variance, its distribution, and that no two numbers have to do with each
// other.

namespace assay::verify {

namespace {

constexpr std::size_t elements = 200'000;

struct Address {
    std::uint64_t seed;
    std::int64_t step;
};

Address address_at(const Point& p) {
    return {static_cast<std::uint64_t>(p.integer("seed")), p.integer("step")};
}

/// Noise of this deviation alone.
std::vector<double> noise(const Address& address, double deviation, std::size_t count = elements) {
    std::vector<float> gradient(count, 0.0F);
    Workers workers(1);
    add_gradient_noise(gradient, deviation, address.seed, address.step, workers);
    return {gradient.begin(), gradient.end()};
}

Space noise_space(Dimension more) {
    return {{std::move(more),
             {"step", Scale::linear, 0, 4e9, true, {0, 1}},
             {"seed", Scale::linear, 0, 1e9, true, {0, 1}}},
            {}};
}

Check variance_row() {
    Check row = library_row(
        "noise.variance", "the noise has the variance asked for, to what 200,000 numbers show",
        Relation::encloses, noise_space({"deviation", Scale::logarithmic, 1e-6, 1e6, false, {1.0}}),
        4, 60);
    row.oracle = "deviation^2";
    row.evaluate = [](const Point& p) {
        return variance_interval(noise(address_at(p), p["deviation"]));
    };
    row.truth = [](const Point& p, long bits) { return square(Interval(p["deviation"], bits)); };
    return row;
}

Events normal_events(const Point& p) {
    const std::vector<double> z = noise(address_at(p), 1.0);
    Events events;
    for (int i = -8; i < 8; ++i) {
        const double edge = 0.5 * i + p["shift"];
        const auto below = std::count_if(z.begin(), z.end(), [&](double x) { return x <= edge; });
        events.add(static_cast<double>(below), static_cast<double>(elements),
                   normal_cdf(Interval(edge, 96)));
    }
    return events;
}

/// Two halves of one step, `distance` elements apart: members of runs of that length, by turns.
double coordinates(const Point& p) {
    const auto distance = static_cast<std::size_t>(p.integer("distance"));
    const std::vector<double> z = noise(address_at(p), 1.0);
    std::vector<double> first;
    std::vector<double> second;
    for (std::size_t i = 0; i + distance < z.size(); ++i) {
        if (i / distance % 2 == 1) continue;
        first.push_back(z[i]);
        second.push_back(z[i + distance]);
    }
    return correlation_statistic(first, second);
}

Check independence_row(const char* name, const char* claim, Dimension more,
                       std::function<double(const Point&)> measure) {
    return limit_row(fmt::format("noise.independent.{}", name), claim,
                     "6.3 standard deviations: chance exceeds them once in 3e9",
                     noise_space(std::move(more)), 4, 60, most_deviations, std::move(measure));
}

std::vector<Check> independence_rows() {
    const Dimension distance = count_dimension("distance", 1, 50'000, {1, 2, 4096, 8192});
    const auto apart = [](std::int64_t steps, std::uint64_t seeds) {
        return [=](const Point& p) {
            const Address at = address_at(p);
            return correlation_statistic(
                noise(at, 1.0),
                noise({at.seed + seeds * static_cast<std::uint64_t>(p.integer("distance")),
                       at.step + steps * p.integer("distance")},
                      1.0));
        };
    };
    return {
        independence_row("coordinates", "coordinates of one step are independent", distance,
                         coordinates),
        independence_row("steps", "steps are independent of each other", distance, apart(1, 0)),
        independence_row("seeds", "runs with other seeds are independent", distance, apart(0, 1))};
}

// ---- a step of the trainer -----------------------------------------------------------------

Dataset digits(const Point& p) {
    Dataset data{"random digits", {{}, 2000, {}, 10}, {}, {}, {}};
    Draws draws = draws_at(p, "digits");
    constexpr int examples = 12;
    for (int i = 0; i < examples; ++i) {
        for (int k = 0; k < data.shape.values; ++k)
            data.values.push_back(static_cast<float>(draws.uniform()));
        data.labels.push_back(static_cast<std::int32_t>(draws.below(10)));
    }
    return data;
}

/// One under which a theorem accounts for the sampler.
Adjacency adjacency_of(SamplingScheme scheme) {
    return scheme == SamplingScheme::fixed_size_without_replacement ||
                   scheme == SamplingScheme::fixed_size_with_replacement
               ? Adjacency::add_remove
               : Adjacency::zero_out;
}

std::vector<float> after_one_step(const Point& p, const Dataset& data, double noise_multiplier) {
    const auto scheme = static_cast<SamplingScheme>(p.integer("scheme"));
    TrainingPlan plan{.architecture = LogisticRegression{},
                      .sampling = {.scheme = scheme,
                                   .dataset_size = data.size(),
                                   .batch_size = p.integer("b"),
                                   .seed = 3},
                      .clip_norm = p["C"],
                      .noise_multiplier = noise_multiplier,
                      .adjacency = adjacency_of(scheme),
                      .optimiser = {.rule = GradientDescent{}, .learning_rate = 1.0},
                      .steps = 1,
                      .seed = static_cast<std::uint64_t>(p.integer("seed"))};
    Trainer trainer(plan, data, 1);
    (void)trainer.step();
    return {trainer.model().parameters().begin(), trainer.model().parameters().end()};
}

/// A step with noise less the same step without: the noise that the parameters moved by.
Check trainer_row() {
    const Space space{{{"scheme", Scale::linear, 0, 5, true, {0, 1, 2, 3, 4, 5}},
                       {"b", Scale::linear, 1, 11, true, {1, 2, 11}},
                       {"C", Scale::logarithmic, 0.1, 10.0, false, {1.0, 3.0}},
                       noise_dimension("sigma", 0.5, 20.0),
                       seed_dimension()},
                      {}};
    Check row = library_row("noise.trainer_step",
                            "a step moves the parameters by noise of variance (C sigma / |B|)^2, "
                            "|B| expected, to what 20,010 parameters show",
                            Relation::encloses, space, 6, 100);
    row.oracle = "(C sigma / |B|)^2";
    row.evaluate = [](const Point& p) {
        const Dataset data = digits(p);
        const std::vector<float> noisy = after_one_step(p, data, p["sigma"]);
        const std::vector<float> plain = after_one_step(p, data, 0.0);
        std::vector<double> moved;
        for (std::size_t i = 0; i < noisy.size(); ++i)
            moved.push_back(static_cast<double>(noisy[i]) - plain[i]);
        return variance_interval(moved);
    };
    row.truth = [](const Point& p, long bits) {
        return square(Interval(p["C"], bits) * p["sigma"] / p["b"]);
    };
    return row;
}

}  // namespace

std::vector<Check> noise_rows() {
    std::vector<Check> rows{
        variance_row(),
        events_row("noise.law", "as many numbers are below an edge as the normal distribution says",
                   noise_space({"shift", Scale::linear, 0.0, 0.5, false, {0.0}}), 3, 60,
                   normal_events)};
    for (Check& row : independence_rows()) rows.push_back(std::move(row));
    rows.push_back(trainer_row());
    return rows;
}

}  // namespace assay::verify
