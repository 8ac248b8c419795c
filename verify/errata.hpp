#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "verify/trial_json.hpp"

namespace assay::verify {

/// One mistake in a paper, tried by numbers that are computed afresh.
struct Erratum {
    int item = 0;           // several may share one: docs and comments name them by it
    std::string paper;      // the project's key
    std::string statement;  // what is printed and what is right
    Json numbers;           // name -> [lower, upper] as decimals, a count, or a text; in order
    std::string verdict;    // "confirmed", "not confirmed", "not decidable"
};

/// Every item of birrell2024, mironov2019, chua2025 and aydin2024, by number.
///   Throws     Error when the library and an oracle contradict each other on the way
[[nodiscard]] std::vector<Erratum> errata_on_trial();

/// [{item, paper, statement, numbers, verdict}, ..], indented.
[[nodiscard]] std::string errata_json(const std::vector<Erratum>& errata);
/// A table of statements and verdicts, then the numbers of each item.
[[nodiscard]] std::string errata_markdown(const std::vector<Erratum>& errata);

/// Lines "item 3: ..." where the two documents (as errata_json writes them) differ; none if equal.
[[nodiscard]] std::vector<std::string> errata_differences(std::string_view expected,
                                                          std::string_view found);

}  // namespace assay::verify
