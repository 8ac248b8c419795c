#pragma once
#include <string>
#include <utility>
#include <vector>

#include "assay/privacy/adjacency.hpp"
#include "assay/privacy/mechanism.hpp"

namespace assay {

/// Everything that was released about one data set, the phases one after the other; later ones may
/// depend on what earlier ones gave.
struct Release {
    Release(Adjacency neighbours, std::vector<Phase> all)
        : adjacency(neighbours), phases(std::move(all)) {}

    Adjacency adjacency;  // never by default: an epsilon says nothing without it
    std::vector<Phase> phases;
};

/// "N x <mechanism>; N x <mechanism>; <adjacency>".
[[nodiscard]] std::string describe(const Release& release);

/// Repetitions of one mechanism as one phase, wherever they stand: what is known of a sequence does
/// not depend on its order. Phases keep the order in which their mechanisms come first.
///   Throws     DomainError where a mechanism has a parameter out of range
[[nodiscard]] Release joined(const Release& release);

}  // namespace assay
