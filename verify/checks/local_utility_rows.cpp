#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "assay/ldp/utilities.hpp"
#include "verify/checks/law_parts.hpp"
#include "verify/checks/local_rows.hpp"
#include "verify/checks/routes.hpp"
#include "verify/rows.hpp"

// The utilities U1 .. U6 of aydin2024 and what stands behind the first.

namespace assay::verify {

namespace {

constexpr double any_width = std::numeric_limits<double>::infinity();
constexpr double narrow_utility = 1e-11;

constexpr const char* utility_names[] = {"fisher_information",        "entropy",
                                         "posterior_total_variation", "marginal_total_variation",
                                         "mean_squared_error",        "honest_response"};

const char* name_of(int number) {
    return utility_names[number - 1];
}

std::string utility_quantity(int number) {
    return fmt::format("utility.{}", name_of(number));
}

/// Where no utility is infinite; U1 inverts matrices.
Space space_of(int number) {
    return population_space(number == 1 ? 8.0 : 20.0, 1.0, true);
}

using PopulationTruth = std::function<Interval(const LocalPopulation&, long bits)>;

Check population_row(const std::string& quantity, Space space, int quick, int full, double widest,
                     PopulationTruth truth) {
    Check row = library_row(fmt::format("{}.meets_definition", quantity),
                            "the answer contains the value of the definition (aydin2024 4.2)",
                            Relation::overlaps, std::move(space), quick, full);
    row.oracle = "the K x K table of Algorithm 2 and the definition";
    row.evaluate = [quantity](const Point& p) {
        return local_answer(quantity, arguments_of(population_at(p)));
    };
    row.truth = [truth = std::move(truth)](const Point& p, long bits) {
        return truth(population_at(p), bits);
    };
    row.widest = widest;
    return row;
}

std::vector<Check> utility_rows() {
    std::vector<Check> rows;
    for (int number = 1; number <= 6; ++number) {
        rows.push_back(population_row(utility_quantity(number), space_of(number),
                                      number == 1 ? 20 : 30, number == 1 ? 600 : 1500,
                                      narrow_utility,
                                      [number](const LocalPopulation& population, long bits) {
                                          return local_utility(number, population, bits);
                                      }));
        rows.push_back(edge_reference(rows.back()));
    }
    return rows;
}

std::vector<Check> fisher_rows() {
    const Space space = population_space(6.0, 0.0, true);
    const auto last = [](const LocalPopulation& p, long bits) {
        return trace_inverse_fisher(p, p.mechanism.categories - 1, bits);
    };
    const auto smallest = [](const LocalPopulation& p, long bits) {
        return trace_inverse_fisher(p, smallest_component(p.weights), bits);
    };
    return {
        population_row("rrrr.response_matrix_determinant", space, 20, 600, narrow_utility,
                       [](const LocalPopulation& p, long bits) {
                           return response_determinant(p.mechanism, bits);
                       }),
        population_row("rrrr.fisher_determinant", space, 20, 600, narrow_utility,
                       fisher_determinant),
        population_row("rrrr.trace_full_covariance", space, 20, 600, narrow_utility,
                       trace_full_covariance),
        population_row("rrrr.trace_inverse_fisher_drop_last", space, 20, 600, narrow_utility, last),
        population_row("rrrr.trace_inverse_fisher_drop_smallest", space, 20, 600, narrow_utility,
                       smallest),
    };
}

/// Without epsilon_1 or without epsilon_2 the answers do not determine theta.
Check singular_row() {
    Space space = population_space(12.0, 0.0, false);
    for (Dimension& d : space.dimensions)
        if (d.name == "kappa") d = {"kappa", Scale::linear, 0.0, 1.0, true, {0.0, 1.0}};
    // k = 0 is standard randomised response; with one outsider epsilon_2 does not matter.
    space.admits = [](const Point& p) {
        return p["k"] >= 1.0 && p["k"] <= p["K"] - (p["kappa"] == 1.0 ? 2.0 : 0.0);
    };
    Check row = population_row("rrrr.response_matrix_determinant", std::move(space), 10, 200,
                               any_width, {});
    row.id = "rrrr.response_matrix_determinant.singular";
    row.claim = "G is singular for kappa = 0 and k > 0, and for kappa = 1 and 0 < k < K-1";
    row.relation = Relation::overlaps;
    row.oracle = "the table times a vector that is not 0";
    // 1_x - 1_x' of two categories with one distribution, or 1_S - (k/n) 1_rest.
    row.truth = [](const Point& p, long bits) {
        const LocalMechanism m = population_at(p).mechanism;
        const ResponseTable g = response_table(m, bits + 64);
        std::vector<bool> inside(g.size(), false);
        for (const int x : m.subset) inside[static_cast<std::size_t>(x)] = true;
        const long k = static_cast<long>(m.subset.size());
        Interval largest(0.0, bits);
        for (const auto& answers : g) {
            Interval sum(0.0, bits + 64);
            long seen = 0;
            for (std::size_t x = 0; x < g.size(); ++x) {
                const bool chosen = (m.budget_share == 0.0) == inside[x];
                if (k > 1 || m.budget_share == 1.0) {
                    if (chosen && seen < 2) sum += seen++ == 0 ? answers[x] : -answers[x];
                } else {
                    sum +=
                        inside[x] ? answers[x] : -(answers[x] / static_cast<double>(g.size() - 1));
                }
            }
            largest = max(largest, abs(sum));
        }
        return largest;
    };
    return row;
}

// ---- the best size -----------------------------------------------------------------------------

std::vector<Check> best_size_rows() {
    std::vector<Check> rows;
    for (int number = 1; number <= 6; ++number) {
        const std::string quantity = fmt::format("best_k.{}", name_of(number));
        Space space = population_space(number == 1 ? 5.0 : 8.0, 1.0, true);
        Check row = population_row(quantity, std::move(space), 10, 300, any_width, {});
        row.id = fmt::format("{}.overlaps_definition", quantity);
        row.claim =
            "the best size is among those whose utility no other certainly exceeds, "
            "k = 0 .. K-1 and S the k largest theta (aydin2024 (5))";
        row.relation = Relation::overlaps;
        row.truth = [number](const Point& p, long bits) {
            return best_size(number, population_at(p), bits);
        };
        rows.push_back(std::move(row));
    }
    return rows;
}

/// Library's largest U6 over k = 0 .. K-1 against all subsets.
Check theorem_2_row() {
    Space space = population_space(12.0, 1.0, false);
    Check row = library_row("aydin2024.theorem_2.all_subsets",
                            "Theorem 2: no set of categories has a larger U6 than the best of the "
                            "K sets of the most probable ones",
                            Relation::encloses, std::move(space), 5, 200);
    row.subject = "library: the largest utility.honest_response over k = 0 .. K-1";
    row.oracle = "the largest U6 over all 2^K - 1 sets";
    row.evaluate = [](const Point& p) {
        LocalPopulation population = population_at(p);
        Enclosure largest{0.0, 0.0};
        for (int k = 0; k < population.mechanism.categories; ++k) {
            population.mechanism.subset = most_probable(population.weights, k);
            const Enclosure one = local_answer("utility.honest_response", arguments_of(population));
            largest = {std::max(largest.lower, one.lower), std::max(largest.upper, one.upper)};
        }
        return largest;
    };
    row.truth = [](const Point& p, long bits) {
        return largest_honest_response(population_at(p), bits);
    };
    row.widest = 1e-13;
    return row;
}

// ---- the fast utilities ----------------------------------------------------------------------

constexpr double stated_accuracy = 4e-15;

/// Falling frequencies that are doubles of sum 1, as multiples of 2^-40.
LocalPopulation dyadic_population(const Point& p) {
    LocalPopulation population = population_at(p);
    std::vector<double>& weights = population.weights;
    const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
    double left = 0x1p40;
    for (double& w : weights) left -= w = std::floor(w / total * 0x1p40);
    weights.front() += left;
    return population;
}

std::vector<Check> fast_rows() {
    std::vector<Check> rows;
    for (int number = 1; number <= 6; ++number) {
        Space space = space_of(number);
        std::erase_if(space.dimensions, [](const Dimension& d) { return d.name == "falling"; });
        space.dimensions.push_back({"falling", Scale::linear, 1.0, 1.0, true, {1.0}});
        Check row = population_row(utility_quantity(number), std::move(space), 20,
                                   number == 1 ? 400 : 1000, any_width, {});
        row.id = fmt::format("ldp.by_size.{}.within_stated_accuracy", name_of(number));
        row.subject = "library: SubsetUtilities::by_size and its stated error";
        row.claim =
            "the fast utility is within 4e-15 of the truth: relative to -U1 + sum theta^2 for U1 "
            "and to max(1, |U2|) for U2, absolute for the others";
        row.evaluate = [number](const Point& p) {
            const LocalPopulation population = dyadic_population(p);
            std::vector<double> theta;
            double squares = 0.0;
            for (const double w : population.weights) {
                theta.push_back(w * 0x1p-40);
                squares += theta.back() * theta.back();
            }
            std::vector<double> values(theta.size());
            SubsetUtilities utilities(library_mechanism(population.mechanism));
            utilities.by_size(all_utilities[static_cast<std::size_t>(number - 1)], theta, values);
            const double value = values[population.mechanism.subset.size()];
            double slack = stated_accuracy;
            if (number == 1) slack *= squares - value;
            if (number == 2) slack *= std::max(1.0, -value);
            return Enclosure{value - slack, value + slack};
        };
        row.truth = [number](const Point& p, long bits) {
            return local_utility(number, dyadic_population(p), bits);
        };
        rows.push_back(std::move(row));
    }
    return rows;
}

// ---- distributions
// ------------------------------------------------------------------------------------

/// Categories renumbered: theta, S and the dropped component move along.
LocalPopulation relabelled(const LocalPopulation& population, const Point& p) {
    Draws draws = draws_at(p, "labels");
    std::vector<std::size_t> label(population.weights.size());
    std::iota(label.begin(), label.end(), std::size_t{0});
    for (std::size_t i = label.size(); i > 1; --i) std::swap(label[i - 1], label[draws.below(i)]);
    LocalPopulation moved = population;
    for (std::size_t i = 0; i < label.size(); ++i) moved.weights[label[i]] = population.weights[i];
    for (int& x : moved.mechanism.subset) x = static_cast<int>(label[static_cast<std::size_t>(x)]);
    return moved;
}

std::vector<Check> relabelling_laws() {
    std::vector<Check> rows;
    std::vector<std::string> quantities{"rrrr.trace_full_covariance", "rrrr.fisher_determinant"};
    for (int number = 1; number <= 6; ++number) quantities.push_back(utility_quantity(number));
    for (const std::string& quantity : quantities) {
        Space space = population_space(200.0, 1.0, true);
        if (quantity == utility_quantity(1))
            // Of several smallest theta the last is dropped, in S or not.
            space.admits = [](const Point& p) {
                if (p["k"] > p["K"] - 1.0) return false;
                std::vector<double> weights = population_at(p).weights;
                std::sort(weights.begin(), weights.end());
                return weights[0] < weights[1];
            };
        rows.push_back(equality_law(
            fmt::format("law.{}.relabelling", quantity),
            "the names of the categories do not matter", std::move(space), 15, 300,
            [quantity](const Point& p) {
                return interval_of(local_answer(quantity, arguments_of(population_at(p))));
            },
            [quantity](const Point& p) {
                return interval_of(
                    local_answer(quantity, arguments_of(relabelled(population_at(p), p))));
            }));
    }
    return rows;
}

std::vector<Check> utility_laws() {
    Space space = population_space(200.0, 1.0, true);
    space.dimensions.push_back(step_dimension());
    const auto at_more = [](const char* quantity, bool more) {
        return [=](const Point& p) {
            LocalPopulation population = population_at(p);
            if (more) population.mechanism.epsilon *= 1.0 + p["step"];
            return interval_of(local_answer(quantity, arguments_of(population)));
        };
    };
    return {at_most_law("law.utility.honest_response.rises_with_eps",
                        "more budget at one kappa, more honest answers", std::move(space), 20, 300,
                        at_more("utility.honest_response", false),
                        at_more("utility.honest_response", true)),
            at_most_law("law.rrrr.trace_inverse_fisher.at_most_full",
                        "all components have at least the variance of all but one",
                        population_space(200.0, 1.0, true), 20, 300,
                        at_more("rrrr.trace_inverse_fisher_drop_last", false),
                        at_more("rrrr.trace_full_covariance", false))};
}

std::vector<Check> single_rows() {
    return {singular_row(), theorem_2_row()};
}

}  // namespace

std::vector<Check> local_utility_rows() {
    return joined({utility_rows, fisher_rows, single_rows, best_size_rows, fast_rows,
                   relabelling_laws, utility_laws});
}

}  // namespace assay::verify
