#include "assay/cli/option_text.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>

#include "assay/numeric/errors.hpp"
#include "assay/numeric/number_text.hpp"

namespace assay::cli {

namespace {

[[noreturn]] void refuse_missing(std::string_view name, std::string_view admitted) {
    throw Error(fmt::format("{} is missing: {}", name, admitted));
}

}  // namespace

void add_field(CLI::App& command, Fields& fields, const char* name, const char* type,
               const char* help) {
    command
        .add_option_function<std::string>(
            std::string("--") + name,
            [&fields, name](const std::string& text) { fields[name] = text; }, help)
        ->type_name(type);
}

const std::string* find(const Fields& fields, std::string_view name) {
    const auto found = fields.find(name);
    return found == fields.end() ? nullptr : &found->second;
}

const std::string& required(std::string_view name, const std::optional<std::string>& text,
                            std::string_view admitted) {
    if (!text) refuse_missing(name, admitted);
    return *text;
}

const std::string& required(const Fields& fields, std::string_view name,
                            std::string_view admitted) {
    const std::string* text = find(fields, name);
    if (text == nullptr) refuse_missing(name, admitted);
    return *text;
}

std::string one_line(std::string text) {
    std::ranges::replace_if(
        text, [](unsigned char c) { return c < ' ' || c == 127; }, ' ');
    return text;
}

std::vector<std::string> list_items(std::string_view text) {
    std::vector<std::string> items;
    for (;;) {
        const std::size_t comma = text.find(',');
        items.emplace_back(text.substr(0, comma));
        if (comma == text.npos) return items;
        text.remove_prefix(comma + 1);
    }
}

double read_option(std::string_view name, const std::string& text, bool (*is_admitted)(double),
                   std::string_view admitted) {
    const std::size_t bar = text.find('/');
    std::optional<double> x = read_decimal(text.substr(0, bar));
    if (bar != text.npos) {
        const std::optional<double> divisor = read_decimal(text.substr(bar + 1));
        x = x && divisor ? std::optional(*x / *divisor) : std::nullopt;
    }
    if (!x || !std::isfinite(*x) || !is_admitted(*x))
        throw DomainError(std::string(name), text, std::string(admitted));
    if (is_underflow(text))
        throw DomainError(std::string(name), text, "0, or not below the least double, 4.9e-324");
    return *x;
}

double read_required(std::string_view name, const std::optional<std::string>& text,
                     bool (*is_admitted)(double), std::string_view admitted) {
    return read_option(name, required(name, text, admitted), is_admitted, admitted);
}

std::vector<double> read_numbers(std::string_view name, const std::optional<std::string>& text,
                                 bool (*is_admitted)(double), std::string_view admitted) {
    std::vector<double> numbers;
    for (const std::string& item : list_items(required(name, text, admitted)))
        numbers.push_back(read_option(name, item, is_admitted, admitted));
    return numbers;
}

std::int64_t read_integer_option(std::string_view name, const std::string& text,
                                 std::int64_t largest) {
    const std::optional<double> x = read_decimal(text);
    const std::optional<std::int64_t> n = x ? as_integer(*x) : std::nullopt;
    if (!n || *n < 1 || *n > largest)
        throw DomainError(std::string(name), text, fmt::format("an integer from 1 to {}", largest));
    return *n;
}

std::uint64_t read_seed(const std::string& text) {
    const auto seed = read_integer<std::uint64_t>(text);
    if (!seed) throw DomainError("seed", text, "an integer from 0 to 18446744073709551615");
    return *seed;
}

}  // namespace assay::cli
