#include <pybind11/stl.h>

#include <string>
#include <vector>

#include "assay/account/privacy_filter.hpp"
#include "assay/numeric/errors.hpp"
#include "bindings/core.hpp"

namespace py = pybind11;

namespace assay::python {

namespace {

/// The phases of a release, one after the other; all of them or none.
bool admit(PrivacyFilter& filter, const Release& release) {
    PrivacyFilter copy = filter;
    for (const Phase& phase : release.phases)
        if (!copy.admit(phase)) return false;
    filter = std::move(copy);
    return true;
}

bool admits(const PrivacyFilter& filter, const Release& release) {
    PrivacyFilter copy = filter;
    return admit(copy, release);
}

}  // namespace

void add_filters(py::module_& core) {
    py::class_<PrivacyFilter>(core, "PrivacyFilter")
        .def(py::init([](const std::string& adjacency, double epsilon, double delta,
                         const std::vector<double>& orders) {
                 return PrivacyFilter(adjacency_from_string(adjacency), {epsilon, delta}, orders);
             }),
             py::arg("adjacency"), py::arg("epsilon"), py::arg("delta"), py::arg("orders"))
        .def("admit", &admit, py::arg("release"))
        .def("admits", &admits, py::arg("release"))
        .def("spent_epsilon", &PrivacyFilter::spent_epsilon)
        .def("theorem", [](const PrivacyFilter& filter) {
            const Theorem theorem = filter.theorem();
            return py::make_tuple(theorem.citation, to_string(theorem.standing));
        });
    core.def("filter_orders", &filter_orders, py::arg("plan"), py::arg("delta"));
}

}  // namespace assay::python
