#pragma once
#include <string>
#include <vector>

#include "experiments/figure.hpp"

namespace assay::experiments {

/// Every figure, in the order of the papers: the one list to which a driver is added.
[[nodiscard]] const std::vector<Figure>& all_figures();

/// The figures with these stems, in the order of the list; all of them for an empty choice.
///   Throws     DomainError for a stem that is not in the list
[[nodiscard]] std::vector<Figure> choose_figures(const std::vector<Figure>& figures,
                                                 const std::vector<std::string>& stems);

}  // namespace assay::experiments
