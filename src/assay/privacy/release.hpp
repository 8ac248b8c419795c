#pragma once
#include <string>
#include <vector>

#include "assay/privacy/adjacency.hpp"
#include "assay/privacy/mechanism.hpp"

namespace assay {

/// Everything that was released about one data set, the phases one after the other; later ones may
/// depend on what earlier ones gave.
struct Release {
    Adjacency adjacency = Adjacency::add_remove;
    std::vector<Phase> phases;
};

/// "N x <mechanism>; N x <mechanism>; <adjacency>".
[[nodiscard]] std::string describe(const Release& release);

}  // namespace assay
