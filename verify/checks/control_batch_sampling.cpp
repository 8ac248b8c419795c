#include <algorithm>
#include <cmath>
#include <numeric>

#include "verify/checks/batch_fixture.hpp"
#include "verify/checks/control_parts.hpp"
#include "verify/checks/local_fixture.hpp"
#include "verify/checks/spaces.hpp"
#include "verify/oracles/batch_distributions.hpp"

namespace assay::verify {

namespace {

// ---- what cut batches cost -----------------------------------------------------------------

BinomialSize size_at(const Point& p) {
    return {p.integer("n"), p["b"], p["n"]};
}

long maximum_at(const Point& p) {
    return static_cast<long>(p["b"] + p["z"] * std::sqrt(p["b"]));
}

Interval exact_delta(const Point& p, long bits) {
    return cut_batches_delta(size_at(p), p.integer("T"), p["eps"], maximum_at(p), bits);
}

Control delta_control(const char* what, const char* claim, Interval (*wrong)(const Point&)) {
    const Space space{{count_dimension("n", 1000, 1e6, {1000, 50'000}),
                       count_dimension("b", 1, 500, {1, 120}),
                       {"z", Scale::linear, 0.0, 9.0, false, {0.0, 6.0}},
                       count_dimension("T", 1, 1e5, {1, 1000}),
                       {"eps", Scale::linear, 0.0, 10.0, false, {0.0, 1.0}}},
                      {}};
    const auto upper_end = [](const Interval& delta) { return exactly(delta.upper_double()); };
    return control(
        what, claim, {"binomial masses added up", exact_delta, Relation::at_least}, space,
        [=](const Point& p) { return upper_end(wrong(p)); },
        [=](const Point& p) { return upper_end(exact_delta(p, distribution_precision)); });
}

std::vector<Control> delta_controls() {
    return {
        delta_control("cut_delta_one_size_less",
                      "delta' with P(|B| > B + 1) for P(|B| > B), chua2025 Appendix C",
                      [](const Point& p) {
                          return cut_batches_delta(size_at(p), p.integer("T"), p["eps"],
                                                   maximum_at(p) + 1, distribution_precision);
                      }),
        delta_control("cut_delta_without_epsilon", "delta' = T P(|B| > B), without 1 + e^epsilon",
                      [](const Point& p) {
                          return p["T"] *
                                 binomial_tail(size_at(p), maximum_at(p), distribution_precision);
                      }),
        delta_control("cut_delta_of_one_step",
                      "delta' = (1 + e^epsilon) P(|B| > B): that of one step for T of them",
                      [](const Point& p) {
                          return cut_batches_delta(size_at(p), 1, p["eps"], maximum_at(p),
                                                   distribution_precision);
                      }),
    };
}

// ---- samplers ------------------------------------------------------------------------------

constexpr std::int64_t few_trials = 2000;

using Drawn = std::vector<std::uint32_t>;

std::uint32_t below(Draws& draws, std::size_t count) {
    return static_cast<std::uint32_t>(draws.below(count));
}

/// first, first + 1, .., n - 1 in any order.
Drawn shuffled(Draws& draws, long first, long n) {
    Drawn order(static_cast<std::size_t>(n - first));
    std::iota(order.begin(), order.end(), static_cast<std::uint32_t>(first));
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[draws.below(i)]);
    return order;
}

Drawn first_of(Drawn order, long count) {
    order.resize(std::min(order.size(), static_cast<std::size_t>(count)));
    return order;
}

Drawn subset(Draws& draws, const Point& p) {
    return first_of(shuffled(draws, 0, p.integer("n")), p.integer("b"));
}

/// Every example by its own coin of probability b/n.
Drawn coins(Draws& draws, const Point& p) {
    Drawn drawn;
    for (std::uint32_t i = 0; i < p["n"]; ++i)
        if (draws.uniform() < p["b"] / p["n"]) drawn.push_back(i);
    return drawn;
}

/// Robert Floyd's algorithm with this source of indices below a bound.
template <class Below>
Drawn floyd(const Point& p, Below below_bound) {
    Drawn drawn;
    for (long j = p.integer("n") - p.integer("b"); j < p.integer("n"); ++j) {
        const std::uint32_t index = below_bound(static_cast<std::size_t>(j + 1));
        const bool is_in = std::find(drawn.begin(), drawn.end(), index) != drawn.end();
        drawn.push_back(is_in ? static_cast<std::uint32_t>(j) : index);
    }
    return drawn;
}

using Sampler = Drawn (*)(Draws&, const Point&);
using ScaleAt = std::vector<Interval> (*)(const Point&, long);
using Statistic = Events (*)(const SamplerFixture&, const Point&);

/// Trial i draws from a stream of its own.
Subject sampled(Sampler sampler, ScaleAt distribution, Statistic statistic) {
    const SamplerFixture fixture{
        "control",
        [sampler](const Point& p) -> std::function<void(std::int64_t, Batch&)> {
            return [=](std::int64_t trial, Batch& batch) {
                Draws draws(static_cast<std::uint64_t>(p.integer("seed")), "control",
                            static_cast<std::uint64_t>(trial));
                batch.indices = sampler(draws, p);
            };
        },
        distribution, few_trials};
    return [=](const Point& p) { return exactly(statistic(fixture, p).worst()); };
}

Against chance() {
    return {"exact distribution; 1: what chance exceeds once in 1e9",
            [](const Point&, long bits) { return Interval(1.0, bits); }, Relation::at_most};
}

Control sampler_control(const char* what, const char* claim, bool cut, ScaleAt distribution,
                        Sampler wrong, Sampler right) {
    return control(what, claim, chance(), batches_space(8.0, cut),
                   sampled(wrong, distribution, member_events),
                   sampled(right, distribution, member_events));
}

std::vector<Interval> subset_distribution(const Point& p, long m) {
    return members_of_subset(constant_size(p.integer("n"), p.integer("b"), distribution_precision),
                             m);
}

std::vector<Interval> poisson_distribution(const Point& p, long m) {
    std::vector<Interval> sizes = binomial_sizes(size_at(p), distribution_precision);
    return members_of_subset(
        p.has("B") ? cut_sizes(std::move(sizes), p.integer("B")) : std::move(sizes), m);
}

Drawn cut_coins(Draws& draws, const Point& p) {
    Drawn drawn = coins(draws, p);
    for (std::size_t i = drawn.size(); i > 1; --i) std::swap(drawn[i - 1], drawn[draws.below(i)]);
    return first_of(std::move(drawn), p.integer("B"));
}

/// An epoch's order that is drawn once and kept: the batches of two epochs at one place are equal.
Control kept_order() {
    const auto epochs = [](bool kept) -> Subject {
        return [kept](const Point& p) {
            const SamplerFixture fixture{
                "control",
                [kept](const Point& at) -> std::function<void(std::int64_t, Batch&)> {
                    return [=](std::int64_t trial, Batch& batch) {
                        Draws draws(static_cast<std::uint64_t>(at.integer("seed")), "control",
                                    kept ? 0 : static_cast<std::uint64_t>(trial));
                        batch.indices = subset(draws, at);
                    };
                },
                subset_distribution, few_trials};
            return exactly(successive_events(fixture, p).worst());
        };
    };
    return control("order_kept_for_all_epochs",
                   "that batches of two epochs are independent when the data is shuffled once",
                   chance(), batches_space(8.0, false), epochs(true), epochs(false));
}

/// Examples that are not in exactly one of T bins, when each bin takes each by a coin of its own.
Control coins_for_bins() {
    const auto misplaced = [](bool by_coins) -> Subject {
        return [by_coins](const Point& p) {
            Draws draws = draws_at(p, "bins");
            const auto T = static_cast<std::size_t>(p.integer("T"));
            double count = 0.0;
            for (long i = 0; i < p.integer("n"); ++i) {
                std::size_t copies = by_coins ? 0 : 1;
                for (std::size_t t = 0; t < T && by_coins; ++t)
                    copies += draws.below(T) == 0 ? 1 : 0;
                count += copies == 1 ? 0.0 : 1.0;
            }
            return exactly(count);
        };
    };
    const Space space{{count_dimension("n", 2, 1000, {2, 30}),
                       count_dimension("T", 2, 100, {2, 10}), seed_dimension()},
                      {}};
    return control("balls_and_bins_by_coins",
                   "that independent coins of probability 1/T put every example in one of T bins",
                   {"0 examples", [](const Point&, long bits) { return Interval(0.0, bits); },
                    Relation::at_most},
                   space, misplaced(true), misplaced(false));
}

std::vector<Control> sampler_controls() {
    return {
        sampler_control("poisson_of_fixed_size", "a subset of size b for a Poisson batch", false,
                        poisson_distribution, subset, coins),
        sampler_control(
            "floyd_with_modulo", "Floyd's subsets from 3 random bits modulo the bound", false,
            subset_distribution,
            [](Draws& draws, const Point& p) {
                return floyd(p, [&](std::size_t bound) {
                    return below(draws, 8) % static_cast<std::uint32_t>(bound);
                });
            },
            [](Draws& draws, const Point& p) {
                return floyd(p, [&](std::size_t bound) { return below(draws, bound); });
            }),
        sampler_control(
            "subset_without_first_record", "B from {2, .., |D|}, as birrell2024 Section 4.1 prints",
            false, subset_distribution,
            [](Draws& draws, const Point& p) {
                return first_of(shuffled(draws, 1, p.integer("n")), p.integer("b"));
            },
            subset),
        sampler_control(
            "cut_keeps_the_first", "a batch cut to its first B examples, not to any B of them",
            true, poisson_distribution,
            [](Draws& draws, const Point& p) { return first_of(coins(draws, p), p.integer("B")); },
            cut_coins),
        sampler_control(
            "cut_draws_again", "a batch above the maximum drawn anew instead of cut", true,
            poisson_distribution,
            [](Draws& draws, const Point& p) {
                for (;;) {
                    Drawn drawn = coins(draws, p);
                    if (static_cast<long>(drawn.size()) <= p.integer("B")) return drawn;
                }
            },
            cut_coins),
        kept_order(),
        coins_for_bins(),
    };
}

}  // namespace

std::vector<Control> batch_sampling_controls() {
    std::vector<Control> all = delta_controls();
    for (Control& one : sampler_controls()) all.push_back(std::move(one));
    return all;
}

}  // namespace assay::verify
