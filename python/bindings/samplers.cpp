#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <string>

#include "assay/batch_sampling/batch_sampler.hpp"
#include "bindings/answers.hpp"
#include "bindings/core.hpp"

namespace py = pybind11;

namespace assay::python {

namespace {

py::array_t<std::int64_t> draw(BatchSampler& sampler, std::int64_t step) {
    Batch batch;
    {
        const py::gil_scoped_release released;
        const InterruptionScope scope = until_signal();
        sampler.draw(step, batch);
    }
    py::array_t<std::int64_t> indices(static_cast<py::ssize_t>(batch.indices.size()));
    std::copy(batch.indices.begin(), batch.indices.end(), indices.mutable_data());
    return indices;
}

/// Sampler and parameters of what a step, or an epoch, releases: the first fields of a phase.
py::tuple phase_of(const BatchSampler& sampler) {
    Mechanism released = sampler.released(1.0);
    set_noise_multiplier(released, 0.0);
    return fields_of(Phase{released, 1});
}

}  // namespace

void add_samplers(py::module_& core) {
    py::class_<BatchSampler>(core, "BatchSampler")
        .def(py::init([](const std::string& scheme, std::int64_t dataset_size,
                         std::int64_t batch_size, std::uint64_t seed) {
                 return BatchSampler({.scheme = sampling_scheme_from_string(scheme),
                                      .dataset_size = dataset_size,
                                      .batch_size = batch_size,
                                      .seed = seed});
             }),
             py::arg("scheme"), py::arg("dataset_size"), py::arg("batch_size"), py::arg("seed"))
        .def("draw", &draw, py::arg("step"))
        .def("phase", &phase_of)
        .def("batches_per_epoch", &BatchSampler::batches_per_epoch);
}

}  // namespace assay::python
