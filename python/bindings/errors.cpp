#include <algorithm>
#include <exception>
#include <string>

#include "assay/numeric/errors.hpp"
#include "bindings/core.hpp"

namespace py = pybind11;

namespace assay::python {

namespace {

// Classes of exceptions live as long as the process.
PyObject* domain_error = nullptr;
PyObject* unsupported_mechanism = nullptr;
PyObject* internal_error = nullptr;

PyObject* new_class(py::module_& core, const char* name, PyObject* base, const char* doc) {
    const std::string full_name = std::string("assay.") + name;
    PyObject* made = PyErr_NewExceptionWithDoc(full_name.c_str(), doc, base, nullptr);
    if (made == nullptr) throw py::error_already_set();
    core.add_object(name, py::reinterpret_borrow<py::object>(made));
    return made;
}

void translate(std::exception_ptr thrown) {
    try {
        if (thrown) std::rethrow_exception(thrown);
    } catch (const DomainError& error) {
        // The library says noise-multiplier, as the command line does; Python noise_multiplier.
        std::string parameter = error.parameter();
        std::replace(parameter.begin(), parameter.end(), '-', '_');
        const std::string rest = error.what() + parameter.size();
        const py::object raised =
            py::reinterpret_borrow<py::object>(domain_error)(parameter + rest);
        raised.attr("parameter") = parameter;
        raised.attr("value") = error.value();
        raised.attr("admissible") = error.admissible();
        PyErr_SetObject(domain_error, raised.ptr());
    } catch (const UnsupportedMechanism& error) {
        PyErr_SetString(unsupported_mechanism, error.what());
    } catch (const FileError& error) {
        PyErr_SetString(PyExc_OSError, error.what());
    } catch (const InternalError& error) {
        PyErr_SetString(internal_error, error.what());
    } catch (const Error& error) {
        PyErr_SetString(PyExc_ValueError, error.what());
    }
}

}  // namespace

void add_errors(py::module_& core) {
    domain_error = new_class(core, "DomainError", PyExc_ValueError,
                             "A parameter is outside the set on which the question is defined.\n\n"
                             "Attributes: parameter, value, admissible (texts).");
    unsupported_mechanism = new_class(core, "UnsupportedMechanism", PyExc_NotImplementedError,
                                      "No theorem covers this sampler under this adjacency.");
    internal_error = new_class(core, "InternalError", PyExc_RuntimeError,
                               "Bounds contradict each other: a defect of the library.");
    py::register_exception_translator(&translate);
}

}  // namespace assay::python
