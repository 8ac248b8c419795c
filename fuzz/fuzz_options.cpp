#include <algorithm>
#include <sstream>
#include <vector>

#include "assay/cli/order_list.hpp"
#include "assay/cli/phase_input.hpp"
#include "assay/cli/program.hpp"
#include "assay/monte_carlo/rank_range.hpp"
#include "fuzz/target.hpp"

namespace {

/// The command line in `input`, its words on lines, and an option that no command has: everything
/// is read and nothing is run.
void read_command_line(std::string_view input) {
    std::vector<std::string> words{"assay"};
    while (!input.empty() && words.size() < 64) {
        const std::size_t end = std::min(input.find('\n'), input.size());
        words.emplace_back(input.substr(0, end));
        if (words.back() == "--" || words.back().find('\0') != std::string::npos) return;
        input.remove_prefix(std::min(end + 1, input.size()));
    }
    words.emplace_back("--of-no-command");
    std::vector<const char*> arguments;
    for (const std::string& word : words) arguments.push_back(word.c_str());
    std::istringstream in;
    std::ostringstream out;
    std::ostringstream err;
    const int code = assay::cli::run_program(static_cast<int>(arguments.size()), arguments.data(),
                                             {in, out, err});
    fuzz::require(code == 0 || code == 2, "an exit code of no bad option");
    const std::string line = err.str();
    fuzz::require(code == 0 || (line.starts_with("assay: ") && line.find('\n') + 1 == line.size()),
                  "a refusal that is not one line");
}

}  // namespace

FUZZ_TARGET(options) {
    if (input.empty()) return;
    const int kind = input.front() % 8;
    const std::string text(input.substr(1));
    if (kind == 0) static_cast<void>(assay::cli::read_orders(text));
    if (kind == 1)
        static_cast<void>(assay::cli::read_option(
            "epsilon", text, [](double x) { return x >= 0.0; }, "a number >= 0"));
    if (kind == 2) static_cast<void>(assay::cli::read_integer_option("group", text, 1'000'000));
    if (kind == 3) static_cast<void>(assay::cli::read_seed(text));
    if (kind == 4) static_cast<void>(assay::read_part(text));
    if (kind == 5) static_cast<void>(assay::cli::read_phase(assay::cli::phase_fields(text), 1));
    if (kind >= 6) read_command_line(text);
}
