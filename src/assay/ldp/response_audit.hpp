#pragma once
#include <span>

#include "assay/ldp/certified_response.hpp"

namespace assay {

/// The true epsilon of a mechanism, max over x, x', y of ln(g(y | x) / g(y | x')), and a triple
/// that attains it. Categories are numbered from 0, and S is the first `subset_size` of them.
struct ResponseAudit {
    Enclosure epsilon;  ///< nats; inf where an answer is possible under x and impossible under x'
    int subset_size = 0;
    int truth = 0;        ///< x
    int other_truth = 0;  ///< x'
    int response = 0;     ///< y
};

/// Audits the mechanism with a set of one size, by the four distinct ratios there are: inside
/// e^eps1; outside honest against other, honest against from inside, other against from inside.
///   Direction  enclosure; the triple's own ratio lies in it    Units  nats
///   Cost       O(1)                                            Throws  DomainError
[[nodiscard]] ResponseAudit audit_response(const RestrictedResponse& mechanism, int subset_size);

/// The same with a second privacy parameter given in place of the mechanism's, 0 <= epsilon_2.
[[nodiscard]] ResponseAudit audit_response(const RestrictedResponse& mechanism, int subset_size,
                                           double epsilon_2);

/// The worst over all sizes that the mechanism admits: the epsilon of a program that chooses among
/// them by anything but the category it answers for.
///   Cost       O(K)                                            Throws  DomainError
[[nodiscard]] ResponseAudit audit_worst_size(const RestrictedResponse& mechanism);

/// Audits the five doubles that `respond` compares its draws with: what their rounding costs.
///   Direction  enclosure, of these doubles as they are         Cost  O(1)
///   Throws     DomainError (distribution) unless they are probabilities > 0
[[nodiscard]] ResponseAudit audit_response(const ResponseDistribution& distribution);

/// Audits any response matrix, row x = the distribution of the answer of x (row-major).
///   Domain     entries >= 0, each row's sum within 10^-9 of 1; at least two rows
///   Direction  enclosure, of these doubles as they are; subset_size is 0
///   Cost       O(rows columns)                                 Throws  DomainError (matrix)
[[nodiscard]] ResponseAudit audit_matrix(std::span<const double> matrix, int rows, int columns);

}  // namespace assay
