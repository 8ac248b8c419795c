#pragma once
#include <cstdint>
#include <functional>
#include <istream>
#include <string>

#include "assay/ldp/category_subset.hpp"

namespace assay::cli {

/// Reads answers, one a line: "y,S" with categories from 1 to K, those of S separated by blanks or
/// tabs; nothing after the comma is the empty set. An empty line, a line that begins with # and a
/// first line "response,subset" (or "y,S") are passed over, and so are quotation marks around a
/// field, a byte order mark and carriage returns.
///   Returns    how many answers there were
///   Throws     FileError (name, line) at the first line that is none; those before it were taken
std::int64_t read_responses(
    std::istream& in, const std::string& name, int categories,
    const std::function<void(const CategorySubset& subset, int response)>& take);

}  // namespace assay::cli
