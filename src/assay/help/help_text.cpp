#include "assay/help/help_text.hpp"

#include <string_view>
#include <vector>

#include "assay/help/wrap.hpp"

namespace assay {

namespace {

/// Where descriptions begin.
constexpr std::size_t column = 30;

std::string entry(const std::string& name, std::string_view description) {
    std::string first = "  " + name;
    std::string above;
    if (first.size() >= column) {
        above = wrapped(first, "", column);
        first.clear();
    }
    first.resize(column, ' ');
    return description.empty() ? above : above + wrapped(description, first, column);
}

/// What follows an option's name: what it takes, its default, whether it must be there.
std::string value_of(const CLI::Option& option) {
    if (!option.get_option_text().empty()) return ' ' + option.get_option_text();
    if (option.get_type_size() == 0) return "";
    std::string text = option.get_type_name().empty() ? "" : ' ' + option.get_type_name();
    if (!option.get_default_str().empty()) text += '=' + option.get_default_str();
    if (option.get_expected_max() == CLI::detail::expected_max_vector_size) text += " ...";
    return option.get_required() ? text + " REQUIRED" : text;
}

std::string heading(std::string_view title, const std::string& list) {
    return list.empty() ? "" : '\n' + std::string(title) + ":\n" + list;
}

}  // namespace

std::string help_text(const CLI::App& command, const std::string& path) {
    std::string usage = "Usage: " + path;
    std::string arguments;
    std::string options;
    std::string parts;
    if (!command.get_options([](const CLI::Option* o) { return o->nonpositional(); }).empty())
        usage += " [OPTIONS]";
    for (const CLI::Option* option : command.get_options({})) {
        if (option->get_positional()) {
            const std::string name = option->get_name(true, false);
            usage += option->get_required() ? ' ' + name : " [" + name + ']';
            arguments += entry(name + value_of(*option), option->get_description());
        } else {
            options +=
                entry(option->get_name(false, true) + value_of(*option), option->get_description());
        }
    }
    for (const CLI::App* part : command.get_subcommands({})) {
        // Its first sentence; `path part --help` has the rest.
        const std::string description = part->get_description();
        parts += entry(part->get_name(), description.substr(0, description.find('\n')));
    }
    if (!parts.empty()) usage += " SUBCOMMAND";
    return command.get_description() + '\n' + usage + '\n' + heading("Positionals", arguments) +
           heading("Options", options) + heading("Subcommands", parts) + '\n';
}

void print_help_text(CLI::App& program) {
    program.formatter_fn([](const CLI::App* command, const std::string& path,
                            CLI::AppFormatMode /*mode*/) { return help_text(*command, path); });
}

}  // namespace assay
