#pragma once
#include <vector>

#include "verify/oracles/local_response.hpp"

namespace assay::verify {

/// A mechanism and who is asked: theta_i = weights_i / sum of weights, each weight exact.
struct LocalPopulation {
    LocalMechanism mechanism;
    std::vector<double> weights;
};

[[nodiscard]] std::vector<Interval> frequencies(const std::vector<double>& weights, long bits);
/// h(y) = sum_x P(y | x) theta_x.
[[nodiscard]] std::vector<Interval> marginals(const ResponseTable& table,
                                              const std::vector<Interval>& theta);

/// U1 .. U6 of aydin2024 Section 4.2 by their definitions, `number` from 1 to 6; U1 drops the
/// smallest theta, of equal ones the last.
[[nodiscard]] Interval local_utility(int number, const LocalPopulation& population, long bits);

/// The Fisher information of theta without component `dropped`, A_yx = P(y | x) - P(y | dropped),
/// F = sum_y A_y^T A_y / h(y).
[[nodiscard]] std::vector<std::vector<Interval>> fisher_information(
    const ResponseTable& table, const std::vector<Interval>& marginal, int dropped);

/// The component that U1 drops.
[[nodiscard]] int smallest_component(const std::vector<double>& weights);

// By elimination in intervals; the whole line where a pivot may be 0.
[[nodiscard]] Interval determinant(std::vector<std::vector<Interval>> matrix);
[[nodiscard]] std::vector<std::vector<Interval>> inverse(std::vector<std::vector<Interval>> matrix);

[[nodiscard]] Interval response_determinant(const LocalMechanism& mechanism, long bits);
[[nodiscard]] Interval fisher_determinant(const LocalPopulation& population, long bits);
[[nodiscard]] Interval trace_inverse_fisher(const LocalPopulation& population, int dropped,
                                            long bits);
/// tr(G^-1 diag(h) G^-T - theta theta^T).
[[nodiscard]] Interval trace_full_covariance(const LocalPopulation& population, long bits);

/// The k largest weights, of equal ones the first.
[[nodiscard]] std::vector<int> most_probable(const std::vector<double>& weights, int size);

/// From the least to the greatest size 0 .. K-1 at which the utility may be the largest, S being
/// the most probable categories.
[[nodiscard]] Interval best_size(int number, const LocalPopulation& population, long bits);

/// The largest U6 over all 2^K - 1 sets but the one with every category.
[[nodiscard]] Interval largest_honest_response(const LocalPopulation& population, long bits);

}  // namespace assay::verify
