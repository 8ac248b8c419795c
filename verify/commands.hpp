#pragma once
#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>

namespace assay::verify {

/// Appends the violations of a report (controls left out) to the hard cases, with the reason;
/// returns how many were new.
///   Throws     FileError: a report that cannot be read
int remember(const std::filesystem::path& report, const std::filesystem::path& hard_cases,
             const std::string& reason);

/// A line for each row of a report with these words in its id ("" for all): the answer that came
/// closest to what it is held to, beside that, and the number of points.
///   Throws     FileError: a report that cannot be read
[[nodiscard]] std::string closest_lines(const std::filesystem::path& report,
                                        const std::string& words);

/// Adds the commands that write documents: `errata` and `tables`.
void add_document_commands(CLI::App& app, int& result);

}  // namespace assay::verify
