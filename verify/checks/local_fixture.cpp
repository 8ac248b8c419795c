#include "verify/checks/local_fixture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "assay/formulas/quantities.hpp"
#include "assay/numeric/errors.hpp"

namespace assay::verify {

namespace {

constexpr long at_cap = 2;

/// kappa, moved to the edge where there is one in [0, 1].
double share_at(const Point& p) {
    if (!p.has("edge") && !p.has("between")) return p["kappa"];
    const double outside = p["K"] - p["k"];
    const double apart = std::log1p((outside - 1.0) * std::exp(-p["eps"]));  // the two edges
    double saved = std::log(outside);
    if (p.has("between")) saved -= p["between"] * apart;
    if (p.has("edge") && p.integer("edge") == at_cap) saved -= apart;
    const double share = 1.0 - saved / p["eps"];
    return share >= 0.0 && share <= 1.0 ? share : p["kappa"];
}

std::vector<int> shuffled(int count, Draws& draws) {
    std::vector<int> order(static_cast<std::size_t>(count));
    std::iota(order.begin(), order.end(), 0);
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[draws.below(i)]);
    return order;
}

std::vector<double> from_one(const std::vector<int>& categories) {
    std::vector<double> numbers;
    for (const int category : categories) numbers.push_back(category + 1.0);
    return numbers;
}

formulas::Arguments common(int categories, double epsilon, double budget_share) {
    formulas::Arguments arguments;
    arguments.set("K", static_cast<double>(categories));
    arguments.set("eps", epsilon);
    arguments.set("kappa", budget_share);
    return arguments;
}

}  // namespace

Dimension categories_dimension(double low, double high) {
    Dimension K{"K", Scale::linear, low, high, true, {low, low + 1.0, high}};
    std::erase_if(K.corners, [&](double corner) { return corner > high; });
    return K;
}

Dimension local_epsilon_dimension(double high) {
    Dimension eps{"eps", Scale::logarithmic, 1e-3, high, false, {1e-3, 0.5, 1.0, 5.0, 20.0, 50.0}};
    std::erase_if(eps.corners, [&](double corner) { return corner > high; });
    return eps;
}

Dimension share_dimension(double low, double high) {
    Dimension kappa{"kappa", Scale::linear, low, high, false, {0.0, 0.5, 0.8, 0.9, 1.0}};
    std::erase_if(kappa.corners, [&](double corner) { return corner < low || corner > high; });
    return kappa;
}

Dimension seed_dimension() {
    return {"seed", Scale::linear, 0.0, 1e9, true, {}};
}

Space mechanism_space(double most, double left_out) {
    return {{categories_dimension(2.0, most),
             {"k", Scale::linear, 0.0, most, true, {0.0, 1.0, 2.0, most - 1.0}},
             local_epsilon_dimension(),
             share_dimension()},
            [left_out](const Point& p) { return p["k"] <= p["K"] - left_out; }};
}

Space population_space(double most, double left_out, bool regular) {
    Space space = mechanism_space(most, left_out);
    if (regular) {
        std::erase_if(space.dimensions, [](const Dimension& d) { return d.name == "kappa"; });
        space.dimensions.push_back(share_dimension(0.01, 0.99));
    }
    space.dimensions.push_back({"spread", Scale::linear, 0.0, 15.0, false, {0.0, 1.0, 6.0, 15.0}});
    space.dimensions.push_back({"zeros", Scale::linear, 0.0, 0.5, false, {0.0, 0.5}});
    space.dimensions.push_back({"falling", Scale::linear, 0.0, 1.0, true, {0.0, 1.0}});
    space.dimensions.push_back(seed_dimension());
    return space;
}

Space at_edges(Space space) {
    space.dimensions.push_back({"edge", Scale::linear, 1.0, 2.0, true, {1.0, 2.0}});
    space.admits = [](const Point& p) { return p["k"] >= 1.0 && p["k"] <= p["K"] - 2.0; };
    return space;
}

Space between_edges(Space space) {
    for (Dimension& d : space.dimensions)
        if (d.name == "eps") d = {"eps", Scale::linear, 0.5, 8.0, false, {1.0, 2.0, 4.0, 8.0}};
    space.dimensions.push_back({"between", Scale::linear, 0.05, 0.95, false, {0.5}});
    space.admits = [](const Point& p) {
        const double outside = p["K"] - p["k"];
        return p["k"] >= 1.0 && outside >= 2.0 && std::log(outside) <= p["eps"];
    };
    return space;
}

Draws draws_at(const Point& point, std::string_view name) {
    return {static_cast<std::uint64_t>(point.integer("seed")), name, 0};
}

LocalMechanism mechanism_at(const Point& point) {
    LocalMechanism mechanism{
        static_cast<int>(point.integer("K")), {}, point["eps"], share_at(point)};
    mechanism.subset.resize(static_cast<std::size_t>(point.integer("k")));
    std::iota(mechanism.subset.begin(), mechanism.subset.end(), 0);
    return mechanism;
}

LocalPopulation population_at(const Point& point) {
    LocalPopulation population{mechanism_at(point), {}};
    LocalMechanism& mechanism = population.mechanism;
    std::vector<double>& weights = population.weights;
    Draws draws = draws_at(point, "frequencies");
    for (int i = 0; i < mechanism.categories; ++i) {
        const double weight = std::floor(std::pow(10.0, point["spread"] * draws.uniform()));
        weights.push_back(draws.uniform() < point["zeros"] ? 0.0 : weight);
    }
    const std::size_t last = weights.size() - 1;
    weights.front() = std::max(weights.front(), 1.0);
    weights[last] = std::max(weights[last], 1.0);
    if (std::equal(weights.begin() + 1, weights.end(), weights.begin())) weights.front() += 1.0;
    if (point.integer("falling") == 1)
        std::sort(weights.begin(), weights.end(), std::greater<>());
    else {
        const std::size_t size = mechanism.subset.size();
        mechanism.subset = shuffled(mechanism.categories, draws);
        mechanism.subset.resize(size);
    }
    return population;
}

LocalAnswers answers_at(const Point& point) {
    LocalAnswers answers{
        static_cast<int>(point.integer("K")), point["eps"], point["kappa"], {}, {}};
    Draws draws = draws_at(point, "answers");
    const auto count = static_cast<std::size_t>(answers.categories);
    for (long t = 0; t < point.integer("n"); ++t) {
        std::vector<int> subset = shuffled(answers.categories, draws);
        subset.resize(draws.below(count));
        answers.subsets.push_back(std::move(subset));
        answers.responses.push_back(static_cast<int>(draws.below(count)));
    }
    return answers;
}

std::vector<double> positive_numbers(const Point& point, std::string_view name, int count) {
    Draws draws = draws_at(point, name);
    std::vector<double> numbers;
    for (int i = 0; i < count; ++i)
        numbers.push_back(std::ceil(256.0 * std::pow(10.0, 3.0 * draws.uniform() - 2.0)) / 256.0);
    return numbers;
}

RestrictedResponse library_mechanism(const LocalMechanism& m) {
    return {.categories = m.categories, .epsilon = m.epsilon, .budget_share = m.budget_share};
}

formulas::Arguments arguments_of(const LocalMechanism& m) {
    formulas::Arguments arguments = common(m.categories, m.epsilon, m.budget_share);
    arguments.set("k", static_cast<double>(m.subset.size()));
    arguments.set("S", from_one(m.subset));
    return arguments;
}

formulas::Arguments arguments_of(const LocalPopulation& population) {
    formulas::Arguments arguments = arguments_of(population.mechanism);
    arguments.set("theta_counts", population.weights);
    return arguments;
}

formulas::Arguments arguments_of(const LocalAnswers& answers, const std::vector<double>& rho) {
    formulas::Arguments arguments =
        common(answers.categories, answers.epsilon, answers.budget_share);
    arguments.set("rho", rho);
    std::vector<formulas::Answered> data;
    for (std::size_t t = 0; t < answers.responses.size(); ++t) {
        formulas::Answered one{.y = answers.responses[t] + 1, .S = {}};
        for (const int member : answers.subsets[t]) one.S.push_back(member + 1);
        data.push_back(std::move(one));
    }
    arguments.set("data", std::move(data));
    return arguments;
}

Enclosure local_answer(std::string_view name, const formulas::Arguments& arguments,
                       std::size_t part) {
    const formulas::Quantity* quantity = formulas::find_quantity(name);
    if (quantity == nullptr) throw Error(fmt::format("no quantity {}", name));
    return quantity->evaluate(arguments).values.at(part);
}

}  // namespace assay::verify
