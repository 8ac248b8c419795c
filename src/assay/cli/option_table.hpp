#pragma once
#include <string>
#include <vector>

namespace assay::cli {

/// One option of a command, as its help has it.
struct OptionEntry {
    std::vector<std::string> names;    ///< with their dashes; none for a positional argument
    std::string value;                 ///< "NUMBER", "FILE", ...; empty for a flag
    std::string help;                  ///< one paragraph
    std::vector<std::string> choices;  ///< what the value can be, where the help lists it
};

/// One command, `assay` itself being the one without words.
struct CommandEntry {
    std::string words;  ///< "epsilon", "ldp audit"
    std::string help;   ///< a sentence, examples, explanations
    std::vector<OptionEntry> options;
    std::vector<std::string> parts;  ///< the words that may come next: "audit", ...
};

/// The names that an option's help lists, "quick, normal or thorough: ..." or "any: ...; published:
/// ..."; empty where it lists none.
[[nodiscard]] std::vector<std::string> listed_choices(const std::string& help);

/// Every command and option that the program parses, read off the parser itself, `assay` first.
[[nodiscard]] std::vector<CommandEntry> option_table();

}  // namespace assay::cli
