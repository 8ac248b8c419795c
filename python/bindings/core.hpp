#pragma once
#include <pybind11/pybind11.h>

#include <chrono>

#include "assay/numeric/interruption.hpp"

namespace assay::python {

inline constexpr auto between_looks = std::chrono::milliseconds(50);

/// Raises what a handler of a signal raises, at intervals; for the calling thread alone, which does
/// not hold the interpreter's lock.
class SignalLook {
public:
    void operator()() {
        const Clock::time_point now = Clock::now();
        if (now < next_) return;
        next_ = now + between_looks;
        const pybind11::gil_scoped_acquire gil;
        if (PyErr_CheckSignals() != 0) throw pybind11::error_already_set();
    }

private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point next_ = Clock::now() + between_looks;
};

/// While it lives, signals end the computations of this thread, by what their handlers raise.
[[nodiscard]] inline InterruptionScope until_signal() {
    return InterruptionScope([look = SignalLook()]() mutable {
        look();
        return false;
    });
}

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
