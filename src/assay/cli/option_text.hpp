#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace assay::cli {

/// Options as they were written, by their names without the dashes.
using Fields = std::map<std::string, std::string, std::less<>>;

/// Adds the option --`name` to a command, whose text goes to `fields`, which outlives it.
void add_field(CLI::App& command, Fields& fields, const char* name, const char* type,
               const char* help);

/// The text of a field; null where it was not given.
[[nodiscard]] const std::string* find(const Fields& fields, std::string_view name);

/// The text of an option that must be given; `admitted` says what it may be.
///   Throws     Error
[[nodiscard]] const std::string& required(std::string_view name,
                                          const std::optional<std::string>& text,
                                          std::string_view admitted);
[[nodiscard]] const std::string& required(const Fields& fields, std::string_view name,
                                          std::string_view admitted);

/// With blanks for line ends and other control characters: what a user wrote, for a message.
[[nodiscard]] std::string one_line(std::string text);

/// The parts of a list between its commas, one or more; they can be empty.
[[nodiscard]] std::vector<std::string> list_items(std::string_view text);

/// A finite number from an option's text, inside `admitted`: a decimal or a quotient of two,
/// 1/50000, rounded to the nearest double.
///   Throws     DomainError
[[nodiscard]] double read_option(std::string_view name, const std::string& text,
                                 bool (*is_admitted)(double), std::string_view admitted);
/// The same of a number that must be given, and of one or several between commas.
///   Throws     Error, DomainError
[[nodiscard]] double read_required(std::string_view name, const std::optional<std::string>& text,
                                   bool (*is_admitted)(double), std::string_view admitted);
[[nodiscard]] std::vector<double> read_numbers(std::string_view name,
                                               const std::optional<std::string>& text,
                                               bool (*is_admitted)(double),
                                               std::string_view admitted);

[[nodiscard]] std::int64_t read_integer_option(std::string_view name, const std::string& text,
                                               std::int64_t largest);
/// Of random numbers: any integer of 64 bits without a sign.
[[nodiscard]] std::uint64_t read_seed(const std::string& text);

}  // namespace assay::cli
