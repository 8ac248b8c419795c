#pragma once
#include <cstdint>
#include <functional>
#include <istream>
#include <string>

#include "assay/ldp/category_subset.hpp"

namespace assay::cli {

struct ResponseSummary {
    std::int64_t answers = 0;
    std::uint64_t digest = 0;
};

/// An answer, and the summary of all up to it.
using TakeResponse =
    std::function<void(const CategorySubset& subset, int response, const ResponseSummary& so_far)>;

/// Reads answers, one a line: "y,S" with categories from 1 to K, those of S separated by blanks or
/// tabs; nothing after the comma is the empty set. An empty line, a line that begins with # and a
/// first line "response,subset" (or "y,S") are passed over, and so are quotation marks around a
/// field, a byte order mark and carriage returns.
///   Returns    how many answers there were, and a digest of them that tells whether another input
///              has the same answers in the same order (CRC-64 of their text)
///   Throws     FileError (name, line) at the first line that is none or longer than 2^24 bytes;
///              those before it were taken
ResponseSummary read_responses(std::istream& in, const std::string& name, int categories,
                               const TakeResponse& take);

/// The members of a set as such a line has them: numbers from 1, blanks between them.
[[nodiscard]] std::string members_text(const CategorySubset& subset);

}  // namespace assay::cli
