#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "verify/point.hpp"

namespace assay::verify {

/// A point that a check has to be tried at in every run, and why.
struct HardCase {
    std::string check;  // a Check's id
    Point point;
    std::string reason;

    friend bool operator==(const HardCase&, const HardCase&) = default;
};

/// The cases of every .csv of the folder: a header check,point,reason, then a case a line.
///   Throws     FileError (file, line)
[[nodiscard]] std::vector<HardCase> read_hard_cases(const std::filesystem::path& folder);

/// Appends cases that are not there yet, each to <first word of its check's id>.csv; returns how
/// many were new. Throws FileError.
int append_hard_cases(const std::filesystem::path& folder, const std::vector<HardCase>& cases);

}  // namespace assay::verify
