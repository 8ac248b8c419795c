#include <fmt/format.h>

#include <numeric>

#include "verify/checks/law_parts.hpp"
#include "verify/checks/local_rows.hpp"
#include "verify/checks/routes.hpp"
#include "verify/rows.hpp"

// What answers say of theta: likelihood, gradient, and the moments of the posterior.

namespace assay::verify {

namespace {

/// K, kappa within (0, 1), n answers, a component i and a seed.
Space answers_space(double most_categories, double most_answers) {
    return {{categories_dimension(2.0, most_categories),
             local_epsilon_dimension(20.0),
             share_dimension(0.01, 0.99),
             {"n", Scale::linear, 0.0, most_answers, true, {0.0, 1.0, most_answers}},
             {"i", Scale::linear, 0.0, most_categories - 1.0, true, {0.0, 1.0}},
             seed_dimension()},
            [](const Point& p) { return p["i"] <= p["K"] - 1.0; }};
}

std::vector<double> shapes_at(const Point& p) {
    return positive_numbers(p, "rho", static_cast<int>(p.integer("K")));
}

/// phi times 10.
std::vector<double> phi_at(const Point& p) {
    return positive_numbers(p, "phi", static_cast<int>(p.integer("K")));
}

Check posterior_row(const char* quantity, const char* route, bool is_list, Space space, int quick,
                    int full, double widest,
                    std::function<Interval(const Point&, long bits)> truth) {
    Check row = library_row(fmt::format("{}.encloses_{}", quantity, route),
                            "the answer contains the exact value", Relation::encloses,
                            std::move(space), quick, full);
    row.evaluate = [=](const Point& p) {
        formulas::Arguments arguments = arguments_of(answers_at(p), shapes_at(p));
        arguments.set("phi_times_10", phi_at(p));
        return local_answer(quantity, arguments,
                            is_list ? static_cast<std::size_t>(p.integer("i")) : 0);
    };
    row.truth = std::move(truth);
    row.widest = widest;
    return row;
}

std::vector<Check> likelihood_rows() {
    constexpr double any_width = std::numeric_limits<double>::infinity();
    Space answered = answers_space(12.0, 12.0);
    // Without answers the gradient may be a double.
    answered.admits = [](const Point& p) { return p["n"] >= 1.0 && p["i"] <= p["K"] - 1.0; };
    Check likelihood =
        posterior_row("posterior.log_likelihood", "enumeration", false, answers_space(12.0, 20.0),
                      15, 500, 1e-11, [](const Point& p, long bits) {
                          return local_log_likelihood(answers_at(p), phi_at(p), bits);
                      });
    likelihood.oracle = "sum of ln sum_x P(y | x) theta_x, P by enumeration";
    // The gradient may cancel to nearly 0.
    Check gradient =
        posterior_row("posterior.gradient_phi", "differences", true, std::move(answered), 15, 500,
                      any_width, [](const Point& p, long bits) {
                          return local_gradient(answers_at(p), phi_at(p), 10.0, shapes_at(p),
                                                static_cast<int>(p.integer("i")), bits);
                      });
    gradient.oracle = "central difference of the log posterior, with its error bound";
    gradient.claim = "the answer contains the derivative (aydin2024 Proposition 4)";
    return {std::move(likelihood), std::move(gradient)};
}

std::vector<Check> moment_rows() {
    const auto moments = [](const Point& p, long bits) {
        return local_moments(answers_at(p), shapes_at(p), bits);
    };
    const auto component = [](const Point& p) { return static_cast<std::size_t>(p.integer("i")); };
    const Space space = answers_space(3.0, 8.0);
    std::vector<Check> rows;
    rows.push_back(posterior_row(
        "posterior.mean", "polynomial", true, space, 15, 500, 1e-11,
        [=](const Point& p, long bits) { return moments(p, bits).mean[component(p)]; }));
    rows.push_back(posterior_row(
        "posterior.variance", "polynomial", true, space, 15, 500, 1e-9,
        [=](const Point& p, long bits) { return moments(p, bits).variance[component(p)]; }));
    rows.push_back(posterior_row(
        "posterior.log_marginal_likelihood", "polynomial", false, answers_space(3.0, 8.0), 15, 500,
        1e-11,
        [=](const Point& p, long bits) { return moments(p, bits).log_marginal_likelihood; }));
    for (Check& row : rows)
        row.oracle = "the likelihood as a polynomial, its monomials' Dirichlet moments";
    return rows;
}

/// The means of all components are 1 together.
std::vector<Check> posterior_laws() {
    Space space = answers_space(5.0, 6.0);
    return {equality_law(
        "law.posterior.mean.sum", "the posterior means of all components sum to 1",
        std::move(space), 10, 200, [](const Point&) { return Interval(1.0, distribution_bits); },
        [](const Point& p) {
            const formulas::Arguments arguments = arguments_of(answers_at(p), shapes_at(p));
            Interval sum(0.0, distribution_bits);
            for (long i = 0; i < p.integer("K"); ++i)
                sum += interval_of(
                    local_answer("posterior.mean", arguments, static_cast<std::size_t>(i)));
            return sum;
        })};
}

}  // namespace

std::vector<Check> local_posterior_rows() {
    return joined({likelihood_rows, moment_rows, posterior_laws});
}

}  // namespace assay::verify
