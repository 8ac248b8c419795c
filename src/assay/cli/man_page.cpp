#include "assay/cli/man_page.hpp"

#include <algorithm>
#include <sstream>

namespace assay::cli {
namespace {

/// Text as roff prints it letter by letter.
std::string literal(std::string_view text) {
    std::string page;
    for (const char c : text) {
        if (c == '\\')
            page += "\\e";
        else if (c == '-')
            page += "\\-";
        else if (c == '\'')
            page += "\\(aq";
        else if ((c == '.') && (page.empty() || page.back() == '\n'))
            page += "\\&.";
        else
            page += c;
    }
    return page;
}

std::string upper_case(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](char c) { return 'a' <= c && c <= 'z' ? static_cast<char>(c - 32) : c; });
    return text;
}

/// What is indented, or in a block of examples, keeps its lines; other text is filled.
std::string sections(const std::string& help) {
    std::string page;
    std::istringstream lines(help);
    bool is_verbatim = false;
    const auto verbatim = [&](bool wanted) {
        if (wanted != is_verbatim) page += wanted ? ".PP\n.nf\n" : ".fi\n.PP\n";
        is_verbatim = wanted;
    };
    for (std::string line; std::getline(lines, line);) {
        if (line.empty()) {
            if (!is_verbatim) page += ".PP\n";
        } else if (line.ends_with(':') && !line.starts_with(' ') && line.find(' ') == line.npos) {
            verbatim(false);
            line.pop_back();
            page += ".SH " + upper_case(line) + '\n';
        } else {
            const bool leaves_examples = is_verbatim && !line.starts_with(' ');
            verbatim(line.starts_with(' '));
            if (leaves_examples) page += ".SH DESCRIPTION\n";
            page += literal(line) + '\n';
        }
    }
    verbatim(false);
    return page;
}

std::string option_text(const OptionEntry& option) {
    std::string names;
    for (const std::string& name : option.names)
        names += (names.empty() ? "" : ", ") + ("\\fB" + literal(name) + "\\fR");
    if (!option.value.empty())
        names += (names.empty() ? "" : " ") + ("\\fI" + literal(option.value) + "\\fR");
    return ".TP\n" + names + '\n' + literal(option.help) + '\n';
}

}  // namespace

std::string page_name(const CommandEntry& command) {
    std::string name = command.words.empty() ? "assay" : "assay-" + command.words;
    std::replace(name.begin(), name.end(), ' ', '-');
    return name;
}

std::string man_page(const CommandEntry& command, const std::string& version) {
    // The first line is a sentence, of `assay` after its name.
    const std::size_t end = std::min(command.help.find('\n'), command.help.size());
    std::string summary = command.help.substr(0, end);
    if (summary.starts_with("assay: ")) summary = summary.substr(7);
    if (summary.ends_with('.')) summary.pop_back();
    const std::string words = command.words.empty() ? "assay" : "assay " + command.words;
    std::string page = ".TH " + upper_case(literal(page_name(command))) + " 1 \"\" \"assay " +
                       literal(version) + "\" \"User Commands\"\n.SH NAME\n" +
                       literal(page_name(command)) + " \\- " + literal(summary) +
                       "\n.SH SYNOPSIS\n\\fB" + literal(words) + "\\fR [\\fIOPTIONS\\fR]" +
                       (command.parts.empty() ? "" : " \\fICOMMAND\\fR") + '\n' +
                       sections(command.help.substr(end)) + ".SH OPTIONS\n";
    for (const OptionEntry& option : command.options) page += option_text(option);
    if (!command.words.empty())
        page += ".SH EXIT STATUS\nThat of\n.BR assay (1).\n.SH SEE ALSO\n.BR assay (1)\n";
    for (const std::string& part : command.parts) {
        if (&part == &command.parts.front() && command.words.empty()) page += ".SH SEE ALSO\n";
        page += ".BR " + literal(page_name(command) + '-' + part) + " (1)" +
                (&part == &command.parts.back() ? "" : ",") + '\n';
    }
    return page;
}

}  // namespace assay::cli
