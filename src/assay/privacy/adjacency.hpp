#pragma once
#include <string_view>

namespace assay {

/// Which data sets are neighbours.
///   add_remove   one has one record more
///   replace_one  equal size, one record differs
///   zero_out     equal (public) size, one record replaced by a null record whose query is 0
enum class Adjacency { add_remove, replace_one, zero_out };

/// "add-remove", "replace-one", "zero-out".
[[nodiscard]] std::string_view to_string(Adjacency adjacency);

/// The inverse; throws DomainError that lists the three names.
[[nodiscard]] Adjacency adjacency_from_string(std::string_view name);

}  // namespace assay
