#include "bindings/core.hpp"

PYBIND11_MODULE(_core, core) {
    core.doc() = "The library behind the package assay; import that.";
    core.attr("version") = ASSAY_VERSION;
    assay::python::add_errors(core);
    assay::python::add_releases(core);
    assay::python::add_answers(core);
    assay::python::add_filters(core);
}
