#include <pybind11/stl.h>

#include "assay/numeric/errors.hpp"
#include "assay/pld/dominating_losses.hpp"
#include "assay/privacy/release.hpp"
#include "bindings/core.hpp"
#include "bindings/questions.hpp"

namespace py = pybind11;

namespace assay::python {

void add_losses(py::module_& core) {
    // (step, removal, addition, citation) of one repetition of a release's only phase; a direction
    // is (first, masses, infinity_mass).
    core.def(
        "dominating_losses",
        [](const Release& release, double step, double negligible) {
            if (release.phases.size() != 1) throw Error("one phase is wanted");
            DominatingLossPair found;
            answer_all(1, 1, [&](std::size_t, std::size_t) {
                found = dominating_losses(release.phases.front().mechanism, release.adjacency, step,
                                          negligible);
            });
            const auto side = [](const DominatingLosses& losses) {
                return py::make_tuple(losses.first, losses.masses, losses.infinity_mass);
            };
            return py::make_tuple(found.removal.step, side(found.removal), side(found.addition),
                                  found.theorem.citation);
        },
        py::arg("release"), py::arg("step"), py::arg("negligible"));
}

}  // namespace assay::python
