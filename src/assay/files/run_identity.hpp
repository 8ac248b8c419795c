#pragma once
#include <string>
#include <vector>

namespace assay {

/// What decides the bits of a run, as names and texts in a fixed order: every parameter, the seed,
/// the version. Two runs are one where these and the shapes are equal.
struct RunField {
    std::string name;  // without blanks
    std::string value;

    friend bool operator==(const RunField&, const RunField&) = default;
};
using RunIdentity = std::vector<RunField>;

/// Every difference, "noise-multiplier 0.4 there, 0.5 here; ..", empty for one and the same run.
[[nodiscard]] std::string differences(const RunIdentity& there, const RunIdentity& here);

/// Throws DomainError (field) unless the name is a word and the value is one line.
void require_readable(const RunField& field);

}  // namespace assay
