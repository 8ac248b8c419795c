#include "assay/cli/read_arguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "assay/cli/input_error.hpp"
#include "assay/numeric/number_text.hpp"

namespace assay::cli {

using formulas::Answered;
using formulas::Arguments;
using formulas::Parameter;
using formulas::ParameterType;

namespace {

constexpr std::size_t longest_list = 1'000'000;

bool is_integer(ParameterType type) {
    return type != ParameterType::number && type != ParameterType::number_list;
}

/// The value as it was asked, short enough for a message.
std::string quoted(const Json& value) {
    std::string text = value.is_string()
                           ? value.get<std::string>()
                           : value.dump(-1, ' ', false, Json::error_handler_t::replace);
    if (text.size() > 60) text = text.substr(0, 57) + "...";
    return text;
}

[[noreturn]] void refuse(ErrorKind kind, const Parameter& parameter, const Json& value,
                         std::string_view admitted) {
    throw InputError(
        kind, std::string(parameter.name),
        fmt::format("{} = {} is not admitted: {}", parameter.name, quoted(value), admitted));
}

double read_number(const Parameter& parameter, const Json& value) {
    std::optional<double> x;
    if (value.is_number()) x = value.get<double>();
    if (value.is_string()) x = read_decimal(value.get_ref<const std::string&>());
    if (value.is_string() && is_underflow(value.get_ref<const std::string&>()))
        refuse(ErrorKind::domain, parameter, value, "0, or not below the least double, 4.9e-324");
    if (!x) refuse(ErrorKind::not_a_number, parameter, value, "a number or a decimal text");
    if (!std::isfinite(*x))
        refuse(ErrorKind::domain, parameter, value,
               fmt::format("{}, within the range of a double", parameter.domain.text));
    if ((is_integer(parameter.type) && !as_integer(*x)) || !parameter.domain.contains(*x))
        refuse(ErrorKind::domain, parameter, value, parameter.domain.text);
    return *x;
}

std::vector<double> read_list(const Parameter& parameter, const Json& value) {
    if (!value.is_array() || value.empty())
        refuse(ErrorKind::not_a_number, parameter, value,
               fmt::format("a non-empty {}", to_string(parameter.type)));
    if (value.size() > longest_list)
        refuse(ErrorKind::domain, parameter, value.size(), "at most 1000000 elements");
    std::vector<double> numbers;
    numbers.reserve(value.size());
    for (const Json& element : value) numbers.push_back(read_number(parameter, element));
    return numbers;
}

std::vector<double> read_set(const Parameter& parameter, const Json& value) {
    if (!value.is_array())
        refuse(ErrorKind::not_a_number, parameter, value, "a list of distinct integers");
    if (value.empty()) return {};
    std::vector<double> members = read_list(parameter, value);
    std::vector<double> sorted = members;
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
        refuse(ErrorKind::domain, parameter, value, "each category at most once");
    return members;
}

std::vector<Answered> read_answers(const Parameter& parameter, const Json& value) {
    constexpr const char* admitted = "a list of {\"y\": category, \"S\": list of categories}";
    if (!value.is_array()) refuse(ErrorKind::not_a_number, parameter, value, admitted);
    if (value.size() > longest_list)
        refuse(ErrorKind::domain, parameter, value.size(), "at most 1000000 elements");
    std::vector<Answered> answers;
    answers.reserve(value.size());
    for (const Json& element : value) {
        if (!element.is_object() || element.size() != 2 || !element.contains("y") ||
            !element.contains("S"))
            refuse(ErrorKind::not_a_number, parameter, element, admitted);
        Answered answer{.y = static_cast<int>(read_number(parameter, element["y"])), .S = {}};
        for (const double member : read_set(parameter, element["S"]))
            answer.S.push_back(static_cast<int>(member));
        answers.push_back(std::move(answer));
    }
    return answers;
}

Arguments::Value read_value(const Parameter& parameter, const Json& value) {
    switch (parameter.type) {
        case ParameterType::number:
        case ParameterType::integer: return read_number(parameter, value);
        case ParameterType::number_list:
        case ParameterType::integer_list: return read_list(parameter, value);
        case ParameterType::category_set: return read_set(parameter, value);
        case ParameterType::answer_list: return read_answers(parameter, value);
        default: break;
    }
    if (!value.is_string()) refuse(ErrorKind::domain, parameter, value, parameter.domain.text);
    return value.get<std::string>();
}

}  // namespace

Arguments read_arguments(std::span<const Parameter> parameters, const Json& params) {
    if (!params.is_object())
        throw InputError(ErrorKind::domain, "params", "params is not admitted: a JSON object");
    for (const auto& [key, value] : params.items()) {
        const bool known =
            std::any_of(parameters.begin(), parameters.end(),
                        [&name = key](const Parameter& p) { return p.name == name; });
        if (known) continue;
        std::string names;
        for (const Parameter& p : parameters)
            names += (names.empty() ? "" : ", ") + std::string(p.name);
        throw InputError(
            ErrorKind::unknown_parameter, key,
            fmt::format("{} is no parameter of this quantity; it takes {}", key, names));
    }
    Arguments arguments;
    for (const Parameter& parameter : parameters) {
        const auto found = params.find(std::string(parameter.name));
        if (found != params.end()) {
            arguments.set(parameter.name, read_value(parameter, *found));
        } else if (!parameter.optional) {
            throw InputError(ErrorKind::missing_parameter, std::string(parameter.name),
                             fmt::format("{} is missing ({}: {})", parameter.name,
                                         to_string(parameter.type), parameter.domain.text));
        }
    }
    return arguments;
}

}  // namespace assay::cli
