#pragma once
#include <string>
#include <vector>

#include "experiments/claims.hpp"
#include "experiments/params.hpp"
#include "experiments/table.hpp"

namespace assay::experiments {

/// What a driver hands back: the numbers of a figure, and what they decide.
struct FigureResult {
    Table table;
    std::vector<Claim> claims;
    /// What the figure has to say besides the notes in the TOML: which data it is of, what was
    /// scaled.
    std::vector<std::string> notes{};
};

/// One figure of a paper. `stem` names experiments/<stem>.toml and .cpp, the result and the plot.
struct Figure {
    std::string stem;   ///< "birrell2024/fig03_epsilon_by_delta"
    std::string paper;  ///< "birrell2024", also the first part of the stem
    /// Reads its parameters, calls the library, fills the table. Deterministic for any number of
    /// threads. `title`, `notes` and `seed` in the TOML are recorded for it.
    FigureResult (*run)(const Params& params);
};

}  // namespace assay::experiments
