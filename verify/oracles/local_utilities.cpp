#include "verify/oracles/local_utilities.hpp"

#include <algorithm>
#include <numeric>

#include "verify/oracles/integer_order_refine.hpp"

namespace assay::verify {

namespace {

using Matrix = std::vector<std::vector<Interval>>;

constexpr long most_bits = 3000;  // of an elimination

Interval zero(const Interval& like) {
    return Interval(0.0, like.bits());
}

/// The table, theta and h at one precision.
struct Values {
    ResponseTable g;
    std::vector<Interval> theta;
    std::vector<Interval> h;

    Values(const LocalPopulation& population, long p)
        : g(response_table(population.mechanism, p)),
          theta(frequencies(population.weights, p)),
          h(marginals(g, theta)) {
        if (p > most_bits) throw Unaffordable();
    }
};

Interval trace(const Matrix& matrix) {
    Interval sum = zero(matrix.front().front());
    for (std::size_t i = 0; i < matrix.size(); ++i) sum += matrix[i][i];
    return sum;
}

Interval entropy(const Values& v) {
    Interval sum = zero(v.h.front());
    for (const Interval& h : v.h) sum += h * log(h);
    return sum;
}

Interval posterior_total_variation(const Values& v) {
    Interval sum = zero(v.h.front());
    for (std::size_t y = 0; y < v.h.size(); ++y)
        for (std::size_t x = 0; x < v.h.size(); ++x)
            sum += abs(v.g[y][x] * v.theta[x] - v.h[y] * v.theta[x]);
    return sum / 2.0;
}

Interval marginal_total_variation(const Values& v) {
    Interval sum = zero(v.h.front());
    for (std::size_t y = 0; y < v.h.size(); ++y) sum += abs(v.h[y] - v.theta[y]);
    return -(sum / 2.0);
}

/// -min E |e_X - e|^2: the mean of 1 - 2 nu_X + sum nu^2 over X and Y, nu = P(X = . | Y).
Interval mean_squared_error(const Values& v) {
    Interval sum = zero(v.h.front());
    for (std::size_t y = 0; y < v.h.size(); ++y) {
        Interval norm = zero(v.h.front());
        std::vector<Interval> nu;
        for (std::size_t x = 0; x < v.h.size(); ++x) {
            nu.push_back(v.g[y][x] * v.theta[x] / v.h[y]);
            norm += square(nu.back());
        }
        for (std::size_t x = 0; x < v.h.size(); ++x)
            sum += v.g[y][x] * v.theta[x] * (1.0 - 2.0 * nu[x] + norm);
    }
    return -sum;
}

Interval honest(const Values& v) {
    Interval sum = zero(v.h.front());
    for (std::size_t y = 0; y < v.h.size(); ++y) sum += v.g[y][y] * v.theta[y];
    return sum;
}

Interval by_definition(int number, const Values& v, int dropped) {
    switch (number) {
        case 1: return -trace(inverse(fisher_information(v.g, v.h, dropped)));
        case 2: return entropy(v);
        case 3: return posterior_total_variation(v);
        case 4: return marginal_total_variation(v);
        case 5: return mean_squared_error(v);
        default: return honest(v);
    }
}

/// Rows of [matrix | right] reduced until `matrix` is the unit matrix; false where a pivot may be
/// 0. `product` becomes that of the pivots.
bool eliminate(Matrix& matrix, Matrix* right, Interval& product) {
    const std::size_t n = matrix.size();
    for (std::size_t i = 0; i < n; ++i) {
        const Interval pivot = matrix[i][i];
        product *= pivot;
        if (!abs(pivot).is_positive()) return false;
        for (std::size_t row = right == nullptr ? i + 1 : 0; row < n; ++row) {
            if (row == i) continue;
            const Interval factor = matrix[row][i] / pivot;
            for (std::size_t j = i + 1; j < n; ++j) matrix[row][j] -= factor * matrix[i][j];
            if (right == nullptr) continue;
            for (std::size_t j = 0; j < n; ++j) (*right)[row][j] -= factor * (*right)[i][j];
        }
    }
    if (right != nullptr)
        for (std::size_t i = 0; i < n; ++i)
            for (Interval& entry : (*right)[i]) entry /= matrix[i][i];
    return true;
}

LocalPopulation with_size(const LocalPopulation& population, int size) {
    LocalPopulation changed = population;
    changed.mechanism.subset = most_probable(population.weights, size);
    return changed;
}

}  // namespace

std::vector<Interval> frequencies(const std::vector<double>& weights, long bits) {
    Interval total(0.0, bits);
    for (const double w : weights) total += Interval(w, bits);
    std::vector<Interval> theta;
    for (const double w : weights) theta.push_back(Interval(w, bits) / total);
    return theta;
}

std::vector<Interval> marginals(const ResponseTable& table, const std::vector<Interval>& theta) {
    std::vector<Interval> h;
    for (const auto& row : table) {
        h.push_back(zero(theta.front()));
        for (std::size_t x = 0; x < theta.size(); ++x) h.back() += row[x] * theta[x];
    }
    return h;
}

int smallest_component(const std::vector<double>& weights) {
    const auto last = std::min_element(weights.rbegin(), weights.rend());
    return static_cast<int>(weights.rend() - last) - 1;
}

Matrix fisher_information(const ResponseTable& table, const std::vector<Interval>& marginal,
                          int dropped) {
    const int K = static_cast<int>(table.size());
    std::vector<int> kept;
    for (int x = 0; x < K; ++x)
        if (x != dropped) kept.push_back(x);
    Matrix F(kept.size(), std::vector<Interval>(kept.size(), zero(marginal.front())));
    for (std::size_t y = 0; y < table.size(); ++y) {
        std::vector<Interval> a;
        for (const int x : kept) a.push_back(table[y][position(x)] - table[y][position(dropped)]);
        for (std::size_t i = 0; i < kept.size(); ++i)
            for (std::size_t j = 0; j < kept.size(); ++j) F[i][j] += a[i] * a[j] / marginal[y];
    }
    return F;
}

Interval determinant(Matrix matrix) {
    Interval product(1.0, matrix.front().front().bits());
    return eliminate(matrix, nullptr, product) ? product : Interval::whole_line(product.bits());
}

Matrix inverse(Matrix matrix) {
    const std::size_t n = matrix.size();
    const long p = matrix.front().front().bits();
    Matrix right(n, std::vector<Interval>(n, Interval(0.0, p)));
    for (std::size_t i = 0; i < n; ++i) right[i][i] = Interval(1.0, p);
    Interval product(1.0, p);
    if (!eliminate(matrix, &right, product))
        right.assign(n, std::vector<Interval>(n, Interval::whole_line(p)));
    return right;
}

Interval local_utility(int number, const LocalPopulation& population, long bits) {
    return refined(bits, [&](long p) {
        return by_definition(number, Values(population, p), smallest_component(population.weights));
    });
}

Interval response_determinant(const LocalMechanism& mechanism, long bits) {
    return refined(bits, [&](long p) {
        if (p > most_bits) throw Unaffordable();
        return determinant(response_table(mechanism, p));
    });
}

Interval fisher_determinant(const LocalPopulation& population, long bits) {
    return refined(bits, [&](long p) {
        const Values v(population, p);
        return determinant(fisher_information(v.g, v.h, population.mechanism.categories - 1));
    });
}

Interval trace_inverse_fisher(const LocalPopulation& population, int dropped, long bits) {
    return refined(bits, [&](long p) {
        const Values v(population, p);
        return trace(inverse(fisher_information(v.g, v.h, dropped)));
    });
}

Interval trace_full_covariance(const LocalPopulation& population, long bits) {
    return refined(bits, [&](long p) {
        const Values v(population, p);
        const Matrix G = inverse(v.g);
        Interval sum(0.0, p);
        for (std::size_t i = 0; i < G.size(); ++i) {
            for (std::size_t y = 0; y < G.size(); ++y) sum += square(G[i][y]) * v.h[y];
            sum -= square(v.theta[i]);
        }
        return sum;
    });
}

std::vector<int> most_probable(const std::vector<double>& weights, int size) {
    std::vector<int> order(weights.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](int a, int b) { return weights[position(a)] > weights[position(b)]; });
    order.resize(position(size));
    return order;
}

Interval best_size(int number, const LocalPopulation& population, long bits) {
    std::vector<Interval> values;
    for (int k = 0; k < population.mechanism.categories; ++k)
        values.push_back(local_utility(number, with_size(population, k), bits));
    std::vector<long> possible;
    for (std::size_t k = 0; k < values.size(); ++k)
        if (std::none_of(values.begin(), values.end(),
                         [&](const Interval& other) { return certainly_below(values[k], other); }))
            possible.push_back(static_cast<long>(k));
    return Interval::between(Interval::integer(possible.front(), bits),
                             Interval::integer(possible.back(), bits));
}

Interval largest_honest_response(const LocalPopulation& population, long bits) {
    return refined(bits, [&](long p) {
        const int K = population.mechanism.categories;
        const std::vector<Interval> theta = frequencies(population.weights, p);
        Interval largest(0.0, p);
        for (unsigned set = 0; set + 1 < (1U << static_cast<unsigned>(K)); ++set) {
            LocalMechanism mechanism = population.mechanism;
            mechanism.subset.clear();
            for (int x = 0; x < K; ++x)
                if ((set >> static_cast<unsigned>(x) & 1U) != 0) mechanism.subset.push_back(x);
            Interval sum(0.0, p);
            const std::vector<Interval> honest = honest_responses(mechanism, p);
            for (int x = 0; x < K; ++x) sum += honest[position(x)] * theta[position(x)];
            largest = max(largest, sum);
        }
        return largest;
    });
}

}  // namespace assay::verify
