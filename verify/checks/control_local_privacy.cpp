#include <algorithm>
#include <cmath>
#include <vector>

#include "verify/checks/control_parts.hpp"
#include "verify/checks/local_fixture.hpp"
#include "verify/checks/spaces.hpp"

namespace assay::verify {

namespace {

/// What may be wrong with a mechanism.
struct ResponseMistakes {
    bool no_logarithm = false;     // in epsilon_2
    bool counts_inside = false;    // |S| for |S^c| in epsilon_2
    bool swapped = false;          // the probabilities of honest and other answers in S
    bool one_choice_less = false;  // k for k + 1 choices of the last step
};

/// The five probabilities of RRRR, in long double.
struct Answers {
    long double honest_inside;
    long double other_inside;
    long double from_inside;
    long double honest_outside;
    long double other_outside;
    std::vector<bool> inside;

    [[nodiscard]] long double operator()(std::size_t y, std::size_t x) const {
        if (inside[y]) return x == y ? honest_inside : other_inside;
        if (inside[x]) return from_inside;
        return x == y ? honest_outside : other_outside;
    }
};

long double second_of(const LocalMechanism& m, const ResponseMistakes& mistakes) {
    const long double size = static_cast<long double>(m.subset.size());
    const long double n = mistakes.counts_inside ? size : m.categories - size;
    const long double eps = m.epsilon;
    const long double saved = eps - static_cast<long double>(m.budget_share) * eps;
    if (m.subset.empty() || !(saved < std::log(n))) return eps;
    const long double ratio = (n - 1.0L) / (n * std::exp(-saved) - 1.0L);
    return std::min(eps, mistakes.no_logarithm ? ratio : std::log(ratio));
}

Answers answers_of(const LocalMechanism& m, const ResponseMistakes& mistakes = {}) {
    const long double k = static_cast<long double>(m.subset.size());
    const long double n = m.categories - k;
    const long double e1 = std::exp(static_cast<long double>(m.budget_share) * m.epsilon);
    const long double e2 = std::exp(second_of(m, mistakes));
    const long double Z1 = e1 + k - (mistakes.one_choice_less ? 1.0L : 0.0L);
    const long double Z2 = e2 + n - 1.0L;
    Answers a{e1 / Z1, 1.0L / Z1, 1.0L / (Z1 * n), e1 * e2 / (Z1 * Z2), e1 / (Z1 * Z2), {}};
    if (mistakes.swapped) std::swap(a.honest_inside, a.other_inside);
    a.inside.assign(static_cast<std::size_t>(m.categories), false);
    for (const int x : m.subset) a.inside[static_cast<std::size_t>(x)] = true;
    return a;
}

/// K = 3 .. 10, 1 <= k <= K-2: both halves of the mechanism are at work.
Space both_halves(Space space) {
    space.dimensions.push_back({"K", Scale::linear, 3.0, 10.0, true, {3.0, 4.0}});
    space.dimensions.push_back({"k", Scale::linear, 1.0, 8.0, true, {1.0, 2.0}});
    space.dimensions.push_back({"eps", Scale::linear, 0.2, 5.0, false, {0.5, 1.0}});
    space.dimensions.push_back({"kappa", Scale::linear, 0.5, 0.95, false, {0.8, 0.9}});
    space.admits = [](const Point& p) { return p["k"] <= p["K"] - 2.0; };
    return space;
}

Space populations() {
    Space space = both_halves({});
    space.dimensions.push_back({"spread", Scale::linear, 0.0, 3.0, false, {1.0}});
    space.dimensions.push_back({"zeros", Scale::linear, 0.0, 0.3, false, {0.0}});
    space.dimensions.push_back({"falling", Scale::linear, 0.0, 1.0, true, {1.0}});
    space.dimensions.push_back(seed_dimension());
    return space;
}

Control second_epsilon_control(const char* what, const char* claim,
                               const ResponseMistakes& mistakes) {
    const Against theorem{"aydin2024 (2)",
                          [](const Point& p, long bits) {
                              const LocalMechanism m = mechanism_at(p);
                              return second_epsilon(m.categories, static_cast<int>(m.subset.size()),
                                                    m.epsilon, m.budget_share, bits + 64);
                          },
                          Relation::encloses};
    const auto subject = [](const ResponseMistakes& made) {
        return [made](const Point& p) { return near(second_of(mechanism_at(p), made)); };
    };
    return control(what, claim, theorem, both_halves({}), subject(mistakes), subject({}));
}

/// The claim that a mechanism with an epsilon_2 of this kind is epsilon-LDP.
Control privacy_control(const char* what, const char* claim, const ResponseMistakes& mistakes) {
    const auto table = [](const LocalMechanism& m, const ResponseMistakes& made) {
        return response_table(m.categories, m.subset, first_epsilon(m.epsilon, m.budget_share, 128),
                              Interval(static_cast<double>(second_of(m, made)), 128));
    };
    const Against claimed{
        "epsilon, as claimed",
        [](const Point& p, long bits) { return Interval(p["eps"], bits) * (1.0 + 1e-9); },
        Relation::at_most};
    const auto subject = [table](const ResponseMistakes& made) {
        return [made, table](const Point& p) {
            const Interval truth = true_epsilon(table(mechanism_at(p), made));
            return Enclosure{truth.lower_double(), truth.upper_double()};
        };
    };
    return control(what, claim, claimed, both_halves({}), subject(mistakes), subject({}));
}

Control probability_control(const char* what, const char* claim, const ResponseMistakes& mistakes) {
    const Against enumerated{
        "enumeration of Algorithm 2: P(Y = 1 | X = 1), 1 in S",
        [](const Point& p, long bits) { return response_table(mechanism_at(p), bits + 64)[0][0]; },
        Relation::encloses};
    const auto subject = [](const ResponseMistakes& made) {
        return [made](const Point& p) { return near(answers_of(mechanism_at(p), made)(0, 0)); };
    };
    return control(what, claim, enumerated, both_halves({}), subject(mistakes), subject({}));
}

/// factor sum_xy theta_x |g(y | x) - h(y)|
long double total_variation(const Point& p, long double factor) {
    const LocalPopulation population = population_at(p);
    const Answers g = answers_of(population.mechanism);
    const std::size_t K = population.weights.size();
    long double total = 0.0L;
    for (const double w : population.weights) total += w;
    long double sum = 0.0L;
    for (std::size_t y = 0; y < K; ++y) {
        long double h = 0.0L;
        for (std::size_t x = 0; x < K; ++x) h += g(y, x) * population.weights[x] / total;
        for (std::size_t x = 0; x < K; ++x)
            sum += std::abs(g(y, x) - h) * population.weights[x] / total;
    }
    return factor * sum;
}

Control half_dropped() {
    const Against definition{
        "U3 by its definition",
        [](const Point& p, long bits) { return local_utility(3, population_at(p), bits); },
        Relation::encloses};
    return control(
        "total_variation_without_half", "U3 without the factor 1/2 of aydin2024 Section 4.2.3",
        definition, populations(), [](const Point& p) { return near(total_variation(p, 1.0L)); },
        [](const Point& p) { return near(total_variation(p, 0.5L)); });
}

/// det F of two categories: (g(1|1) - g(1|2))^2 sum_y h(y)^power.
Enclosure coin_information(const Point& p, int power) {
    const LocalPopulation population = population_at(p);
    const Answers g = answers_of(population.mechanism);
    const long double theta =
        population.weights[0] /
        (static_cast<long double>(population.weights[0]) + population.weights[1]);
    long double sum = 0.0L;
    for (std::size_t y = 0; y < 2; ++y) {
        const long double h = g(y, 0) * theta + g(y, 1) * (1.0L - theta);
        sum += std::pow(g(y, 0) - g(y, 1), 2.0L) * std::pow(h, static_cast<long double>(power));
    }
    return near(sum);
}

Control weight_inverted() {
    Space space = populations();
    for (Dimension& d : space.dimensions) {
        if (d.name == "K") d = {"K", Scale::linear, 2.0, 2.0, true, {2.0}};
        if (d.name == "k") d = {"k", Scale::linear, 0.0, 1.0, true, {0.0}};
    }
    space.admits = [](const Point&) { return true; };
    const Against definition{
        "det F by the definition of F",
        [](const Point& p, long bits) { return fisher_determinant(population_at(p), bits); },
        Relation::encloses};
    return control(
        "fisher_information_weighted_by_h",
        "F = A^T D A with D = diag(h) for D^-1, one reading of aydin2024 Proposition 1", definition,
        std::move(space), [](const Point& p) { return coin_information(p, 1); },
        [](const Point& p) { return coin_information(p, -1); });
}

/// The component i of the gradient of Proposition 4, with g(y | i) or, swapped, g(i | y).
Enclosure gradient(const Point& p, bool swapped) {
    const LocalAnswers answers = answers_at(p);
    const auto i = static_cast<std::size_t>(p.integer("i"));
    const std::vector<double> phi = positive_numbers(p, "phi", answers.categories);
    const std::vector<double> rho = positive_numbers(p, "rho", answers.categories);
    long double total = 0.0L;
    for (const double one : phi) total += one;
    long double sum = (rho[i] - 1.0L) / phi[i] - 1.0L;
    long double size = std::abs(sum) + 2.0L;
    for (std::size_t t = 0; t < answers.responses.size(); ++t) {
        const Answers g = answers_of(
            {answers.categories, answers.subsets[t], answers.epsilon, answers.budget_share});
        const auto y = static_cast<std::size_t>(answers.responses[t]);
        long double h = 0.0L;
        for (std::size_t x = 0; x < phi.size(); ++x) h += g(y, x) * phi[x] / total;
        const long double term = ((swapped ? g(i, y) : g(y, i)) / h - 1.0L) / total;
        sum += term;
        size += std::abs(term);
    }
    // Terms of both signs may cancel.
    return enclose_between(sum - 1e-12L * size, sum + 1e-12L * size);
}

Control indices_swapped() {
    const Space space{{{"K", Scale::linear, 3.0, 6.0, true, {3.0}},
                       {"eps", Scale::linear, 0.2, 5.0, false, {0.5, 1.0}},
                       {"kappa", Scale::linear, 0.5, 0.95, false, {0.8, 0.9}},
                       {"n", Scale::linear, 1.0, 6.0, true, {1.0}},
                       {"i", Scale::linear, 0.0, 2.0, true, {0.0}},
                       seed_dimension()},
                      {}};
    const Against differences{"differences of the log posterior",
                              [](const Point& p, long bits) {
                                  const LocalAnswers answers = answers_at(p);
                                  return local_gradient(
                                      answers, positive_numbers(p, "phi", answers.categories), 1.0,
                                      positive_numbers(p, "rho", answers.categories),
                                      static_cast<int>(p.integer("i")), bits);
                              },
                              Relation::encloses};
    return control(
        "gradient_indices_swapped", "g(i | y) for g(y | i) in aydin2024 Proposition 4", differences,
        space, [](const Point& p) { return gradient(p, true); },
        [](const Point& p) { return gradient(p, false); });
}

/// Sample variance of one step of Langevin dynamics from one place, and 6 standard errors.
Enclosure step_variance(const Point& p, bool with_root) {
    constexpr int steps = 4000;
    const double gamma = p["gamma"];
    Draws draws = draws_at(p, "noise");
    double sum = 0.0;
    double squares = 0.0;
    for (int i = 0; i < steps; ++i) {
        const double move = (with_root ? std::sqrt(gamma) : gamma) * draws.normal();
        sum += move;
        squares += move * move;
    }
    const double variance = (squares - sum * sum / steps) / (steps - 1);
    const double slack = 6.0 * std::sqrt(2.0 / steps);
    return {variance * (1.0 - slack), variance * (1.0 + slack)};
}

Control root_dropped() {
    const Space space{{{"gamma", Scale::logarithmic, 1e-6, 1e-2, false, {1e-4}}, seed_dimension()},
                      {}};
    const Against distribution{"gamma",
                               [](const Point& p, long bits) { return Interval(p["gamma"], bits); },
                               Relation::encloses};
    return control(
        "langevin_noise_without_root",
        "noise of gamma W for sqrt(gamma) W, as aydin2024 (13) prints it: the variance of a step",
        distribution, space, [](const Point& p) { return step_variance(p, false); },
        [](const Point& p) { return step_variance(p, true); });
}

/// The size of the largest U6 among first .. K-1.
Enclosure best_from(const Point& p, int first) {
    const LocalPopulation population = population_at(p);
    LocalMechanism m = population.mechanism;
    long double best = -1.0L;
    double size = 0.0;
    for (int k = first; k < m.categories; ++k) {
        m.subset = most_probable(population.weights, k);
        const Answers g = answers_of(m);
        long double sum = 0.0L;
        for (std::size_t x = 0; x < population.weights.size(); ++x)
            sum += g(x, x) * population.weights[x];
        if (sum <= best) continue;
        best = sum;
        size = k;
    }
    return {size, size};
}

Control empty_set_left_out() {
    Space space = populations();
    for (Dimension& d : space.dimensions)
        if (d.name == "spread") d = {"spread", Scale::linear, 0.0, 0.5, false, {0.0}};
    const Against sizes{
        "the best size by definition",
        [](const Point& p, long bits) { return best_size(6, population_at(p), bits); },
        Relation::overlaps};
    return control(
        "best_size_without_the_empty_set",
        "k = 1 .. K for k = 0 .. K-1 in the choice of S, as aydin2024 (4) prints it", sizes,
        std::move(space), [](const Point& p) { return best_from(p, 1); },
        [](const Point& p) { return best_from(p, 0); });
}

}  // namespace

std::vector<Control> local_privacy_controls() {
    return {
        second_epsilon_control("epsilon_2_without_logarithm",
                               "epsilon_2 of aydin2024 (2) without the logarithm",
                               {.no_logarithm = true}),
        second_epsilon_control("epsilon_2_of_the_inside",
                               "|S| for |S^c| in epsilon_2 of aydin2024 (2)",
                               {.counts_inside = true}),
        privacy_control("released_mechanism_private",
                        "that the mechanism as released, without the logarithm and by |S|, is "
                        "epsilon-LDP",
                        {.no_logarithm = true, .counts_inside = true}),
        probability_control("honest_and_other_swapped",
                            "1/Z1 for e^eps1/Z1 as the probability of an honest answer",
                            {.swapped = true}),
        probability_control("one_choice_less", "Z1 = e^eps1 + k - 1: S has k choices, not k + 1",
                            {.one_choice_less = true}),
        half_dropped(),
        weight_inverted(),
        indices_swapped(),
        root_dropped(),
        empty_set_left_out(),
    };
}

}  // namespace assay::verify
