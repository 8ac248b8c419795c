#include <fmt/format.h>

#include "assay/cli/eval.hpp"
#include "assay/formulas/quantities.hpp"

namespace assay::cli {

using formulas::all_quantities;
using formulas::Parameter;
using formulas::Quantity;

std::string quantity_list_text() {
    std::string text;
    for (const Quantity& quantity : all_quantities()) {
        text += fmt::format("{}\n    {}\n    Source: {}\n", quantity.name, quantity.formula,
                            quantity.source);
        for (const Parameter& parameter : quantity.parameters)
            text +=
                fmt::format("      {:<6} {}{}, {}{}{}\n", parameter.name, to_string(parameter.type),
                            parameter.optional ? " (optional)" : "", parameter.domain.text,
                            parameter.unit.empty() ? "" : "; unit: ", parameter.unit);
        text += '\n';
    }
    return text;
}

Json quantity_list_json() {
    Json list = Json::array();
    for (const Quantity& quantity : all_quantities()) {
        Json parameters = Json::array();
        for (const Parameter& parameter : quantity.parameters)
            parameters.push_back({{"name", parameter.name},
                                  {"type", to_string(parameter.type)},
                                  {"domain", parameter.domain.text},
                                  {"unit", parameter.unit},
                                  {"required", !parameter.optional}});
        list.push_back({{"quantity", quantity.name},
                        {"parameters", parameters},
                        {"formula", quantity.formula},
                        {"source", quantity.source}});
    }
    return list;
}

}  // namespace assay::cli
