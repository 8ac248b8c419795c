#pragma once
#include <pybind11/pybind11.h>

#include <optional>
#include <string>
#include <vector>

#include "assay/account/bracket.hpp"
#include "assay/privacy/release.hpp"

namespace assay::python {

/// What is asked of an answer, by the names of the package.       Throws  DomainError
Goal goal_from(const std::string& effort, const std::optional<double>& relative_gap,
               const std::string& standing);
StandingFilter standing_from(const std::string& name);

/// The fields of a bracket in the order of assay/_answers.py; of several a list.
pybind11::tuple fields_of(const Bracket& found);
pybind11::list fields_of(const std::vector<Bracket>& found);

/// Throws DomainError where a noise multiplier is left open.
void require_closed(const Release& release);

/// The fields of a phase in the order of assay.Phase; noise 0 is None.
pybind11::tuple fields_of(const Phase& phase);

}  // namespace assay::python
