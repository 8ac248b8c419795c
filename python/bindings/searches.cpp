#include <pybind11/stl.h>

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "assay/account/calibrate.hpp"
#include "assay/account/compare.hpp"
#include "assay/account/solve.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/privacy/batches.hpp"
#include "bindings/answers.hpp"
#include "bindings/core.hpp"
#include "bindings/questions.hpp"

namespace py = pybind11;

namespace assay::python {

namespace {

/// A target as the package writes it: its quantity, its limit, and what the quantity is at.
using TargetFields = std::tuple<std::string, double, double>;

RiskTarget target_from(const TargetFields& fields) {
    const auto& [quantity, limit, at] = fields;
    if (quantity == "delta") return PrivacyTarget{at, limit};
    if (quantity == "true_positive_rate") return PowerTarget{at, limit};
    if (quantity == "gaussian_mu") return MuTarget{limit, at};
    if (quantity == "advantage") return AdvantageTarget{limit};
    throw DomainError("target", quantity, "delta, true_positive_rate, gaussian_mu or advantage");
}

py::tuple fields_of_noise(const Calibration& found) {
    return py::make_tuple(found.sufficient, found.insufficient, fields_of(found.delta));
}

py::tuple calibration(const Release& release, const TargetFields& target, const std::string& effort,
                      const std::optional<double>& precision, const std::string& standing) {
    const Goal goal = goal_from(effort, precision, standing);
    const RiskTarget wanted = target_from(target);
    Calibration found;
    answer_all(1, 1, [&](std::size_t, std::size_t) {
        found = calibrate(release, wanted, goal.relative_gap, goal);
    });
    return fields_of_noise(found);
}

py::tuple largest(const Release& release, const std::string& unknown, std::size_t phase,
                  std::int64_t dataset_size, double epochs, const TargetFields& target,
                  const std::string& effort, const std::optional<double>& precision,
                  const std::string& standing) {
    const Goal goal = goal_from(effort, precision, standing);
    const RiskTarget wanted = target_from(target);
    require_closed(release);
    LargestAllowed found;
    answer_all(1, 1, [&](std::size_t, std::size_t) {
        if (unknown == "sampling_probability")
            found = largest_sampling_probability(release, phase, wanted, goal.relative_gap, goal);
        else if (unknown == "batch_size")
            found = largest_batch_size(release, phase, dataset_size, epochs, wanted,
                                       goal.relative_gap, goal);
        else
            found = largest_repetitions(release, phase, wanted, goal.relative_gap, goal);
    });
    return py::make_tuple(found.allowed, found.refused, found.upper, fields_of(found.risk),
                          found.is_monotone, found.note);
}

py::tuple fields_of_sampler(const ComparedSampler& row) {
    py::object noise = py::none();
    py::object epsilon = py::none();
    if (row.noise) noise = fields_of_noise(*row.noise);
    if (row.epsilon) epsilon = fields_of(*row.epsilon);
    return py::make_tuple(to_string(row.release.adjacency), fields_of(row.release.phases.front()),
                          row.is_wanted_adjacency, noise, epsilon, row.refused);
}

/// The noise for a target, or epsilon at a noise multiplier and a delta, of each sampler.
py::list compare(std::int64_t dataset_size, std::int64_t batch_size, std::int64_t epochs,
                 const std::string& adjacency, const std::optional<TargetFields>& target,
                 double noise_multiplier, double delta, const std::string& effort, double precision,
                 const std::string& standing) {
    const Goal goal = goal_from(effort, std::nullopt, standing);
    const TrainingRun run{dataset_size, batch_size, epochs};
    const Adjacency wanted = adjacency_from_string(adjacency);
    std::optional<RiskTarget> limit;
    if (target) limit = target_from(*target);
    std::vector<ComparedSampler> rows;
    answer_all(1, 1, [&](std::size_t, std::size_t) {
        rows = limit ? compare_noise(run, wanted, *limit, precision, goal)
                     : compare_epsilon(run, wanted, noise_multiplier, delta, goal);
    });
    py::list result;
    for (const ComparedSampler& row : rows) result.append(fields_of_sampler(row));
    return result;
}

}  // namespace

void add_searches(py::module_& core) {
    core.def("calibrate", &calibration, py::arg("release"), py::arg("target"), py::arg("effort"),
             py::arg("precision"), py::arg("standing"));
    core.def("largest", &largest, py::arg("release"), py::arg("unknown"), py::arg("phase"),
             py::arg("dataset_size"), py::arg("epochs"), py::arg("target"), py::arg("effort"),
             py::arg("precision"), py::arg("standing"));
    core.def(
        "steps_of_epochs",
        [](double epochs, std::int64_t dataset_size, std::int64_t batch_size) {
            const auto batches = static_cast<double>(all_batches(dataset_size, batch_size));
            return static_cast<std::int64_t>(steps_of_epochs(epochs, batches));
        },
        py::arg("epochs"), py::arg("dataset_size"), py::arg("batch_size"));
    core.def("compare", &compare, py::arg("dataset_size"), py::arg("batch_size"), py::arg("epochs"),
             py::arg("adjacency"), py::arg("target"), py::arg("noise_multiplier"), py::arg("delta"),
             py::arg("effort"), py::arg("precision"), py::arg("standing"));
}

}  // namespace assay::python
