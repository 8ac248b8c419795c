#include "assay/account/trade_off.hpp"

#include <pybind11/stl.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "assay/account/group_risk.hpp"
#include "assay/numeric/errors.hpp"
#include "bindings/answers.hpp"
#include "bindings/core.hpp"
#include "bindings/questions.hpp"

namespace py = pybind11;

namespace assay::python {

namespace {

using Numbers = std::vector<double>;

TestDirection direction_from(const std::string& name) {
    for (const TestDirection direction :
         {TestDirection::worst, TestDirection::removal, TestDirection::addition})
        if (to_string(direction) == name) return direction;
    throw DomainError("direction", name, "worst, removal or addition");
}

/// An answer for each number, without the GIL.
template <class Answer>
py::list each(const Numbers& numbers, const Answer& answer) {
    std::vector<Bracket> found(numbers.size());
    answer_all(numbers.size(), 1,
               [&](std::size_t i, std::size_t) { found[i] = answer(numbers[i]); });
    return fields_of(found);
}

std::unique_ptr<TradeOff> make_curve(const Release& release, const std::string& effort,
                                     const std::optional<double>& relative_gap,
                                     const std::string& standing, std::int64_t group) {
    const Goal goal = goal_from(effort, relative_gap, standing);
    require_closed(release);
    std::unique_ptr<TradeOff> made;
    answer_all(1, 1, [&](std::size_t, std::size_t) {
        made = std::make_unique<TradeOff>(release, goal, group);
    });
    return made;
}

/// A quantity of a test by its level, its direction and, for some, the prior probability.
py::list rates(const TradeOff& curve, const std::string& quantity, const Numbers& levels,
               const std::string& direction, double prior) {
    const TestDirection test = direction_from(direction);
    return each(levels, [&](double level) {
        if (quantity == "true_positive_rate") return curve.true_positive_rate(level, test);
        if (quantity == "type_two_error") return curve.type_two_error(level, test);
        if (quantity == "positive_predictive_value")
            return curve.positive_predictive_value(level, prior, test);
        if (quantity == "negative_predictive_value")
            return curve.negative_predictive_value(level, prior, test);
        if (quantity == "posterior_odds") return curve.posterior_odds(level, prior, test);
        throw DomainError("quantity", quantity, "one of a test");
    });
}

/// A quantity of the whole curve, by a number.
py::list risks(const TradeOff& curve, const std::string& quantity, const Numbers& numbers) {
    return each(numbers, [&](double x) {
        if (quantity == "delta") return curve.delta(x);
        if (quantity == "bayes_risk") return curve.bayes_risk(x);
        if (quantity == "reconstruction") return curve.reconstruction(x);
        if (quantity == "regret") return curve.regret(x);
        throw DomainError("quantity", quantity, "one of a curve");
    });
}

py::list singling_out(const TradeOff& curve, const Numbers& weights, std::int64_t records) {
    return each(weights, [&](double weight) { return curve.singling_out(weight, records); });
}

py::tuple mu_and_regret(const TradeOff& curve, double smallest_error) {
    GaussianMu found;
    answer_all(1, 1, [&](std::size_t, std::size_t) { found = curve.gaussian_mu(smallest_error); });
    return py::make_tuple(fields_of(found.mu), fields_of(found.regret));
}

Bracket answer_of(const std::string& asked, const Release& release, double at, const Goal& goal,
                  std::int64_t group) {
    if (asked == "epsilon") return epsilon_of_group(release, at, group, goal);
    if (asked == "delta") return delta_of_group(release, at, group, goal);
    if (asked == "true_positive_rate")
        return trade_off_at(release, at, goal, group).true_positive_rate(at);
    if (asked == "type_two_error") return trade_off_at(release, at, goal, group).type_two_error(at);
    if (asked == "gaussian_mu") return smallest_mu(release, goal, at, group);
    throw DomainError("ask", asked, "a question");
}

/// One question for each pair (releases[i], at[i]), about `group` records.
py::list risks_of(const std::string& asked, const std::vector<const Release*>& releases,
                  const Numbers& at, const std::string& effort,
                  const std::optional<double>& relative_gap, const std::string& standing,
                  std::int64_t group, std::size_t threads) {
    const Goal goal = goal_from(effort, relative_gap, standing);
    for (const Release* release : releases) require_closed(*release);
    std::vector<Bracket> found(at.size());
    answer_all(at.size(), threads, [&](std::size_t i, std::size_t) {
        found[i] = answer_of(asked, *releases[i], at[i], goal, group);
    });
    return fields_of(found);
}

}  // namespace

void add_trade_offs(py::module_& core) {
    py::class_<TradeOff>(core, "TradeOff")
        .def(py::init(&make_curve), py::arg("release"), py::arg("effort"), py::arg("relative_gap"),
             py::arg("standing"), py::arg("group"))
        .def("rates", &rates, py::arg("quantity"), py::arg("levels"), py::arg("direction"),
             py::arg("prior"))
        .def("risks", &risks, py::arg("quantity"), py::arg("numbers"))
        .def("singling_out", &singling_out, py::arg("weights"), py::arg("records"))
        .def("mu_and_regret", &mu_and_regret, py::arg("smallest_error"))
        .def("gap", &TradeOff::gap)
        .def("is_symmetric", &TradeOff::is_symmetric)
        .def("note", &TradeOff::note);
    core.def("risks", &risks_of, py::arg("asked"), py::arg("releases"), py::arg("at"),
             py::arg("effort"), py::arg("relative_gap"), py::arg("standing"), py::arg("group"),
             py::arg("threads"));
}

}  // namespace assay::python
