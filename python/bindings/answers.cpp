#include <pybind11/stl.h>

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "assay/account/account.hpp"
#include "assay/account/one_accountant.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/numeric/number_text.hpp"
#include "assay/rdp/rdp_sum.hpp"
#include "assay/rdp/rdp_to_epsilon_delta.hpp"
#include "bindings/answers.hpp"
#include "bindings/core.hpp"
#include "bindings/questions.hpp"

namespace py = pybind11;

namespace assay::python {

Goal goal_from(const std::string& effort, const std::optional<double>& relative_gap,
               const std::string& standing) {
    Goal goal = goal_of(effort_from_string(effort));
    if (relative_gap) {
        require(*relative_gap > 0.0 && *relative_gap < 1.0, "relative_gap", *relative_gap,
                "0 < relative_gap < 1");
        goal = with_gap(goal, *relative_gap);
    }
    goal.standing = standing_from(standing);
    return goal;
}

StandingFilter standing_from(const std::string& name) {
    if (name == "any") return StandingFilter::any;
    if (name == "published") return StandingFilter::published;
    throw DomainError("standing", name, "any or published");
}

py::tuple fields_of(const Bracket& found) {
    const auto both = [](std::string_view lower, std::string_view upper) {
        return py::make_tuple(lower, upper);
    };
    return py::make_tuple(
        found.lower.value, found.upper.value,
        both(found.lower.theorem.citation, found.upper.theorem.citation),
        both(to_string(found.lower.theorem.standing), to_string(found.upper.theorem.standing)),
        both(to_string(found.lower.status), to_string(found.upper.status)),
        found.best_published.value, found.best_published.theorem.citation, found.note);
}

py::list fields_of(const std::vector<Bracket>& found) {
    py::list result;
    for (const Bracket& bracket : found) result.append(fields_of(bracket));
    return result;
}

void require_closed(const Release& release) {
    for (const Phase& phase : release.phases)
        if (noise_multiplier(phase.mechanism) == 0.0)
            throw DomainError("noise_multiplier", "unknown",
                              "a positive number: calibrate answers what is left open");
}

namespace {

/// Distributions of one epoch that a ledger keeps from answer to answer; one caller at a time.
struct CachedDistributions {
    std::shared_ptr<EpochCache> distributions = make_epoch_cache();
    std::mutex in_use;
};

std::optional<Accountant> accountant_from(const std::optional<std::string>& name) {
    if (!name) return std::nullopt;
    if (*name == "rdp") return Accountant::renyi;
    if (*name == "pld") return Accountant::loss_distributions;
    throw DomainError("accountant", *name, "rdp or pld");
}

/// One question for each pair (releases[i], at[i]): epsilon at delta, or delta at epsilon.
py::list answers(bool wants_delta, const std::vector<const Release*>& releases,
                 const std::vector<double>& at, const std::string& effort,
                 const std::optional<double>& relative_gap, const std::string& standing,
                 const std::optional<std::string>& accountant, std::size_t threads,
                 CachedDistributions* cache) {
    const Goal goal = goal_from(effort, relative_gap, standing);
    const std::optional<Accountant> one = accountant_from(accountant);
    for (const Release* release : releases) require_closed(*release);
    std::vector<Bracket> found(at.size());
    std::vector<std::shared_ptr<EpochCache>> distributions(cache != nullptr ? 1 : threads);
    const auto answer = [&](std::size_t i, std::size_t worker) {
        const Release& release = *releases[i];
        if (one) {
            found[i] = wants_delta ? delta_by(*one, release, at[i], goal)
                                   : epsilon_by(*one, release, at[i], goal);
        } else if (wants_delta) {
            found[i] = delta(release, at[i], goal);
        } else if (cache != nullptr) {
            const std::lock_guard lock(cache->in_use);
            found[i] = epsilon(release, at[i], goal, cache->distributions.get());
        } else {
            if (!distributions[worker]) distributions[worker] = make_epoch_cache();
            found[i] = epsilon(release, at[i], goal, distributions[worker].get());
        }
    };
    answer_all(at.size(), cache != nullptr ? 1 : threads, answer);
    return fields_of(found);
}

std::string citations(const std::vector<Theorem>& theorems) {
    std::string text;
    for (const Theorem& theorem : theorems)
        text += (text.empty() ? "" : "; ") + std::string(theorem.citation);
    return text;
}

/// Columns lower, upper, published upper, theorem and standing of the upper one, an entry an order.
py::tuple rdp(const Release& release, const std::vector<double>& orders,
              const std::string& standing) {
    require_closed(release);
    const StandingFilter admitted = standing_from(standing);
    std::vector<ComposedRdp> rows;
    answer_all(1, 1, [&](std::size_t, std::size_t) {
        rows = composed_rdp(steps_of(release), release.adjacency, orders);
    });
    std::vector<double> lower, upper, published;
    std::vector<std::string> theorem, standings;
    for (const ComposedRdp& row : rows) {
        const RdpSum& best = admitted == StandingFilter::any ? row.upper : row.published_upper;
        lower.push_back(row.lower.value());
        upper.push_back(best.value());
        published.push_back(row.published_upper.value());
        theorem.push_back(citations(best.theorems()));
        standings.emplace_back(to_string(best.standing()));
    }
    return py::make_tuple(lower, upper, published, theorem, standings);
}

}  // namespace

void add_answers(py::module_& core) {
    py::class_<CachedDistributions>(core, "EpochCache").def(py::init<>());
    core.def("answers", &answers, py::arg("wants_delta"), py::arg("releases"), py::arg("at"),
             py::arg("effort"), py::arg("relative_gap"), py::arg("standing"), py::arg("accountant"),
             py::arg("threads"), py::arg("cache"));
    core.def("rdp", &rdp, py::arg("release"), py::arg("orders"), py::arg("standing"));
    core.def("opacus_orders", &opacus_orders);
    core.def("text_not_below", &text_not_below, py::arg("x"), py::arg("digits"));
    core.def("text_not_above", &text_not_above, py::arg("x"), py::arg("digits"));
}

}  // namespace assay::python
