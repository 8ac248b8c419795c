#include "verify/oracles/local_posterior.hpp"

#include <algorithm>
#include <map>

#include "verify/oracles/integer_order_refine.hpp"
#include "verify/oracles/local_utilities.hpp"

namespace assay::verify {

namespace {

/// P(y_t | x) of every answer, by x.
std::vector<std::vector<Interval>> coefficients(const LocalAnswers& a, long p) {
    std::map<std::vector<int>, ResponseTable> tables;
    std::vector<std::vector<Interval>> rows;
    for (std::size_t t = 0; t < a.responses.size(); ++t) {
        const std::vector<int>& subset = a.subsets[t];
        auto table = tables.find(subset);
        if (table == tables.end())
            table = tables
                        .emplace(subset, response_table(
                                             {a.categories, subset, a.epsilon, a.budget_share}, p))
                        .first;
        rows.push_back(table->second[position(a.responses[t])]);
    }
    return rows;
}

Interval dot(const std::vector<Interval>& a, const std::vector<Interval>& b) {
    Interval sum(0.0, a.front().bits());
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
}

/// log prior + log likelihood of phi.
Interval log_posterior(const std::vector<std::vector<Interval>>& rows,
                       const std::vector<Interval>& phi, const std::vector<double>& rho) {
    const long p = phi.front().bits();
    Interval value(0.0, p);
    Interval total(0.0, p);
    for (std::size_t i = 0; i < phi.size(); ++i) {
        value += (Interval(rho[i], p) - 1.0) * log(phi[i]) - phi[i];
        total += phi[i];
    }
    for (const auto& row : rows) value += log(dot(row, phi) / total);
    return value;
}

/// Exponents of theta_1 and theta_2, and the coefficient.
using Polynomial = std::map<std::pair<long, long>, Interval>;

void add(Polynomial& sum, std::pair<long, long> exponents, const Interval& value) {
    const auto [term, is_new] = sum.emplace(exponents, value);
    if (!is_new) term->second += value;
}

/// The likelihood as a polynomial in all but the last component.
Polynomial likelihood(const std::vector<std::vector<Interval>>& rows, long p) {
    Polynomial product{{{0, 0}, Interval(1.0, p)}};
    for (const auto& row : rows) {
        const Interval& last = row.back();
        Polynomial next;
        for (const auto& [powers, value] : product) {
            add(next, powers, value * last);
            add(next, {powers.first + 1, powers.second}, value * (row[0] - last));
            if (row.size() == 3)
                add(next, {powers.first, powers.second + 1}, value * (row[1] - last));
        }
        product = std::move(next);
    }
    return product;
}

/// r (r+1) .. (r+count-1)
Interval rising(const Interval& r, long count) {
    Interval product(1.0, r.bits());
    for (long j = 0; j < count; ++j) product *= r + whole(j);
    return product;
}

/// Prior moments of the polynomial times theta_1^first theta_2^second.
Interval moment(const Polynomial& polynomial, const std::vector<Interval>& rho, long first,
                long second) {
    Interval total(0.0, rho.front().bits());
    for (const Interval& r : rho) total += r;
    Interval sum(0.0, total.bits());
    for (const auto& [powers, value] : polynomial) {
        const long a = powers.first + first;
        const long b = powers.second + second;
        sum += value * rising(rho[0], a) * rising(rho[1], b) / rising(total, a + b);
    }
    return sum;
}

LocalMoments moments_at(const LocalAnswers& answers, const std::vector<double>& shapes, long p) {
    std::vector<Interval> rho;
    for (const double r : shapes) rho.emplace_back(r, p);
    const Polynomial L = likelihood(coefficients(answers, p), p);
    const Interval evidence = moment(L, rho, 0, 0);
    LocalMoments found{log(evidence), {}, {}};
    // The last component is 1 - the others.
    Interval rest(1.0, p);
    Interval rest_square(1.0, p);
    for (std::size_t i = 0; i + 1 < rho.size(); ++i) {
        const long one = i == 0 ? 1 : 0;
        const Interval mean = moment(L, rho, one, 1 - one) / evidence;
        const Interval second = moment(L, rho, 2 * one, 2 - 2 * one) / evidence;
        found.mean.push_back(mean);
        found.variance.push_back(second - square(mean));
        rest -= mean;
        rest_square += second - 2.0 * mean;
    }
    if (rho.size() == 3) rest_square += 2.0 * moment(L, rho, 1, 1) / evidence;
    found.mean.push_back(rest);
    found.variance.push_back(rest_square - square(rest));
    return found;
}

bool is_narrow(const LocalMoments& m, double width) {
    const auto narrow = [&](const Interval& x) { return x.relative_width() <= width; };
    return narrow(m.log_marginal_likelihood) && std::all_of(m.mean.begin(), m.mean.end(), narrow) &&
           std::all_of(m.variance.begin(), m.variance.end(), narrow);
}

}  // namespace

Interval local_log_likelihood(const LocalAnswers& answers, const std::vector<double>& weights,
                              long bits) {
    return refined(bits, [&](long p) {
        const std::vector<Interval> theta = frequencies(weights, p);
        Interval sum(0.0, p);
        for (const auto& row : coefficients(answers, p)) sum += log(dot(row, theta));
        return sum;
    });
}

Interval local_gradient(const LocalAnswers& answers, const std::vector<double>& weights,
                        double scale, const std::vector<double>& rho, int i, long bits) {
    return refined(bits, [&](long p) {
        const long q = 3 * p;  // what the differences cancel comes on top
        std::vector<Interval> phi;
        for (const double w : weights) phi.push_back(Interval(w, q) / scale);
        const auto rows = coefficients(answers, q);
        const Interval x = phi[position(i)];
        const Interval delta = x * power(Interval(0.5, q), p);
        phi[position(i)] = x + delta;
        const Interval above = log_posterior(rows, phi, rho);
        phi[position(i)] = x - delta;
        const Interval below = log_posterior(rows, phi, rho);
        // Two logarithms an answer, of opposite signs, and one of the prior.
        const Interval third =
            2.0 *
            (whole(static_cast<long>(rows.size())) + abs(Interval(rho[position(i)], q) - 1.0)) /
            power(x - delta, 3);
        const Interval error = square(delta) * third / 6.0;
        return (above - below) / (2.0 * delta) + hull(-error, error);
    });
}

LocalMoments local_moments(const LocalAnswers& answers, const std::vector<double>& rho, long bits) {
    const double wanted = std::ldexp(1.0, static_cast<int>(-bits));
    LocalMoments found = moments_at(answers, rho, bits + 64);
    for (long p = 2 * bits + 64; p < 8 * bits + 2048 && !is_narrow(found, wanted); p *= 2)
        found = moments_at(answers, rho, p);
    return found;
}

}  // namespace assay::verify
