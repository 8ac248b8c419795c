#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "assay/ldp/response_audit.hpp"
#include "verify/checks/law_parts.hpp"
#include "verify/checks/local_rows.hpp"
#include "verify/checks/routes.hpp"
#include "verify/rows.hpp"

// The mechanism of aydin2024: its probabilities, its epsilon_2 and Theorem 1.

namespace assay::verify {

namespace {

constexpr double narrow = 1e-13;

/// One value of `assay eval` at a mechanism, against a route of the enumeration. Where the value is
/// a double (epsilon itself, 1/4, 0), the answer is that point and no oracle is narrower: the two
/// have to meet, and the answer to be narrow.
using MechanismTruth = std::function<Interval(const LocalMechanism&, long bits)>;

Check mechanism_row(const char* quantity, Space space, int quick, int full, double widest,
                    MechanismTruth truth) {
    Check row = library_row(fmt::format("{}.meets_enumeration", quantity),
                            "the answer contains the value of Algorithm 2, step by step",
                            Relation::overlaps, std::move(space), quick, full);
    row.oracle = "enumeration of Algorithm 2 (aydin2024)";
    row.evaluate = [quantity](const Point& p) {
        return local_answer(quantity, arguments_of(mechanism_at(p)));
    };
    row.truth = [truth = std::move(truth)](const Point& p, long bits) {
        return truth(mechanism_at(p), bits);
    };
    row.widest = widest;
    return row;
}

Interval second_of(const LocalMechanism& m, long bits) {
    return second_epsilon(m.categories, static_cast<int>(m.subset.size()), m.epsilon,
                          m.budget_share, bits);
}

Interval epsilon_of(const LocalMechanism& m, long bits) {
    return true_epsilon(response_table(m, bits));
}

/// y and x, drawn.
struct Pair {
    int y;
    int x;
};

Pair pair_at(const Point& p) {
    Draws draws = draws_at(p, "answer");
    const auto count = static_cast<std::size_t>(p.integer("K"));
    const int y = static_cast<int>(draws.below(count));
    // Honest answers, a K-th of all, are tried as often as the others.
    return {y, draws.uniform() < 0.5 ? y : static_cast<int>(draws.below(count))};
}

formulas::Arguments with_answer(formulas::Arguments arguments, const Pair& pair) {
    arguments.set("y", pair.y + 1.0);
    arguments.set("x", pair.x + 1.0);
    return arguments;
}

std::vector<Check> probability_rows() {
    std::vector<Check> rows;
    Check one = mechanism_row("rrrr.response_probability", population_space(20.0, 0.0, false), 60,
                              3000, narrow, {});
    one.evaluate = [](const Point& p) {
        return local_answer("rrrr.response_probability",
                            with_answer(arguments_of(population_at(p).mechanism), pair_at(p)));
    };
    one.truth = [](const Point& p, long bits) {
        const Pair pair = pair_at(p);
        return response_table(
            population_at(p).mechanism,
            bits + 64)[static_cast<std::size_t>(pair.y)][static_cast<std::size_t>(pair.x)];
    };
    rows.push_back(one);
    rows.push_back(edge_reference(one));
    one.id = "rrrr.response_marginal.meets_enumeration";
    one.subject = "library: rrrr.response_marginal";
    one.evaluate = [](const Point& p) {
        return local_answer("rrrr.response_marginal",
                            with_answer(arguments_of(population_at(p)), pair_at(p)));
    };
    one.truth = [](const Point& p, long bits) {
        const LocalPopulation population = population_at(p);
        return marginals(
            response_table(population.mechanism, bits + 64),
            frequencies(population.weights, bits + 64))[static_cast<std::size_t>(pair_at(p).y)];
    };
    rows.push_back(std::move(one));
    return rows;
}

std::vector<Check> honest_rows() {
    Space space = mechanism_space(20.0);
    space.dimensions.push_back(
        {"ratio", Scale::linear, 1.0, 3.0, false, {1.0, 1.0 + 0x1p-40, 2.0, 3.0}});
    Check geometric =
        mechanism_row("rrrr.honest_probability_geometric", std::move(space), 30, 1500, narrow, {});
    geometric.evaluate = [](const Point& p) {
        formulas::Arguments arguments = arguments_of(mechanism_at(p));
        arguments.set("ratio", p["ratio"]);
        return local_answer("rrrr.honest_probability_geometric", arguments);
    };
    geometric.truth = [](const Point& p, long bits) {
        const LocalMechanism m = mechanism_at(p);
        const long q = bits + 64;
        Interval sum(0.0, q);
        Interval total(0.0, q);
        Interval weight(1.0, q);
        for (const Interval& honest : honest_responses(m, q)) {
            sum += weight * honest;
            total += weight;
            weight /= Interval(p["ratio"], q);
        }
        return sum / total;
    };
    Check standard =
        mechanism_row("srr.honest_probability",
                      {{categories_dimension(2.0, 1e4), local_epsilon_dimension(500.0)}, {}}, 20,
                      1000, narrow, {});
    standard.oracle = "e^eps / (e^eps + K - 1)";
    standard.claim = "the answer contains the probability of the definition (aydin2024)";
    standard.evaluate = [](const Point& p) {
        formulas::Arguments arguments;
        arguments.set("K", p["K"]);
        arguments.set("eps", p["eps"]);
        return local_answer("srr.honest_probability", arguments);
    };
    standard.truth = [](const Point& p, long bits) {
        const Interval e = exp(Interval(p["eps"], bits + 64));
        return e / (e + (p["K"] - 1.0));
    };
    return {std::move(geometric), std::move(standard)};
}

std::vector<Check> epsilon_rows() {
    std::vector<Check> rows;
    rows.push_back(
        mechanism_row("rrrr.epsilon_2", mechanism_space(1e5), 60, 4000, 1e-11,
                      [](const LocalMechanism& m, long bits) { return second_of(m, bits + 64); }));
    rows.back().oracle = "aydin2024 (2)";
    rows.back().claim = "the answer contains epsilon_2 of Theorem 1";
    rows.push_back(edge_reference(rows.back()));
    // Where the largest ratio is e^eps itself, no precision decides on which side it is.
    Check audit =
        mechanism_row("rrrr.max_log_ratio", mechanism_space(16.0), 20, 1500, narrow, epsilon_of);
    rows.push_back(audit);
    rows.push_back(edge_reference(audit));
    audit =
        mechanism_row("rrrr.max_log_ratio_as_released", mechanism_space(16.0), 20, 1500, 1e-12, {});
    audit.space.dimensions.push_back({"code_eps2", Scale::linear, 0.0, 20.0, false, {0.0, 1.0}});
    audit.evaluate = [](const Point& p) {
        formulas::Arguments arguments = arguments_of(mechanism_at(p));
        arguments.set("code_eps2", p["code_eps2"]);
        return local_answer("rrrr.max_log_ratio_as_released", arguments);
    };
    audit.truth = [](const Point& p, long bits) {
        const LocalMechanism m = mechanism_at(p);
        return true_epsilon(response_table(m.categories, m.subset,
                                           first_epsilon(m.epsilon, m.budget_share, bits + 64),
                                           Interval(p["code_eps2"], bits + 64)));
    };
    rows.push_back(std::move(audit));
    return rows;
}

// ---- Theorem 1 -----------------------------------------------------------------------------

/// All 29,232 mechanisms of K = 2 .. 30, k = 0 .. K-1, nine kappa and seven epsilon are corners.
Space theorem_space() {
    Space space{
        {{"K", Scale::linear, 2.0, 30.0, true, {}},
         {"kappa",
          Scale::linear,
          0.0,
          1.0,
          false,
          {0.0, 0.1, 0.25, 0.5, 0.75, 0.8, 0.9, 0.99, 1.0}},
         {"eps", Scale::logarithmic, 1e-2, 20.0, false, {0.1, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0}}},
        {}};
    for (int K = 2; K <= 30; ++K) space.dimensions.front().corners.push_back(K);
    return space;
}

constexpr int theorem_grid = 29 * 9 * 7;

std::vector<Interval> epsilons_of_all_sizes(const Point& p, long bits) {
    LocalMechanism m{static_cast<int>(p.integer("K")), {}, p["eps"], p["kappa"]};
    std::vector<Interval> found;
    for (int k = 0; k < m.categories; ++k) {
        m.subset.resize(static_cast<std::size_t>(k));
        std::iota(m.subset.begin(), m.subset.end(), 0);
        found.push_back(true_epsilon(response_table(m, bits + 64)));
    }
    return found;
}

std::vector<Check> theorem_rows() {
    Check safe = library_row("aydin2024.theorem_1.private",
                             "Theorem 1: with its epsilon_2 every ratio of two response "
                             "probabilities is at most e^eps, for every size of S",
                             Relation::at_least, theorem_space(), 10, 2 * theorem_grid);
    safe.subject = "epsilon, one rounding up";
    safe.oracle = "enumeration of Algorithm 2 for k = 0 .. K-1, the largest ratio";
    safe.evaluate = [](const Point& p) {
        // Equality is attained, so no precision decides against epsilon itself.
        return Enclosure{0.0, std::nextafter(p["eps"], 1e9)};
    };
    safe.truth = [](const Point& p, long bits) {
        Interval largest(0.0, bits);
        for (const Interval& one : epsilons_of_all_sizes(p, bits)) largest = max(largest, one);
        return largest;
    };
    Check tight = safe;
    tight.id = "aydin2024.theorem_1.attained";
    tight.claim =
        "Theorem 1 is tight for every size but K-1 (where S leaves one category and the "
        "mechanism has epsilon_1), and for that where epsilon_1 = epsilon";
    tight.relation = Relation::encloses;
    tight.subject = "the number of sizes: K-1, K where kappa = 1";
    tight.oracle = "enumeration of Algorithm 2, sizes whose largest ratio meets e^eps";
    tight.quick_points = 6;
    tight.evaluate = [](const Point& p) {
        const double count = p["kappa"] == 1.0 ? p["K"] : p["K"] - 1.0;
        return Enclosure{count, count};
    };
    tight.truth = [](const Point& p, long bits) {
        long count = 0;
        for (const Interval& one : epsilons_of_all_sizes(p, bits))
            count += overlap(one, Interval(p["eps"], bits)) ? 1 : 0;
        return Interval::integer(count, bits);
    };
    Check audit = library_row("ldp.audit_worst_size.meets_enumeration",
                              "the audit over all sizes contains the epsilon of the worst one",
                              Relation::overlaps, theorem_space(), 3, 400);
    audit.oracle = safe.oracle;
    audit.evaluate = [](const Point& p) {
        return audit_worst_size({.categories = static_cast<int>(p.integer("K")),
                                 .epsilon = p["eps"],
                                 .budget_share = p["kappa"]})
            .epsilon;
    };
    audit.truth = [](const Point& p, long bits) {
        Interval largest(0.0, bits);
        for (const Interval& one : epsilons_of_all_sizes(p, bits)) largest = max(largest, one);
        return largest;
    };
    audit.widest = narrow;
    return {std::move(safe), std::move(tight), std::move(audit)};
}

// ---- distributions
// ------------------------------------------------------------------------------------

Space with_step(Space space) {
    space.dimensions.push_back(step_dimension());
    return space;
}

Side at_mechanism(const char* quantity, std::function<void(LocalMechanism&, const Point&)> change) {
    return [=](const Point& p) {
        LocalMechanism m = mechanism_at(p);
        change(m, p);
        return interval_of(local_answer(quantity, arguments_of(m)));
    };
}

void unchanged(LocalMechanism&, const Point&) {}
void more_budget(LocalMechanism& m, const Point& p) {
    m.epsilon *= 1.0 + p["step"];
}
void larger_share(LocalMechanism& m, const Point& p) {
    m.budget_share += p["step"] * (1.0 - m.budget_share);
}
void one_more_member(LocalMechanism& m, const Point&) {
    m.subset.push_back(static_cast<int>(m.subset.size()));
}

std::vector<Check> monotone_laws() {
    Space space = with_step(mechanism_space(1000.0, 1.0));
    const auto distribution = [&](const char* what, const char* claim, Side small, Side large) {
        Space proper = space;
        // k = 0 is standard randomised response, whose epsilon_2 is epsilon.
        proper.admits = [](const Point& p) { return p["k"] >= 1.0 && p["k"] <= p["K"] - 1.0; };
        return at_most_law(fmt::format("law.rrrr.{}", what), claim, std::move(proper), 20, 500,
                           std::move(small), std::move(large));
    };
    std::vector<Check> rows{
        distribution("epsilon_2.rises_with_eps", "more budget at one kappa, a larger epsilon_2",
                     at_mechanism("rrrr.epsilon_2", unchanged),
                     at_mechanism("rrrr.epsilon_2", more_budget)),
        distribution("epsilon_2.falls_with_kappa",
                     "a larger share for epsilon_1, a smaller epsilon_2",
                     at_mechanism("rrrr.epsilon_2", larger_share),
                     at_mechanism("rrrr.epsilon_2", unchanged)),
        distribution("max_log_ratio.rises_with_eps", "more budget, a larger true epsilon",
                     at_mechanism("rrrr.max_log_ratio", unchanged),
                     at_mechanism("rrrr.max_log_ratio", more_budget)),
        distribution(
            "max_log_ratio.at_least_eps_1", "an answer inside S leaks epsilon_1",
            [](const Point& p) {
                const LocalMechanism m = mechanism_at(p);
                return first_epsilon(m.epsilon, m.budget_share, 128);
            },
            at_mechanism("rrrr.max_log_ratio", unchanged)),
    };
    Check size = distribution("epsilon_2.rises_with_size", "fewer outsiders, a larger epsilon_2",
                              at_mechanism("rrrr.epsilon_2", unchanged),
                              at_mechanism("rrrr.epsilon_2", one_more_member));
    size.space.admits = [](const Point& p) { return p["k"] >= 1.0 && p["k"] <= p["K"] - 2.0; };
    rows.push_back(std::move(size));
    return rows;
}

std::vector<Check> equality_laws() {
    Space nearly_all{{categories_dimension(2.0, 1000.0),
                      local_epsilon_dimension(),
                      share_dimension(),
                      {"ratio", Scale::linear, 1.0, 3.0, false, {1.0, 2.0}}},
                     {}};
    const auto honest = [](int left_out) {
        return [left_out](const Point& p) {
            Point sized = p;
            sized.set("k", p["K"] - left_out);
            formulas::Arguments arguments = arguments_of(mechanism_at(sized));
            arguments.set("ratio", p["ratio"]);
            return interval_of(local_answer("rrrr.honest_probability_geometric", arguments));
        };
    };
    return {
        equality_law("law.rrrr.honest_probability_geometric.all_but_one",
                     "S of K-1 and of all K categories give one mechanism, SRR(eps1)", nearly_all,
                     20, 300, honest(0), honest(1)),
        equality_law(
            "law.rrrr.response_marginal.sum", "the probabilities of all answers sum to 1",
            population_space(30.0, 0.0, false), 15, 300,
            [](const Point&) { return Interval(1.0, distribution_bits); },
            [](const Point& p) {
                formulas::Arguments arguments = arguments_of(population_at(p));
                Interval sum(0.0, distribution_bits);
                for (long y = 1; y <= p.integer("K"); ++y) {
                    arguments.set("y", static_cast<double>(y));
                    sum += interval_of(local_answer("rrrr.response_marginal", arguments));
                }
                return sum;
            }),
    };
}

}  // namespace

Check edge_reference(Check row) {
    row.id += "_at_edges";
    row.space = at_edges(std::move(row.space));
    row.quick_points = 15;
    row.full_points = 600;
    row.widest = std::numeric_limits<double>::infinity();
    return row;
}

std::vector<Check> local_privacy_rows() {
    return joined({probability_rows, honest_rows, epsilon_rows, theorem_rows, monotone_laws,
                   equality_laws, local_utility_rows, local_posterior_rows, posterior_sampler_rows,
                   response_distribution_rows});
}

}  // namespace assay::verify
