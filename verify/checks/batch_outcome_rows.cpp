#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "assay/batch_sampling/binomial_distribution.hpp"
#include "assay/batch_sampling/random_order.hpp"
#include "verify/checks/deviance.hpp"
#include "verify/checks/local_fixture.hpp"
#include "verify/checks/spaces.hpp"
#include "verify/oracles/binomial_tail.hpp"
#include "verify/rows.hpp"

// The parts of the samplers by themselves: permutations, and the number of members of a batch.

namespace assay::verify {

namespace {

// ---- permutations --------------------------------------------------------------------------

/// Every permutation of n <= 5 examples, by this many groups: equally often.
Events permutation_events(const Point& p) {
    constexpr std::int64_t trials = 20'000;
    std::vector<std::uint32_t> order(static_cast<std::size_t>(p.integer("n")));
    std::vector<double> counts(3125, 0.0);
    for (std::int64_t epoch = 0; epoch < trials; ++epoch) {
        draw_random_order(static_cast<std::uint64_t>(p.integer("seed")), p.integer("epoch") + epoch,
                          static_cast<std::uint64_t>(p.integer("groups")), order);
        std::size_t number = 0;
        for (const std::uint32_t i : order) number = 5 * number + i;
        counts.at(number) += 1.0;
    }
    std::iota(order.begin(), order.end(), 0U);
    const double permutations = std::tgamma(p["n"] + 1.0);
    Events events;
    do {
        std::size_t number = 0;
        for (const std::uint32_t i : order) number = 5 * number + i;
        events.add(counts.at(number), trials, Interval(1.0, 96) / permutations);
    } while (std::ranges::next_permutation(order).found);
    return events;
}

// ---- outcomes of Bin(n, p) -----------------------------------------------------------------

constexpr long fine = 448;

/// Outcomes in the order m, m+1, m-1, m+2, .., and P(one of those so far).
struct Cumulated {
    std::vector<std::int64_t> outcomes;
    std::vector<Interval> sums;
};

Cumulated cumulated(const BinomialSize& size, std::int64_t mode) {
    Cumulated list;
    Interval sum(0.0, fine);
    const auto add = [&](std::int64_t outcome) {
        if (outcome < 0 || outcome > size.trials) return;
        sum += binomial_mass(size, outcome, fine);
        list.outcomes.push_back(outcome);
        list.sums.push_back(sum);
    };
    add(mode);
    for (std::int64_t k = 1; k <= size.trials; ++k) {
        add(mode + k);
        add(mode - k);
        // What is left has no place in 64 bits, and the boundaries asked for have.
        if (certainly_below(1.0 - sum, Interval(0x1p-80, fine))) break;
    }
    return list;
}

/// 0.w1 w2 w3 in base 2^64.
Interval number_of(const std::array<std::uint64_t, 3>& words) {
    Interval u(0.0, fine);
    for (std::size_t i = words.size(); i-- > 0;) {
        u = u + static_cast<double>(words[i] >> 32U) * 4294967296.0;
        u = u + static_cast<double>(words[i] & 0xFFFFFFFFU);
        u *= Interval(0x1p-64, fine);
    }
    return u;
}

/// The largest such number that is not above x < 1.
std::array<std::uint64_t, 3> words_below(Interval x) {
    std::array<std::uint64_t, 3> words{};
    for (std::uint64_t& word : words) {
        for (const double base : {4294967296.0, 4294967296.0}) {
            x *= Interval(base, fine);
            const double digit = std::floor(x.lower_double());
            const double exact =
                digit > 0.0 && certainly_below(x, Interval(digit, fine)) ? digit - 1.0 : digit;
            word = word << 32U | static_cast<std::uint64_t>(exact);
            x -= Interval(exact, fine);
        }
    }
    return words;
}

/// The first outcome whose sum is above u; none where the list is too short.
std::optional<std::int64_t> outcome_of(const Cumulated& list, const Interval& u) {
    for (std::size_t i = 0; i < list.sums.size(); ++i)
        if (certainly_below(u, list.sums[i])) return list.outcomes[i];
    return std::nullopt;
}

/// Wrong outcomes on both sides of a boundary: of its three words and the next ones, and of the
/// words from 0 to 2^20 away whose outcome extended precision claims to know.
double wrong_outcomes(const Point& p) {
    const BinomialSize size{p.integer("n"), p["q"], 1.0};
    const BinomialDistribution distribution(size.trials, size.numerator, size.denominator);
    const Cumulated list = cumulated(size, distribution.mode());
    if (list.outcomes.size() < 2) return 0.0;
    // A boundary that U = `u` is next to, but not the last ones, beyond which nothing is left.
    const Interval u(p["u"], fine);
    std::size_t at = 0;
    while (at + 2 < list.sums.size() && certainly_below(list.sums[at], u)) ++at;
    const Interval& boundary = list.sums[at];
    if (!certainly_below(boundary, Interval(1.0 - 0x1p-40, fine))) return 0.0;

    const std::array<std::uint64_t, 3> below = words_below(boundary);
    std::array<std::uint64_t, 3> above = below;
    for (std::size_t i = above.size(); i-- > 0 && ++above[i] == 0;) continue;
    double wrong = 0.0;
    for (const std::array<std::uint64_t, 3>& words : {below, above}) {
        const Interval exact = number_of(words);
        // 100 digits cannot tell a boundary of few digits from a U that is equal to it.
        if (!certainly_below(Interval(0x1p-300, fine), abs(boundary - exact))) continue;
        wrong += distribution.precise_outcome(words) != outcome_of(list, exact) ? 1.0 : 0.0;
    }
    std::vector<std::int64_t> distances{0};
    for (int e = 0; e <= 20; ++e)
        for (const std::int64_t sign : {1, -1}) distances.push_back(sign << e);
    for (const std::int64_t distance : distances) {
        const std::uint64_t word = below[0] + static_cast<std::uint64_t>(distance);
        const std::optional<std::int64_t> quick = distribution.quick_outcome(word);
        if (!quick) continue;
        constexpr std::uint64_t last = ~std::uint64_t{0};
        wrong += quick != outcome_of(list, number_of({word, 0, 0})) ||
                         quick != outcome_of(list, number_of({word, last, last}))
                     ? 1.0
                     : 0.0;
    }
    return wrong;
}

}  // namespace

std::vector<Check> batch_outcome_rows() {
    return {events_row("batches.random_order.law",
                       "every permutation is equally likely, by any number of groups",
                       {{{"n", Scale::linear, 1, 5, true, {2, 3, 4, 5}},
                         {"groups", Scale::linear, 1, 4, true, {1, 2, 3}},
                         {"epoch", Scale::linear, 0, 1e9, true, {0}},
                         seed_dimension()},
                        {}},
                       6, 60, permutation_events),
            limit_row("batches.binomial_law.outcomes",
                      "on both sides of a boundary the size of a batch is the first outcome, from "
                      "the mode outward, whose cumulated probability exceeds U",
                      "binomial masses of 448 bits, added up: 0 wrong outcomes",
                      {{count_dimension("n", 1, 3000, {1, 2, 1000}),
                        probability_dimension(1e-3, 1.0 - 1e-3),
                        {"u", Scale::linear, 0.0, 1.0, false, {0.0, 0.5, 1.0 - 0x1p-30}}},
                       [](const Point& p) { return p["q"] > 0.0; }},
                      20, 200, 0.0, wrong_outcomes)};
}

}  // namespace assay::verify
