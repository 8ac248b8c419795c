#include "bindings/core.hpp"

PYBIND11_MODULE(_core, core) {
    core.doc() = "The library behind the package assay; import that.";
    core.attr("version") = ASSAY_VERSION;
    assay::python::add_errors(core);
    assay::python::add_releases(core);
    assay::python::add_answers(core);
    assay::python::add_trade_offs(core);
    assay::python::add_searches(core);
    assay::python::add_filters(core);
    assay::python::add_losses(core);
#ifdef ASSAY_HAS_RANDOM
    assay::python::add_samplers(core);
    assay::python::add_ldp(core);
#endif
}
