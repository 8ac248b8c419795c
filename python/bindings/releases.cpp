#include <fmt/format.h>
#include <pybind11/stl.h>

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "assay/numeric/errors.hpp"
#include "assay/privacy/assumptions.hpp"
#include "assay/privacy/release.hpp"
#include "bindings/answers.hpp"
#include "bindings/core.hpp"

namespace py = pybind11;

namespace assay::python {

namespace {

/// A phase as the package stores it: what its sampler does not have is None. An open noise
/// multiplier is None as well, and 0 in the library.
struct PhaseFields {
    std::string sampling;
    std::optional<double> noise_multiplier;
    std::optional<double> sampling_probability;
    std::optional<std::int64_t> batch_size;
    std::optional<std::int64_t> dataset_size;
    std::optional<std::int64_t> batches_per_epoch;
    std::optional<std::int64_t> allocations;
    std::optional<std::int64_t> maximum_batch_size;
    std::int64_t repetitions = 1;
};

constexpr std::int64_t most_steps = 1'000'000'000'000;
constexpr std::int64_t most_epochs = 100'000;

template <class Value>
Value required(const std::optional<Value>& value, const PhaseFields& fields, const char* name) {
    if (!value) throw Error(fmt::format("{} is missing: sampling {}", name, fields.sampling));
    return *value;
}

Mechanism mechanism_of(const PhaseFields& fields, double noise) {
    const auto probability = [&] {
        return required(fields.sampling_probability, fields, "sampling_probability");
    };
    const auto batches = [&] {
        return required(fields.batches_per_epoch, fields, "batches_per_epoch");
    };
    if (fields.sampling == "none") return Gaussian{noise};
    if (fields.sampling == "poisson") return SampledGaussian{noise, probability()};
    if (fields.sampling == "poisson-truncated")
        return TruncatedPoissonGaussian{
            noise, required(fields.batch_size, fields, "batch_size"),
            required(fields.dataset_size, fields, "dataset_size"),
            required(fields.maximum_batch_size, fields, "maximum_batch_size")};
    if (fields.sampling == "fixed-size-without-replacement")
        return FixedSizeGaussian{noise, probability()};
    if (fields.sampling == "fixed-size-with-replacement")
        return FixedSizeWithReplacementGaussian{
            noise, required(fields.batch_size, fields, "batch_size"),
            required(fields.dataset_size, fields, "dataset_size")};
    if (fields.sampling == "balls-and-bins") return BallsAndBins{noise, batches()};
    if (fields.sampling == "random-allocation")
        return RandomAllocation{noise, batches(),
                                required(fields.allocations, fields, "allocations")};
    if (fields.sampling == "shuffle") return Shuffled{noise, batches()};
    if (fields.sampling == "deterministic") return DeterministicBatches{noise, batches()};
    throw DomainError("sampling", fields.sampling,
                      "none, poisson, poisson-truncated, fixed-size-without-replacement, "
                      "fixed-size-with-replacement, balls-and-bins, random-allocation, shuffle or "
                      "deterministic");
}

Phase phase_of(const PhaseFields& fields, Adjacency adjacency) {
    // Noise 1 takes the place of what is looked for while the rest is validated.
    Phase phase{mechanism_of(fields, fields.noise_multiplier.value_or(1.0)), fields.repetitions};
    validate(phase.mechanism);
    const bool is_epoch = is_epoch_sampler(phase.mechanism);
    const std::int64_t most = is_epoch ? most_epochs : most_steps;
    if (fields.repetitions < 1 || fields.repetitions > most)
        throw DomainError(is_epoch ? "epochs" : "steps", fmt::format("{}", fields.repetitions),
                          fmt::format("an integer from 1 to {}", most));
    require_theorem(phase.mechanism, adjacency);
    if (!fields.noise_multiplier) set_noise_multiplier(phase.mechanism, 0.0);
    return phase;
}

Release release_of(const std::string& adjacency, const py::iterable& phases) {
    Release release{adjacency_from_string(adjacency), {}};
    for (const py::handle phase : phases) {
        const auto fields = phase.cast<py::tuple>();
        release.phases.push_back(phase_of(
            {fields[0].cast<std::string>(), fields[1].cast<std::optional<double>>(),
             fields[2].cast<std::optional<double>>(), fields[3].cast<std::optional<std::int64_t>>(),
             fields[4].cast<std::optional<std::int64_t>>(),
             fields[5].cast<std::optional<std::int64_t>>(),
             fields[6].cast<std::optional<std::int64_t>>(),
             fields[7].cast<std::optional<std::int64_t>>(), fields[8].cast<std::int64_t>()},
            release.adjacency));
    }
    return release;
}

}  // namespace

py::tuple fields_of(const Phase& phase) {
    py::object probability = py::none();
    py::object batch_size = py::none();
    py::object dataset_size = py::none();
    py::object batches_per_epoch = py::none();
    py::object allocations = py::none();
    py::object maximum_batch_size = py::none();
    std::visit(
        [&](const auto& m) {
            if constexpr (requires { m.maximum_batch_size; })
                maximum_batch_size = py::int_(m.maximum_batch_size);
            if constexpr (requires { m.sampling_probability; })
                probability = py::float_(m.sampling_probability);
            if constexpr (requires { m.batches_per_epoch; })
                batches_per_epoch = py::int_(m.batches_per_epoch);
            if constexpr (requires { m.allocations; }) allocations = py::int_(m.allocations);
            if constexpr (requires { m.batch_size; }) batch_size = py::int_(m.batch_size);
            if constexpr (requires { m.dataset_size; }) dataset_size = py::int_(m.dataset_size);
        },
        phase.mechanism);
    const double noise = noise_multiplier(phase.mechanism);
    return py::make_tuple(sampling_name(phase.mechanism),
                          noise > 0.0 ? py::object(py::float_(noise)) : py::none(), probability,
                          batch_size, dataset_size, batches_per_epoch, allocations,
                          maximum_batch_size, phase.repetitions);
}

void add_releases(py::module_& core) {
    py::class_<Release>(core, "Release", "What was released: an adjacency and its phases.")
        .def(py::init(&release_of), py::arg("adjacency"), py::arg("phases"))
        .def("describe", [](const Release& release) { return describe(release); })
        .def("assumptions", [](const Release& release) { return assumptions(release); });
}

}  // namespace assay::python
