#include <array>
#include <cmath>

#include "assay/ldp/restricted_response.hpp"
#include "verify/checks/deviance.hpp"
#include "verify/checks/local_rows.hpp"
#include "verify/checks/routes.hpp"
#include "verify/rows.hpp"

// The probabilities that answers are drawn with, in double precision, and the answers drawn.

namespace assay::verify {

namespace {

/// A row and a column of the table for each of the five probabilities; S = {0 .. k-1}.
struct Cell {
    int y;
    int x;
};

Cell cell_at(const Point& p) {
    const int last = static_cast<int>(p.integer("K")) - 1;
    const std::array<Cell, 5> cells{{{0, 0}, {0, last}, {last, 0}, {last, last}, {last, last - 1}}};
    return cells.at(static_cast<std::size_t>(p.integer("cell")));
}

/// Where every one of the five exists.
bool has_all_cells(const Point& p) {
    return p["k"] >= 1.0 && p["k"] <= p["K"] - 2.0;
}

double library_probability(const Point& p) {
    const LocalMechanism m = mechanism_at(p);
    const auto k = static_cast<int>(m.subset.size());
    const Cell cell = cell_at(p);
    return response_distribution(library_mechanism(m), k)
        .probability(cell.y < k, cell.x < k, cell.y == cell.x);
}

/// Twice the 4 + eps ulp of the distribution and the 4 ulp of epsilon_2, or e^eps2 2^-51 / (n-1)
/// for it.
double stated_error(const Point& p) {
    const LocalMechanism m = mechanism_at(p);
    const auto k = static_cast<int>(m.subset.size());
    const double second =
        second_epsilon(m.categories, k, m.epsilon, m.budget_share, 96).upper_double();
    const double outside = m.categories - k;
    return 2.0 * (0x1p-52 * (4.0 + m.epsilon + 4.0 * second) +
                  0x1p-51 * std::exp(second) / (outside - 1.0));
}

Check law_row(const char* name, Space space, int quick, int full) {
    Check row = library_row(name,
                            "a probability of an answer is that of Algorithm 2 with the epsilon_2 "
                            "of Theorem 1, within its stated error",
                            Relation::encloses, std::move(space), quick, full);
    row.subject = "library: response_distribution and its stated error";
    row.oracle = "enumeration of Algorithm 2 (aydin2024)";
    row.evaluate = [](const Point& p) {
        const double value = library_probability(p);
        const double error = stated_error(p);
        return Enclosure{value / (1.0 + error), value * (1.0 + error)};
    };
    row.truth = [](const Point& p, long bits) {
        const Cell cell = cell_at(p);
        return response_table(mechanism_at(p), bits + 64)
            .at(static_cast<std::size_t>(cell.y))
            .at(static_cast<std::size_t>(cell.x));
    };
    return row;
}

Space cells_space(Space space) {
    space.dimensions.push_back({"cell", Scale::linear, 0, 4, true, {0, 1, 2, 3, 4}});
    return space;
}

std::vector<Check> distribution_rows_of_doubles() {
    Space anywhere = mechanism_space(16.0, 2.0);
    for (Dimension& d : anywhere.dimensions)
        if (d.name == "eps") d = local_epsilon_dimension(20.0);
    anywhere.admits = has_all_cells;
    return {
        law_row("rrrr.response_law.meets_enumeration", cells_space(std::move(anywhere)), 40, 600),
        law_row("rrrr.response_law.between_edges",
                cells_space(between_edges(mechanism_space(16.0, 2.0))), 40, 600)};
}

Check second_epsilon_row() {
    Check row =
        library_row("rrrr.epsilon_2.meets_enumeration_between_edges",
                    "where the bound of Theorem 1 exceeds epsilon, the answer contains "
                    "epsilon and is narrow",
                    Relation::overlaps, between_edges(mechanism_space(1000.0, 2.0)), 20, 400);
    row.oracle = "aydin2024 (2)";
    row.evaluate = [](const Point& p) {
        return local_answer("rrrr.epsilon_2", arguments_of(mechanism_at(p)));
    };
    row.truth = [](const Point& p, long bits) {
        const LocalMechanism m = mechanism_at(p);
        return second_epsilon(m.categories, static_cast<int>(m.subset.size()), m.epsilon,
                              m.budget_share, bits + 64);
    };
    row.widest = 1e-11;
    return row;
}

// ---- answers -------------------------------------------------------------------------------

/// How often a category x answers each y, for a set of any members in any order.
Events answer_events(const Point& p) {
    constexpr int trials = 20'000;
    const LocalPopulation population = population_at(p);
    const LocalMechanism& m = population.mechanism;
    const CategorySubset subset(m.categories, m.subset);
    const ResponseDistribution distribution =
        response_distribution(library_mechanism(m), subset.size());
    const ResponseTable table = response_table(m, 96);
    Events events;
    for (int x = 0; x < m.categories; ++x) {
        RandomStream stream(static_cast<std::uint64_t>(p.integer("seed")), Purpose::local_response,
                            static_cast<std::uint64_t>(x));
        std::vector<double> counts(static_cast<std::size_t>(m.categories), 0.0);
        for (int trial = 0; trial < trials; ++trial)
            counts.at(static_cast<std::size_t>(respond(stream, distribution, subset, x))) += 1.0;
        for (std::size_t y = 0; y < counts.size(); ++y)
            events.add(counts[y], trials, table[y][static_cast<std::size_t>(x)]);
    }
    return events;
}

Check answers_row() {
    Space space = population_space(6.0, 0.0, false);
    for (Dimension& d : space.dimensions)
        if (d.name == "eps") d = local_epsilon_dimension(5.0);
    space.admits = [](const Point& p) { return p["k"] <= p["K"] - 1.0; };
    return events_row("rrrr.respond.law",
                      "every category gives every answer as often as Algorithm 2 says",
                      std::move(space), 12, 120, answer_events);
}

std::vector<Check> single_rows() {
    return {second_epsilon_row(), answers_row()};
}

}  // namespace

std::vector<Check> response_distribution_rows() {
    return joined({distribution_rows_of_doubles, single_rows});
}

}  // namespace assay::verify
