#include <sstream>

#include "assay/cli/response_file.hpp"
#include "assay/datasets/optical_digits.hpp"
#include "fuzz/input_file.hpp"
#include "verify/case_file.hpp"

// Answers of local privacy, images, hard cases of the verification: three readers of lines.
FUZZ_TARGET(csv) {
    if (input.empty()) return;
    const int kind = input.front() % 4;
    const std::string content(input.substr(1));
    if (kind == 0) {
        static_cast<void>(
            assay::verify::read_hard_cases(fuzz::input_file("cases.csv", content).parent_path()));
    } else if (kind == 1) {
        assay::ReadReport report;
        static_cast<void>(
            assay::read_optical_digits(fuzz::input_file("digits", content), {}, report));
    } else {
        const int categories = kind == 2 ? 3 : 20;
        std::istringstream in(content);
        static_cast<void>(assay::cli::read_responses(
            in, "answers", categories,
            [&](const assay::CategorySubset& subset, int response,
                const assay::cli::ResponseSummary&) {
                fuzz::require(
                    subset.categories() == categories && response >= 0 && response < categories,
                    "a response outside its categories");
            }));
    }
}
