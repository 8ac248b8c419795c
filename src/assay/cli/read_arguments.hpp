#pragma once
#include <span>

#include "assay/cli/json_number.hpp"
#include "assay/formulas/arguments.hpp"
#include "assay/formulas/parameter.hpp"

namespace assay::cli {

/// Reads `params` by the list `parameters`; optional ones may be missing.
///   Throws     InputError: missing_parameter, unknown_parameter, not_a_number, domain
[[nodiscard]] formulas::Arguments read_arguments(std::span<const formulas::Parameter> parameters,
                                                 const Json& params);

}  // namespace assay::cli
