#pragma once
#include <pybind11/pybind11.h>

namespace assay::python {

/// Each adds its names to the module assay._core, which the package alone imports.
void add_errors(pybind11::module_& core);
void add_releases(pybind11::module_& core);
void add_answers(pybind11::module_& core);
void add_trade_offs(pybind11::module_& core);
void add_searches(pybind11::module_& core);
void add_filters(pybind11::module_& core);
void add_losses(pybind11::module_& core);
/// Where the build has Random123.
void add_samplers(pybind11::module_& core);
void add_ldp(pybind11::module_& core);

}  // namespace assay::python
