#include <pybind11/numpy.h>
#include <pybind11/operators.h>
#include <pybind11/stl.h>

#include <optional>
#include <string>
#include <vector>

#include "assay/ldp/adaptive_estimator.hpp"
#include "assay/ldp/response_audit.hpp"
#include "assay/ldp/restricted_response.hpp"
#include "assay/numeric/errors.hpp"
#include "bindings/core.hpp"

namespace py = pybind11;

namespace assay::python {

namespace {

RestrictedResponse mechanism_of(int categories, double epsilon, double budget_share,
                                const std::string& variant) {
    RestrictedResponse mechanism{categories, epsilon, budget_share, ResponseVariant::theorem};
    if (variant == to_string(ResponseVariant::as_released))
        mechanism.variant = ResponseVariant::as_released;
    else if (variant != to_string(ResponseVariant::theorem))
        throw DomainError("variant", variant, "theorem or as-released");
    validate(mechanism);
    return mechanism;
}

py::tuple fields_of(const ResponseAudit& audit) {
    return py::make_tuple(audit.epsilon.lower, audit.epsilon.upper, audit.subset_size, audit.truth,
                          audit.other_truth, audit.response);
}

py::tuple audit(const RestrictedResponse& mechanism, std::optional<int> subset_size) {
    return fields_of(subset_size ? audit_response(mechanism, *subset_size)
                                 : audit_worst_size(mechanism));
}

py::tuple audit_table(
    const py::array_t<double, py::array::c_style | py::array::forcecast>& matrix) {
    if (matrix.ndim() != 2) throw DomainError("matrix", "not of two dimensions", "rows, columns");
    const auto size = static_cast<std::size_t>(matrix.size());
    return fields_of(audit_matrix({matrix.data(), size}, static_cast<int>(matrix.shape(0)),
                                  static_cast<int>(matrix.shape(1))));
}

py::tuple distribution_of(const RestrictedResponse& mechanism, int subset_size) {
    const ResponseDistribution distribution = response_distribution(mechanism, subset_size);
    return py::make_tuple(distribution.honest_inside, distribution.other_inside,
                          distribution.outside_from_inside, distribution.honest_outside,
                          distribution.other_outside);
}

int respond_once(const RestrictedResponse& mechanism, const std::vector<int>& subset, int truth,
                 std::uint64_t seed, std::uint64_t block) {
    const CategorySubset members(mechanism.categories, subset);
    if (truth < 0 || truth >= mechanism.categories)
        throw DomainError("truth", static_cast<double>(truth), "a category");
    RandomStream stream(seed, Purpose::local_response, block);
    return respond(stream, response_distribution(mechanism, members.size()), members, truth);
}

std::vector<int> members_of(const CategorySubset& subset) {
    std::vector<int> members;
    for (int i = 0; i < subset.size(); ++i) members.push_back(subset.member(i));
    return members;
}

AdaptiveEstimator make_estimator(const RestrictedResponse& mechanism, const std::string& rule,
                                 const std::string& sampler, std::optional<int> updates,
                                 std::optional<std::int64_t> planned_responses,
                                 const std::vector<double>& prior, std::uint64_t seed) {
    AdaptiveSettings settings;
    settings.rule = subset_rule_from_string(rule);
    settings.mechanism = mechanism_for(settings.rule, mechanism);
    settings.prior = prior;
    settings.seed = seed;
    if (sampler == "langevin") {
        LangevinSettings langevin;
        if (updates) langevin.updates = *updates;
        if (!planned_responses)
            throw DomainError("planned_responses", "none", "given with langevin: its step");
        langevin.step = paper_step(*planned_responses);
        settings.sampler = langevin;
    } else if (sampler == "gibbs") {
        GibbsSettings gibbs;
        if (updates) gibbs.updates = *updates;
        settings.sampler = gibbs;
    } else {
        throw DomainError("sampler", sampler, "langevin or gibbs");
    }
    return AdaptiveEstimator(settings);
}

py::tuple estimate(const AdaptiveEstimator& estimator, int updates, int discarded, double level) {
    PosteriorEstimate found;
    {
        const py::gil_scoped_release released;
        const InterruptionScope scope = until_signal();
        found = estimator.estimate(updates, discarded, level);
    }
    return py::make_tuple(found.mean, found.lower, found.upper);
}

}  // namespace

void add_ldp(py::module_& core) {
    py::class_<RestrictedResponse>(core, "RestrictedResponse")
        .def(py::init(&mechanism_of), py::arg("categories"), py::arg("epsilon"),
             py::arg("budget_share"), py::arg("variant"))
        .def(py::self == py::self);
    core.def("ldp_sizes", [](const RestrictedResponse& mechanism) {
        return py::make_tuple(smallest_subset(mechanism), largest_subset(mechanism));
    });
    core.def("ldp_audit", &audit, py::arg("mechanism"), py::arg("subset_size"));
    core.def("ldp_audit_matrix", &audit_table, py::arg("matrix"));
    core.def("ldp_response_distribution", &distribution_of, py::arg("mechanism"),
             py::arg("subset_size"));
    core.def("ldp_respond", &respond_once, py::arg("mechanism"), py::arg("subset"),
             py::arg("truth"), py::arg("seed"), py::arg("block"));
    py::class_<AdaptiveEstimator>(core, "AdaptiveEstimator")
        .def(py::init(&make_estimator), py::arg("mechanism"), py::arg("rule"), py::arg("sampler"),
             py::arg("updates"), py::arg("planned_responses"), py::arg("prior"), py::arg("seed"))
        .def("subset", [](AdaptiveEstimator& self) { return members_of(self.subset()); })
        .def("mechanism", [](const AdaptiveEstimator& self) { return self.settings().mechanism; })
        .def("categories", &AdaptiveEstimator::categories)
        .def("feed", [](AdaptiveEstimator& self, int response) { self.feed(response); })
        .def("feed_to",
             [](AdaptiveEstimator& self, const std::vector<int>& subset, int response) {
                 self.feed(CategorySubset(self.categories(), subset), response);
             })
        .def("estimate", &estimate, py::arg("updates"), py::arg("discarded"), py::arg("level"))
        .def("responses", &AdaptiveEstimator::responses)
        .def("save",
             [](const AdaptiveEstimator& self, const std::string& path) { self.save(path); })
        .def_static("restore",
                    [](const std::string& path) { return AdaptiveEstimator::restore(path); });
}

}  // namespace assay::python
