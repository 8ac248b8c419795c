#pragma once
#include <vector>

#include "verify/oracles/interval.hpp"

namespace assay::verify {

[[nodiscard]] constexpr std::size_t position(int i) {
    return static_cast<std::size_t>(i);
}

/// RRRR of aydin2024 with a set S of some of the categories 0 .. K-1.
struct LocalMechanism {
    int categories = 0;
    std::vector<int> subset;
    double epsilon = 0.0;
    double budget_share = 0.0;  // epsilon_1 / epsilon
};

/// epsilon_1, exactly.
[[nodiscard]] Interval first_epsilon(double epsilon, double budget_share, long bits);

/// epsilon_2 of aydin2024 (2) as printed, with |S^c| = K - size; both cases where they cannot be
/// told apart.
[[nodiscard]] Interval second_epsilon(int categories, int size, double epsilon, double budget_share,
                                      long bits);
/// What the authors' program has in its place: no logarithm, and |S| for |S^c|.
[[nodiscard]] Interval second_epsilon_as_released(int size, double epsilon, double budget_share,
                                                  long bits);

/// table[y][x] = P(Y = y | X = x).
using ResponseTable = std::vector<std::vector<Interval>>;

/// Algorithm 2 step by step: every outsider R that the first step may give, then the answer of
/// standard randomised response on S u {R}. Where S has every category there is no R.
[[nodiscard]] ResponseTable response_table(int categories, const std::vector<int>& subset,
                                           const Interval& epsilon_1, const Interval& epsilon_2);
/// With the epsilon_2 of Theorem 1.
[[nodiscard]] ResponseTable response_table(const LocalMechanism& mechanism, long bits);

/// max over x, x', y of log(P(y | x) / P(y | x')): of each answer the largest probability over the
/// smallest.
[[nodiscard]] Interval true_epsilon(const ResponseTable& table);

/// P(Y = x | X = x) of every x, without the rest of the table.
[[nodiscard]] std::vector<Interval> honest_responses(const LocalMechanism& mechanism, long bits);

}  // namespace assay::verify
