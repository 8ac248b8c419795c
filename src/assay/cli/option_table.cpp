#include "assay/cli/option_table.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <regex>

#include "assay/cli/program.hpp"

namespace assay::cli {
namespace {

OptionEntry entry_of(const CLI::Option& option) {
    OptionEntry entry;
    for (const std::string& name : option.get_snames()) entry.names.push_back('-' + name);
    for (const std::string& name : option.get_lnames()) entry.names.push_back("--" + name);
    if (option.get_type_size() != 0) entry.value = option.get_type_name();
    entry.help = option.get_description();
    if (entry.value == "NAME") entry.choices = listed_choices(entry.help);
    return entry;
}

void add_entries(const CLI::App& app, const std::string& words, std::vector<CommandEntry>& table) {
    CommandEntry entry{.words = words, .help = app.get_description(), .options = {}, .parts = {}};
    for (const CLI::Option* option : app.get_options({}))
        entry.options.push_back(entry_of(*option));
    const auto parts = app.get_subcommands({});
    for (const CLI::App* part : parts) entry.parts.push_back(part->get_name());
    table.push_back(entry);
    for (const CLI::App* part : parts)
        add_entries(*part, words + (words.empty() ? "" : " ") + part->get_name(), table);
}

std::vector<std::string> all_matches(const std::string& text, const std::regex& pattern) {
    std::vector<std::string> found;
    for (std::sregex_iterator match(text.begin(), text.end(), pattern), end; match != end; ++match)
        found.push_back((*match)[1]);
    return found;
}

}  // namespace

std::vector<std::string> listed_choices(const std::string& help) {
    static const std::regex explained("(?:^|[;,] )([a-z][a-z0-9-]*): ");
    static const std::regex list("[a-z][a-z0-9-]*((, | or )[a-z][a-z0-9-]*)+");
    static const std::regex listed("(?:^|, | or )([a-z][a-z0-9-]*)");
    const std::string head = help.substr(0, std::min(help.find(" ("), help.find_first_of(":;")));
    if (std::regex_match(head, list)) return all_matches(head, listed);
    std::vector<std::string> names = all_matches(help, explained);
    return names.size() > 1 ? names : std::vector<std::string>{};
}

std::vector<CommandEntry> option_table() {
    Streams streams{std::cin, std::cout, std::cerr};
    SingleRank alone;
    int exit_code = 0;
    CLI::App program;
    add_commands(program, streams, alone, exit_code);
    std::vector<CommandEntry> table;
    add_entries(program, "", table);
    table.front().help = overview();
    return table;
}

}  // namespace assay::cli
