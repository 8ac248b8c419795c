#pragma once
#include <catch2/catch.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "assay/cli/program.hpp"

namespace assay::cli {

/// What a run of the program left behind.
struct RunResult {
    int exit_code = 0;
    std::string out;
    std::string err;
};

/// Runs `assay` on words separated by blanks, without a process of its own.
inline RunResult run_assay(const std::string& words, const std::string& input = "") {
    std::vector<std::string> arguments{"assay"};
    std::istringstream split(words);
    for (std::string word; split >> word;) arguments.push_back(word);
    std::vector<const char*> argv;
    for (const std::string& argument : arguments) argv.push_back(argument.c_str());
    std::istringstream in(input);
    std::ostringstream out;
    std::ostringstream err;
    RunResult result;
    result.exit_code = run_program(static_cast<int>(argv.size()), argv.data(), {in, out, err});
    result.out = out.str();
    result.err = err.str();
    return result;
}

/// One line on standard error that has this text, nothing on standard output, code 2.
inline void check_refused(const RunResult& result, const std::string& text) {
    CAPTURE(result.err, result.out);
    CHECK(result.exit_code == 2);
    CHECK(result.out.empty());
    CHECK(result.err.find(text) != std::string::npos);
    CHECK(result.err.find('\n') == result.err.size() - 1);
}

}  // namespace assay::cli
