#include "assay/privacy/adjacency.hpp"

#include <string>

#include "assay/numeric/errors.hpp"

namespace assay {

std::string_view to_string(Adjacency adjacency) {
    switch (adjacency) {
        case Adjacency::add_remove: return "add-remove";
        case Adjacency::replace_one: return "replace-one";
        default: return "zero-out";
    }
}

Adjacency adjacency_from_string(std::string_view name) {
    for (const Adjacency adjacency :
         {Adjacency::add_remove, Adjacency::replace_one, Adjacency::zero_out})
        if (name == to_string(adjacency)) return adjacency;
    throw DomainError("adjacency", std::string(name), "add-remove, replace-one or zero-out");
}

}  // namespace assay
