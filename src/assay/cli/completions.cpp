#include "assay/cli/completions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace assay::cli {
namespace {

std::string joined(const std::vector<std::string>& words) {
    return fmt::format("{}", fmt::join(words, " "));
}

/// The text with a backslash before each of these letters.
std::string escaped(const std::string& text, std::string_view letters) {
    std::string result;
    for (const char c : text) {
        if (letters.find(c) != letters.npos) result += '\\';
        result += c;
    }
    return result;
}

/// Inside single quotes of bash and zsh.
std::string quoted(const std::string& text) {
    std::string result = "'";
    for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return result + "'";
}

/// The word that a command without a next one has after it: what `words` may be followed by.
std::vector<std::string> next_words(const CommandEntry& command) {
    std::vector<std::string> words = command.parts;
    if (command.words.empty()) words.emplace_back("help");
    for (const OptionEntry& option : command.options)
        words.insert(words.end(), option.names.begin(), option.names.end());
    return words;
}

}  // namespace

std::string bash_completions(const std::vector<CommandEntry>& table) {
    std::string values;
    std::string words;
    for (const CommandEntry& command : table) {
        for (const OptionEntry& option : command.options) {
            if (option.names.empty() || option.value.empty()) continue;
            const std::string reply =
                option.choices.empty()
                    ? "compopt -o default"
                    : fmt::format("COMPREPLY=($(compgen -W \"{}\" -- \"$word\"))",
                                  joined(option.choices));
            for (const std::string& name : option.names)
                values += fmt::format("    \"{} {}\") {}; return ;;\n", command.words, name, reply);
        }
        words +=
            fmt::format("    \"{}\") next=\"{}\" ;;\n", command.words, joined(next_words(command)));
    }
    return fmt::format(R"(# bash completion of assay, made from its option table
_assay() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} command="" next=""
    [ "$COMP_CWORD" -lt 2 ] || command=${{COMP_WORDS[1]}}
    case $command in
    help) command="" ;;
    ldp) [ "$COMP_CWORD" -lt 3 ] || command="ldp ${{COMP_WORDS[2]}}" ;;
    esac
    COMPREPLY=()
    case "$command ${{COMP_WORDS[COMP_CWORD-1]}}" in
{}    esac
    case $command in
{}    esac
    COMPREPLY=($(compgen -W "$next" -- "$word"))
    [[ $word == -* ]] || compopt -o default
}}
complete -F _assay assay
)",
                       values, words);
}

std::string zsh_completions(const std::vector<CommandEntry>& table) {
    std::string cases;
    for (const CommandEntry& command : table) {
        if (command.words.empty()) continue;
        cases += fmt::format("    {})\n        _arguments", quoted(command.words));
        for (const OptionEntry& option : command.options) {
            const std::string value =
                option.choices.empty() ? "_files" : "(" + joined(option.choices) + ")";
            for (const std::string& name : option.names)
                cases += " \\\n            " +
                         quoted(fmt::format(
                             "*{}[{}]{}", name, escaped(option.help, "[]:\\"),
                             option.value.empty() ? "" : ":" + option.value + ":" + value));
        }
        if (!command.parts.empty())
            cases += fmt::format(" \\\n            '1:command:({})'", joined(command.parts));
        else
            cases += " \\\n            '*:file:_files'";
        cases += "\n        ;;\n";
    }
    return fmt::format(R"(#compdef assay
# zsh completion of assay, made from its option table
_assay() {{
    if (( CURRENT == 2 )); then
        compadd -- {}
        return
    fi
    local command=${{words[2]}}
    shift words
    (( CURRENT-- ))
    if [[ $command == help ]]; then
        compadd -- {}
        return
    fi
    if [[ $command == ldp ]] && (( CURRENT > 2 )); then
        command="ldp ${{words[2]}}"
        shift words
        (( CURRENT-- ))
    fi
    case $command in
{}    esac
}}
_assay "$@"
)",
                       joined(next_words(table.front())), joined(table.front().parts), cases);
}

std::string fish_completions(const std::vector<CommandEntry>& table) {
    std::string text = "# fish completion of assay, made from its option table\n";
    for (const CommandEntry& command : table) {
        const std::size_t blank = command.words.find(' ');
        std::string condition = "__fish_use_subcommand";
        if (blank != command.words.npos)
            condition =
                fmt::format("__fish_seen_subcommand_from {}; and __fish_seen_subcommand_from {}",
                            command.words.substr(0, blank), command.words.substr(blank + 1));
        else if (!command.words.empty())
            condition = "__fish_seen_subcommand_from " + command.words;
        for (const std::string& part : command.parts)
            text += fmt::format("complete -c assay -n '{}' -f -a {}\n", condition, part);
        for (const OptionEntry& option : command.options) {
            for (const std::string& name : option.names) {
                text += fmt::format("complete -c assay -n '{}' {} {}", condition,
                                    name.starts_with("--") ? "-l" : "-s",
                                    name.substr(name.find_first_not_of('-')));
                if (!option.choices.empty())
                    text += fmt::format(" -x -a '{}'", joined(option.choices));
                else if (!option.value.empty())
                    text += " -r";
                text += fmt::format(" -d '{}'\n", escaped(option.help, "\\'"));
            }
        }
    }
    return text;
}

}  // namespace assay::cli
