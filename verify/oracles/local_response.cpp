#include "verify/oracles/local_response.hpp"

#include <algorithm>

#include "verify/oracles/integer_order_refine.hpp"

namespace assay::verify {

namespace {

constexpr long exact_product_bits = 128;

/// SRR of one with `choices` categories.
struct Randomised {
    Interval same;
    Interval other;

    Randomised(const Interval& epsilon, int choices)
        : same(exp(epsilon) / (exp(epsilon) + whole(choices - 1))),
          other(1.0 / (exp(epsilon) + whole(choices - 1))) {}

    [[nodiscard]] const Interval& probability(bool is_same) const { return is_same ? same : other; }
};

std::vector<bool> membership(int categories, const std::vector<int>& subset) {
    std::vector<bool> inside(position(categories), false);
    for (const int member : subset) inside[position(member)] = true;
    return inside;
}

/// `special` where saved < log(count), eps elsewhere.
template <class Special>
Interval by_case(const Interval& eps, const Interval& saved, int count, Special special) {
    const Interval limit = log(Interval::integer(count, eps.bits()));
    if (certainly_at_most(limit, saved)) return eps;
    const Interval value = min(eps, special());
    return certainly_below(saved, limit) ? value : hull(eps, value);
}

}  // namespace

Interval first_epsilon(double epsilon, double budget_share, long bits) {
    const long p = std::max(bits, exact_product_bits);
    return Interval(budget_share, p) * Interval(epsilon, p);
}

Interval second_epsilon(int categories, int size, double epsilon, double budget_share, long bits) {
    const long p = std::max(bits, exact_product_bits);
    const Interval eps(epsilon, p);
    const int outside = categories - size;
    if (size == 0 || outside <= 1) return eps;
    const Interval saved = eps - first_epsilon(epsilon, budget_share, p);
    return by_case(eps, saved, outside, [&] {
        const Interval below = exp(-saved) * whole(outside) - 1.0;
        return below.is_positive() ? log(whole(outside - 1) / below) : eps;
    });
}

Interval second_epsilon_as_released(int size, double epsilon, double budget_share, long bits) {
    const long p = std::max(bits, exact_product_bits);
    const Interval eps(epsilon, p);
    if (size <= 1) return eps;
    const Interval saved = eps - first_epsilon(epsilon, budget_share, p);
    return by_case(eps, saved, size, [&] {
        const Interval below = exp(-saved) * whole(size) - 1.0;
        return below.is_positive() ? whole(size - 1) / below : eps;
    });
}

ResponseTable response_table(int categories, const std::vector<int>& subset,
                             const Interval& epsilon_1, const Interval& epsilon_2) {
    const std::vector<bool> inside = membership(categories, subset);
    const int outside = categories - static_cast<int>(subset.size());
    const long p = std::max(epsilon_1.bits(), epsilon_2.bits());
    ResponseTable table(position(categories),
                        std::vector<Interval>(position(categories), Interval(0.0, p)));
    if (outside == 0) {
        const Randomised answer(epsilon_1, categories);
        for (int y = 0; y < categories; ++y)
            for (int x = 0; x < categories; ++x)
                table[position(y)][position(x)] = answer.probability(x == y);
        return table;
    }
    const Randomised answer(epsilon_1, categories - outside + 1);
    const Randomised second(epsilon_2, outside);
    const Interval uniform = Interval(1.0, p) / whole(outside);
    for (int x = 0; x < categories; ++x) {
        for (int R = 0; R < categories; ++R) {
            if (inside[position(R)]) continue;
            const Interval& chance = inside[position(x)] ? uniform : second.probability(R == x);
            const int Z = inside[position(x)] ? x : R;
            const Interval same = chance * answer.same;
            const Interval other = chance * answer.other;
            for (const int y : subset) table[position(y)][position(x)] += y == Z ? same : other;
            table[position(R)][position(x)] += R == Z ? same : other;
        }
    }
    return table;
}

ResponseTable response_table(const LocalMechanism& m, long bits) {
    return response_table(m.categories, m.subset, first_epsilon(m.epsilon, m.budget_share, bits),
                          second_epsilon(m.categories, static_cast<int>(m.subset.size()), m.epsilon,
                                         m.budget_share, bits));
}

Interval true_epsilon(const ResponseTable& table) {
    Interval largest(1.0, table.front().front().bits());
    for (const auto& row : table) {
        Interval most = row.front();
        Interval least = row.front();
        for (const Interval& probability : row) {
            most = max(most, probability);
            least = min(least, probability);
        }
        largest = max(largest, most / least);
    }
    return log(largest);
}

std::vector<Interval> honest_responses(const LocalMechanism& m, long bits) {
    const std::vector<bool> inside = membership(m.categories, m.subset);
    const int size = static_cast<int>(m.subset.size());
    const int outside = m.categories - size;
    const Interval epsilon_1 = first_epsilon(m.epsilon, m.budget_share, bits);
    if (outside == 0)
        return std::vector<Interval>(inside.size(), Randomised(epsilon_1, m.categories).same);
    const Randomised answer(epsilon_1, size + 1);
    const Randomised second(second_epsilon(m.categories, size, m.epsilon, m.budget_share, bits),
                            outside);
    // In S whatever R is; else where R is x itself.
    const Interval within = whole(outside) * (answer.same / whole(outside));
    const Interval beyond = second.same * answer.same;
    std::vector<Interval> honest;
    for (const bool is_inside : inside) honest.push_back(is_inside ? within : beyond);
    return honest;
}

}  // namespace assay::verify
