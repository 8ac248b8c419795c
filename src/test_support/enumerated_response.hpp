#pragma once
#include <algorithm>
#include <cstddef>
#include <vector>

#include "assay/ldp/restricted_response.hpp"
#include "assay/ldp/utilities.hpp"
#include "test_support/test_support.hpp"

/// Independent truth for the unit tests of local privacy: Algorithm 2 of aydin2024 enumerated at
/// the exact values of the double parameters, in the digits of Real, and the utilities from their
/// definitions.
namespace assay::test_support {

template <class Real>
using WideColumn = std::vector<Real>;
template <class Real>
using WideMatrix = std::vector<WideColumn<Real>>;

template <class Real = Wide>
Real exact_complement_epsilon(const RestrictedResponse& m, int size) {
    const Real eps = m.epsilon;
    const Real eps1 = Real(m.budget_share) * eps;
    if (m.variant == ResponseVariant::as_released) {
        if (size == 0 || eps - eps1 >= log(Real(size))) return eps;
        const Real second = Real(size - 1) / (exp(eps1 - eps) * size - 1);
        return second < eps ? second : eps;
    }
    const int outside = m.categories - size;
    if (size == 0 || outside <= 1 || eps - eps1 >= log(Real(outside))) return eps;
    const Real second = log((outside - 1) / (exp(eps1 - eps) * outside - 1));
    return second < eps ? second : eps;
}

/// Standard randomised response: P(answer | truth) among `choices` categories.
template <class Real = Wide>
Real randomised(bool same, const Real& eps, std::size_t choices) {
    const Real scale = exp(eps) + (static_cast<double>(choices) - 1);
    return (same ? exp(eps) : Real(1)) / scale;
}

/// The probabilities of every answer, step by step through Algorithm 2. With S empty, and with
/// every category in it, there is no second step: standard randomised response.
template <class Real = Wide>
WideColumn<Real> enumerate_answers(const RestrictedResponse& m, const std::vector<int>& members,
                                   int truth) {
    const auto count = static_cast<std::size_t>(m.categories);
    const Real eps1 = Real(m.budget_share) * Real(m.epsilon);
    const Real eps2 = exact_complement_epsilon<Real>(m, static_cast<int>(members.size()));
    WideColumn<Real> answers(count, Real(0));
    const auto add = [&](int y, const Real& p) { answers[static_cast<std::size_t>(y)] += p; };
    const auto among = [](const std::vector<int>& set, int x) {
        return std::find(set.begin(), set.end(), x) != set.end();
    };
    if (members.size() == count) {
        for (int y = 0; y < m.categories; ++y) add(y, randomised(y == truth, eps1, count));
        return answers;
    }
    std::vector<int> others;
    for (int x = 0; x < m.categories; ++x)
        if (!among(members, x)) others.push_back(x);
    const bool inside = among(members, truth);
    for (const int outsider : others) {
        const Real chance = inside ? Real(1) / static_cast<double>(others.size())
                                   : randomised<Real>(outsider == truth, eps2, others.size());
        const int kept = inside ? truth : outsider;
        for (const int y : members)
            add(y, chance * randomised(y == kept, eps1, members.size() + 1));
        add(outsider, chance * randomised(outsider == kept, eps1, members.size() + 1));
    }
    return answers;
}

/// matrix[y][x] = g(y | x).
template <class Real = Wide>
WideMatrix<Real> enumerate_matrix(const RestrictedResponse& m, const std::vector<int>& members) {
    const auto count = static_cast<std::size_t>(m.categories);
    WideMatrix<Real> matrix(count, WideColumn<Real>(count));
    for (std::size_t x = 0; x < count; ++x) {
        const WideColumn<Real> column = enumerate_answers<Real>(m, members, static_cast<int>(x));
        for (std::size_t y = 0; y < count; ++y) matrix[y][x] = column[y];
    }
    return matrix;
}

/// tr A^-1 of a symmetric positive definite A, by elimination without pivots.
template <class Real = Wide>
Real trace_of_inverse(WideMatrix<Real> a) {
    const std::size_t n = a.size();
    WideMatrix<Real> inverse(n, WideColumn<Real>(n, Real(0)));
    for (std::size_t i = 0; i < n; ++i) inverse[i][i] = 1;
    for (std::size_t i = 0; i < n; ++i) {
        const Real pivot = 1 / a[i][i];
        for (std::size_t j = 0; j < n; ++j) {
            a[i][j] *= pivot;
            inverse[i][j] *= pivot;
        }
        for (std::size_t row = 0; row < n; ++row) {
            if (row == i) continue;
            const Real factor = a[row][i];
            for (std::size_t j = 0; j < n; ++j) {
                a[row][j] -= factor * a[i][j];
                inverse[row][j] -= factor * inverse[i][j];
            }
        }
    }
    Real trace = 0;
    for (std::size_t i = 0; i < n; ++i) trace += inverse[i][i];
    return trace;
}

/// The utility of aydin2024 Section 4.2 by its definition; U1 drops the last category.
template <class Real = Wide>
Real utility_by_definition(Utility utility, const WideMatrix<Real>& g,
                           const std::vector<double>& probability) {
    const std::size_t count = g.size();
    const WideColumn<Real> theta(probability.begin(), probability.end());
    WideColumn<Real> h(count, Real(0));
    for (std::size_t y = 0; y < count; ++y)
        for (std::size_t x = 0; x < count; ++x) h[y] += g[y][x] * theta[x];
    Real sum = 0;
    if (utility == Utility::fisher_information) {
        WideMatrix<Real> fisher(count - 1, WideColumn<Real>(count - 1, Real(0)));
        for (std::size_t i = 0; i + 1 < count; ++i)
            for (std::size_t j = 0; j + 1 < count; ++j)
                for (std::size_t y = 0; y < count; ++y)
                    fisher[i][j] +=
                        (g[y][i] - g[y][count - 1]) * (g[y][j] - g[y][count - 1]) / h[y];
        return -trace_of_inverse(fisher);
    }
    for (std::size_t y = 0; y < count; ++y) {
        if (utility == Utility::entropy) sum += h[y] * log(h[y]);
        if (utility == Utility::marginal_total_variation) sum -= abs(h[y] - theta[y]) / 2;
        if (utility == Utility::honest_response) sum += g[y][y] * theta[y];
        if (utility == Utility::posterior_total_variation)
            for (std::size_t x = 0; x < count; ++x) sum += abs(g[y][x] - h[y]) * theta[x] / 2;
        if (utility == Utility::mean_squared_error)
            for (std::size_t x = 0; x < count; ++x)
                sum += g[y][x] * g[y][x] * theta[x] * theta[x] / h[y];
    }
    return utility == Utility::mean_squared_error ? Real(sum - 1) : sum;
}

}  // namespace assay::test_support
