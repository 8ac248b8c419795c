#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "assay/cli/completions.hpp"
#include "assay/cli/man_page.hpp"
#include "assay/cli/option_table.hpp"
#include "test_support/run_for_test.hpp"

using namespace assay::cli;

namespace {

const std::vector<CommandEntry>& table() {
    static const std::vector<CommandEntry> entries = option_table();
    return entries;
}

/// What a command's help lists: "-h,--help   ...", "--delta NUMBER   ...". Read off the printed
/// text, so that an option which the table leaves out is missed.
std::set<std::string> options_in_help(const std::string& words) {
    std::istringstream lines(run_assay(words + " --help").out);
    std::set<std::string> names;
    bool is_list = false;
    for (std::string line; std::getline(lines, line);) {
        is_list = is_list || line.starts_with("Options:");
        if (!is_list || !line.starts_with("  -")) continue;
        std::string word = line.substr(2, line.find(' ', 2) - 2);
        std::replace(word.begin(), word.end(), ',', ' ');
        std::istringstream split(word);
        while (split >> word) names.insert(word);
    }
    return names;
}

/// As roff has a hyphen that is to be copied and searched for.
std::string roff(const std::string& name) {
    std::string text;
    for (const char c : name) text += c == '-' ? std::string("\\-") : std::string(1, c);
    return text;
}

std::string line_with(const std::string& text, const std::string& part) {
    const std::size_t found = text.find(part);
    if (found == text.npos) return "";
    return text.substr(found, text.find('\n', found) - found);
}

/// The part of zsh's completions that is about one command.
std::string zsh_case(const std::string& words) {
    const std::string text = zsh_completions(table());
    const std::size_t begin = text.find("    '" + words + "')\n");
    return begin == text.npos ? "" : text.substr(begin, text.find(";;", begin) - begin);
}

}  // namespace

TEST_CASE("every option of every command is completed and in its manual page", "[cli]") {
    CHECK(table().size() == 16);
    std::size_t options = 0;
    for (const CommandEntry& command : table()) {
        if (command.words.empty()) continue;  // its help is a text of its own
        CAPTURE(command.words);
        const std::string page = man_page(command, "1.2.3");
        const std::string bash =
            line_with(bash_completions(table()), "    \"" + command.words + "\") next=");
        const std::string zsh = zsh_case(command.words);
        const std::string fish = fish_completions(table());
        const std::string last = command.words.substr(command.words.rfind(' ') + 1);
        const std::set<std::string> names = options_in_help(command.words);
        REQUIRE(!names.empty());
        for (const std::string& name : names) {
            CAPTURE(name);
            ++options;
            CHECK(page.find("\\fB" + roff(name) + "\\fR") != page.npos);
            std::string padded = bash;
            std::replace(padded.begin(), padded.end(), '"', ' ');
            CHECK(padded.find(' ' + name + ' ') != padded.npos);
            CHECK(zsh.find("'*" + name + '[') != zsh.npos);
            CHECK(fish.find(
                      "seen_subcommand_from " + last + "' " +
                      (name.starts_with("--") ? "-l " + name.substr(2) : "-s " + name.substr(1)) +
                      ' ') != fish.npos);
        }
    }
    CHECK(options > 120);
}

TEST_CASE("the names that an option's help lists are its choices", "[cli]") {
    using Names = std::vector<std::string>;
    CHECK(listed_choices("add-remove, replace-one or zero-out (required)") ==
          Names{"add-remove", "replace-one", "zero-out"});
    CHECK(listed_choices("quick, normal or thorough: gaps of 1e-2") ==
          Names{"quick", "normal", "thorough"});
    CHECK(listed_choices("any: the best theorem; published: peer-reviewed ones alone") ==
          Names{"any", "published"});
    CHECK(listed_choices("of a column, or of two").empty());
    CHECK(listed_choices("one: alone").empty());
    // A name that is offered is one that the program takes.
    for (const CommandEntry& command : table())
        for (const OptionEntry& option : command.options)
            for (const std::string& choice : option.choices) {
                CAPTURE(command.words, option.names, choice);
                std::string name = option.names.back();
                const RunResult result = run_assay(command.words + ' ' + name + ' ' + choice);
                CHECK(result.err.find(choice + " is not admitted") == result.err.npos);
            }
}

TEST_CASE("a manual page has the sections that man expects", "[cli]") {
    for (const CommandEntry& command : table()) {
        CAPTURE(command.words);
        const std::string page = man_page(command, "1.2.3");
        CHECK(page.starts_with(".TH ASSAY"));
        std::size_t before = 0;
        for (const char* section :
             {".SH NAME\n", ".SH SYNOPSIS\n", ".SH EXAMPLES\n", ".SH OPTIONS\n"}) {
            const std::size_t found = page.find(section);
            REQUIRE(found != page.npos);
            CHECK(before <= found);
            before = found;
        }
        // "name - what it is" is what whatis and apropos read.
        CHECK(page.find(".SH NAME\n" + roff(page_name(command)) + " \\- ") != page.npos);
        // A line that begins with a dot or a quote is a request, and these alone are meant.
        std::istringstream lines(page);
        for (std::string line; std::getline(lines, line);) {
            if (!line.starts_with('.')) continue;
            const std::string request = line.substr(0, line.find(' '));
            CHECK(std::set<std::string>{".TH", ".SH", ".PP", ".nf", ".fi", ".TP", ".BR"}.count(
                request));
        }
        CHECK(page.find("\n'") == page.npos);
    }
}

TEST_CASE("the source files that the documents name exist", "[cli]") {
    namespace fs = std::filesystem;
    std::vector<std::string> files;
    for (const char* top : {"bench", "examples", "experiments", "fuzz", "python", "src", "verify"})
        for (const auto& entry : fs::recursive_directory_iterator(top))
            files.push_back('/' + entry.path().generic_string());
    const std::regex name(R"(\w[\w/]*\.[ch]pp)");
    std::size_t names = 0;
    for (const auto& page : fs::directory_iterator("docs")) {
        if (page.path().extension() != ".md") continue;
        std::ifstream file(page.path());
        const std::string text(std::istreambuf_iterator<char>(file), {});
        for (std::sregex_iterator found(text.begin(), text.end(), name), end; found != end;
             ++found, ++names) {
            CAPTURE(page.path(), found->str());
            CHECK(std::any_of(files.begin(), files.end(), [&](const std::string& path) {
                return path.ends_with('/' + found->str());
            }));
        }
    }
    CHECK(names > 50);
}
